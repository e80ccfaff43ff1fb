/** A value that was put under a key of a table, or null where it was deleted. */
export type Change = readonly [table: string, key: string, value: unknown];

/** Changes of one World, or of the sandbox itself where no merchant is named. */
export interface Line {
  readonly merchant?: number | undefined;
  /** The World is another one: what was kept of it counts no more. */
  readonly replaced?: true | undefined;
  readonly changes: readonly Change[];
}

/**
 * What the changes of a transaction are handed to before they count, with the lines that belong to them. Throws
 * `NotStoredError` to undo them.
 */
export type Recorder = (changes: readonly Change[], more: Iterable<Line>) => void;

/** Where changes are kept there is no room for them, or they can't be written: nothing was done. */
export class NotStoredError extends Error {
  override readonly name = 'NotStoredError';
}

const NOTHING: readonly Line[] = [];

/** A row as it was before it was changed. */
interface Note {
  readonly table: Table<unknown>;
  readonly key: string;
  readonly before: unknown;
}

/**
 * The tables of one World, or those of the sandbox itself. Their values are never changed in place: whoever changes
 * one puts another.
 */
export class Tables {
  readonly byName = new Map<string, Table<unknown>>();
  /** Set while something keeps what is changed. */
  recorder: Recorder | undefined;
  #notes: Note[] = [];
  #isOpen = false;

