/* What JSON values take in memory. */

/** What an object takes besides its fields. */
export const OBJECT_BYTES = 64;
/** A field whose name the program has anyway. */
const FIELD_BYTES = 16;
/** A field whose name, and with it the shape of its object, may be unique. */
const OWN_FIELD_BYTES = 224;
/** What a text takes besides its characters. */
const TEXT_BYTES = 16;

/** Any character that takes two bytes. */
const WIDE = /[^\0-\xff]/;

const ofText = (text: string): number =>
  TEXT_BYTES + (WIDE.test(text) ? 2 * text.length : text.length);

interface Counting {
  /** Another value that shares objects with it, which count for nothing. */
  readonly shared?: unknown;
  /** Whether callers choose the names of fields. Otherwise their names are those of the wire, and take nothing. */
  readonly hasOwnNames?: boolean;
  /** Counting ends beyond this number. */
  readonly most?: number;
}

/** Roughly the bytes of memory that a value takes. */
export function memoryOf(
  value: unknown,
  { shared, hasOwnNames = false, most = Number.POSITIVE_INFINITY }: Counting = {},
): number {
  if (typeof value === 'string') return ofText(value);
  if (typeof value !== 'object' || value === null || value === shared) return 0;
  const namesCount = hasOwnNames && !Array.isArray(value);
  let bytes = OBJECT_BYTES;
  // The fastest way to read every field of an object.
  for (const name in value) {
    const field = (value as Record<string, unknown>)[name];
    bytes += namesCount ? OWN_FIELD_BYTES + ofText(name) : FIELD_BYTES;
    if (typeof field === 'string') bytes += ofText(field);
    else if (typeof field === 'object' && field !== null && field !== fieldOf(shared, name)) {
      bytes += memoryOf(field, { hasOwnNames, most: most - bytes });
    }
    if (bytes > most) return bytes;
  }
  return bytes;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
