/* A list that keeps its newest items and counts their bytes: the form of a journal and of a history. */

/** The newest items, oldest first. They are numbered from 0 for the life of the list. */
export interface Newest<Item> {
  readonly items: Item[];
  /** The bytes of each of `items`. */
  readonly sizes: number[];
  /** The bytes of all `items`. */
  bytes: number;
  /** The number of items dropped so far. Added to its position, it gives an item its number. */
  dropped: number;
}

export const createNewest = <Item>(): Newest<Item> => ({
  items: [],
  sizes: [],
  bytes: 0,
  dropped: 0,
});

/** The number that the next item gets. */
export const nextItemNumber = ({ dropped, items }: Newest<unknown>): number =>
  dropped + items.length;

/** Adds an item after the newest one. */
export function append<Item>(list: Newest<Item>, item: Item, bytes: number): void {
  list.items.push(item);
  list.sizes.push(bytes);
  list.bytes += bytes;
}

/** Drops an item, by default the oldest, and returns it. */
export function drop<Item>(list: Newest<Item>, position = 0): Item {
  list.dropped += 1;
  // Much faster than to splice at the beginning.
  if (position === 0) {
    list.bytes -= list.sizes.shift() as number;
    return list.items.shift() as Item;
  }
  list.bytes -= list.sizes.splice(position, 1)[0] as number;
  return list.items.splice(position, 1)[0] as Item;
}

/** Removes the items from this number on, and returns them. Their numbers are given again. */
export function removeFrom<Item>(list: Newest<Item>, number: number): Item[] {
  const position = Math.max(number - list.dropped, 0);
  for (const size of list.sizes.splice(position)) list.bytes -= size;
  return list.items.splice(position);
}
