/** How many bytes of memory there are for more; looks closer where it seems to be less than wanted. */
export type FreeMemory = (wanted: number) => number;

/*
 * A document that is read in pieces takes memory for what was read, and more of it once it becomes a World: for
 * the review, and for look-ups. Measured are 1.2 to 1.5 bytes in all for each byte of a document.
 */

/** Of these for what comes once all is read. */
const REST_PER_BYTE = 0.5;
/** No JSON takes more: a list of empty objects takes 21. */
const MOST_PER_BYTE = 24;
/** Is left free in any case. */
const LEAST_BYTES = 8 * 1024 * 1024;

/**
 * Watches over the memory that a document takes while it is read.
 *
 * @returns whether there is room for it, told how many bytes of it were read
 */
export function watchRoom(freeMemory: FreeMemory): (size: number) => boolean {
  let next = 0;
  return (size) => {
    if (size < next) return true;
    const wanted = LEAST_BYTES + size * REST_PER_BYTE;
    const spare = freeMemory(wanted) - wanted;
    next = size + (spare + LEAST_BYTES) / MOST_PER_BYTE;
    return spare >= 0;
  };
}
