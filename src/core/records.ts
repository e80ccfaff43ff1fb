/**
 * Records in the order they were created, each found by its key. Records are never changed in place:
 * a change is a new record in the old one's position.
 */
export interface Records<R> {
  readonly list: R[];
  readonly positions: Map<string, number>;
}

export function createRecords<R>(records: readonly R[], keyOf: (record: R) => string): Records<R> {
  return {
    list: [...records],
    positions: new Map(records.map((record, position) => [keyOf(record), position])),
  };
}

export function addRecord<R>(records: Records<R>, key: string, record: R): void {
  records.positions.set(key, records.list.length);
  records.list.push(record);
}

export function findRecord<R>(records: Records<R>, key: string): R | undefined {
  const position = records.positions.get(key);
  return position === undefined ? undefined : records.list[position];
}

export function replaceRecord<R>(records: Records<R>, key: string, record: R): void {
  const position = records.positions.get(key);
  if (position === undefined) throw new Error(`No record ${key} to replace`);
  records.list[position] = record;
}

/**
 * The first position whose record is not before `bound`, by binary search.
 *
 * @param textOf a text of the record that never falls from one position to the next
 */
export function lowerBound<R>(
  records: Records<R>,
  bound: string,
  textOf: (record: R) => string,
): number {
  let [low, high] = [0, records.list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (textOf(records.list[middle] as R) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