  /** Whether a deleted row must be able to come back to its place. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Remembers what a row was. Outside of a transaction only for the recorder, which gets it with the next one. */
  note(table: Table<unknown>, key: string, before: unknown): void {
    if (this.#isOpen || this.recorder) this.#notes.push({ table, key, before });
  }

  /**
   * Makes changes that count together: if `work` throws, or they can't be recorded, every table is as it was. Within
   * another transaction it is a part of that one.
   *
   * @param more what is recorded along with them
   */
  transact<Result>(work: () => Result, more: Iterable<Line> = NOTHING): Result {
    if (this.#isOpen) return work();
    const start = this.#notes.length;
    this.#isOpen = true;
    try {
      const result = work();
      if (this.#notes.length > 0 || more !== NOTHING) this.recorder?.(changesOf(this.#notes), more);
      for (const { table, key } of this.#notes) table.settle(key);
      this.#notes = [];
      return result;
    } catch (error) {
      const undone = this.#notes.splice(start).reverse();
      for (const { table, key, before } of undone) table.load(key, before);
      for (const { table, key } of undone) table.settle(key);
      throw error;
    } finally {
      this.#isOpen = false;
    }
  }
}

/** Every row that was changed, once, as it is now. */
function changesOf(notes: readonly Note[]): Change[] {
  const changes: Change[] = [];
  const noted = new Map<Table<unknown>, Set<string>>();
  for (const { table, key } of notes) {
    const keys = noted.get(table) ?? new Set();
    if (keys.has(key)) continue;
    noted.set(table, keys.add(key));
    changes.push([table.name, key, table.get(key) ?? null]);
  }
  return changes;
}

/** Every row of some tables. */
export function* rowsOf({ byName }: Tables): Generator<Change, void> {
  for (const table of byName.values()) {
    for (const [key, value] of table.entries()) yield [table.name, key, value];
  }
}

/** Makes changes that count together (`Tables.transact`). */
export const transact = <Result>(owner: { readonly tables: Tables }, work: () => Result): Result =>
  owner.tables.transact(work);

/** How the values of a table are found. */
export interface Keys<Value> {
  /** Another text of a value that no two of them share, for `hasOther`. */
  other?(value: Value): string;
}

/** Values by key, in the order in which their keys were first put. */
export abstract class Table<Value> {
  readonly name: string;
  protected readonly tables: Tables;
  readonly #keys: Keys<Value>;
  readonly #others = new Set<string>();

  constructor(tables: Tables, name: string, keys: Keys<Value> = {}) {
    this.tables = tables;
    this.name = name;
    this.#keys = keys;
    tables.byName.set(name, this as Table<unknown>);
  }

  abstract get size(): number;
  abstract get(key: string): Value | undefined;
  abstract entries(): Iterable<readonly [key: string, value: Value]>;
  protected abstract write(key: string, value: Value | undefined): void;

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** Whether a value has this other text. */
  hasOther(text: string): boolean {
    return this.#others.has(text);
  }

  put(key: string, value: Value): void {
    this.tables.note(this as Table<unknown>, key, this.get(key));
    this.load(key, value);
  }

  /** Puts a value that no transaction notes: what there was before it, or before everything. Undefined removes it. */
  load(key: string, value: Value | undefined): void {
    if (this.#keys.other) {
      const before = this.get(key);
      if (before !== undefined) this.#others.delete(this.#keys.other(before));
      if (value !== undefined) this.#others.add(this.#keys.other(value));
    }
    this.write(key, value);
  }

  /** Lets go of the place that a removed row keeps until its transaction is over. */
  settle(_key: string): void {}
}

/** A table whose rows come and go. */
export class KeyedTable<Value> extends Table<Value> {
  /** A row that was removed keeps its place until its transaction is over: it may have to come back there. */
  readonly #rows = new Map<string, Value | undefined>();
  #removed = 0;

  get size(): number {
    return this.#rows.size - this.#removed;
  }

  get(key: string): Value | undefined {
    return this.#rows.get(key);
  }

  delete(key: string): void {
    const before = this.get(key);
    if (before === undefined) return;
    this.tables.note(this as Table<unknown>, key, before);
    this.load(key, undefined);
    if (!this.tables.isOpen) this.settle(key);
  }

  *entries(): Generator<readonly [key: string, value: Value], void> {
    for (const row of this.#rows) if (row[1] !== undefined) yield row as [string, Value];
  }

  *keys(): Generator<string, void> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): Generator<Value, void> {
    for (const [, value] of this.entries()) yield value;
  }

  protected write(key: string, value: Value | undefined): void {
    const wasRemoved = this.#rows.has(key) && this.#rows.get(key) === undefined;
    this.#removed += Number(value === undefined) - Number(wasRemoved);
    this.#rows.set(key, value);
  }

  override settle(key: string): void {
    if (this.has(key) || !this.#rows.delete(key)) return;
    this.#removed -= 1;
  }
}

/** How records are found: by a key that they hold themselves, too. */
export interface RecordKeys<Record> extends Keys<Record> {
  own(record: Record): string;
}

/** Records in the order they were created, each found by its key and its position. They are replaced, never deleted. */
export class RecordTable<Value> extends Table<Value> {
  readonly #list: Value[] = [];
  readonly #positions = new Map<string, number>();
  readonly #keys: RecordKeys<Value>;

  constructor(tables: Tables, name: string, keys: RecordKeys<Value>) {
    super(tables, name, keys);
    this.#keys = keys;
  }

  get size(): number {
    return this.#list.length;
  }

  /** Oldest first. */
  get list(): readonly Value[] {
    return this.#list;
  }

  get(key: string): Value | undefined {
    const position = this.#positions.get(key);
    return position === undefined ? undefined : this.#list[position];
  }

  keyOf(record: Value): string {
    return this.#keys.own(record);
  }

  positionOf(key: string): number | undefined {
    return this.#positions.get(key);
  }

  *entries(): Generator<readonly [key: string, value: Value], void> {
    for (const record of this.#list) yield [this.keyOf(record), record];
  }

  /** Puts a record under its own key. */
  add(record: Value): void {
    this.put(this.keyOf(record), record);
  }

  /** The same for a record that no transaction notes. */
  loadAll(records: Iterable<Value>): void {
    for (const record of records) this.load(this.keyOf(record), record);
  }

  protected write(key: string, record: Value | undefined): void {
    const position = this.#positions.get(key);
    if (record === undefined) {
      // Only a transaction that is undone takes records away: those it added, the last first.
      this.#list.length = position ?? this.#list.length;
      this.#positions.delete(key);
    } else if (position === undefined) {
      this.#positions.set(key, this.#list.push(record) - 1);
    } else this.#list[position] = record;
  }

  /**
   * The first position whose record is not before `bound`, by binary search.
   *
   * @param textOf a text of the record that never falls from one position to the next
   */
  lowerBound(bound: string, textOf: (record: Value) => string): number {
    let [low, high] = [0, this.#list.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (textOf(this.#list[middle] as Value) < bound) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
