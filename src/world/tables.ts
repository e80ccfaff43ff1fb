/* Tables and their transactions: a change is made and stored as a whole, or not at all. */

/** The new value of a key in a table; null if it was deleted. */
export type Change = readonly [table: string, key: string, value: unknown];

/** Changes of one World, or of the sandbox itself if there is no merchant. */
export interface Line {
  readonly merchant?: number | undefined;
  /** A new World replaces the stored one. */
  readonly replaced?: true | undefined;
  readonly changes: readonly Change[];
}

/** Stores the changes of a transaction and further lines before it ends. Throws `NotStoredError` to undo it. */
export type Recorder = (changes: readonly Change[], more: readonly Line[]) => void;

/** Changes could not be stored, so they were not made. */
export class NotStoredError extends Error {
  override readonly name = 'NotStoredError';
}

/** A row before it was changed. */
export interface Note {
  readonly table: Table<unknown>;
  readonly key: string;
  /** Undefined if there was none. */
  readonly before: unknown;
}

/** How a transaction is recorded. */
interface TransactOptions {
  /** Lines to record with the changes. */
  readonly more?: () => readonly Line[];
  /** Whether the observer is told. Default: true. */
  readonly isObserved?: boolean;
  /** Called with the rows that `work` changed, each once, as it was before. */
  readonly onDone?: (notes: readonly Note[]) => void;
}

/** The tables of one World, or of the sandbox itself. Values are never changed in place; a change puts a new value. */
export class Tables {
  readonly byName = new Map<string, Table<unknown>>();
  /** Set if changes are stored. */
  recorder: Recorder | undefined;
  /** Told the rows that each transaction changed, each once, as it was before. */
  observer: ((notes: readonly Note[]) => void) | undefined;
  #notes: Note[] = [];
  /** The position of the first note of the open transaction. */
  #start = 0;
  #isOpen = false;

  /** The rows that changed since the last transaction, each as it was before. */
  get unsettled(): readonly Note[] {
    return firstNotes(this.#notes);
  }

  /** Remembers the old value of a row. Outside a transaction, it becomes a part of the next one. */
  note(table: Table<unknown>, key: string, before: unknown): void {
    if (!this.#isOpen && !this.recorder && !this.observer) return;
    const notes = this.#notes;
    // Of a long transaction the end is enough: what it changes again is there.
    const from = this.#isOpen ? Math.max(this.#start, notes.length - FEW_NOTES) : notes.length;
    for (let place = notes.length - 1; place >= from; place--) {
      const note = notes[place] as Note;
      if (note.key === key && note.table === table) return;
    }
    notes.push({ table, key, before });
  }

  /**
   * Runs `work` as a transaction: if it throws, or its changes can't be recorded, all tables are restored. A nested
   * transaction is part of the outer one.
   */
  transact<Result>(
    work: () => Result,
    { more, isObserved = true, onDone }: TransactOptions = {},
  ): Result {
    if (this.#isOpen) return work();
    const start = this.#notes.length;
    this.#start = start;
    this.#isOpen = true;
    try {
      const result = work();
      const isShort = this.#notes.length <= FEW_NOTES;
      const notes = start === 0 && isShort ? this.#notes : firstNotes(this.#notes);
      const ofWork = start === 0 ? notes : firstNotes(this.#notes.slice(start));
      if (notes.length > 0 || more) this.recorder?.(currentRows(notes), more?.() ?? []);
      this.#notes = [];
      if (notes.length > 0 && isObserved) this.observer?.(notes);
      onDone?.(ofWork);
      return result;
    } catch (error) {
      const undone = this.#notes.splice(start).reverse();
      for (const { table, key, before } of undone) table.load(key, before);
      for (const table of new Set(undone.map(({ table }) => table))) table.sort();
      throw error;
    } finally {
      this.#isOpen = false;
    }
  }
}

/** A transaction with up to this number of notes has each row once. */
const FEW_NOTES = 16;

/** The first note of every changed row. */
export function firstNotes(notes: readonly Note[]): Note[] {
  if (notes.length === 0) return [];
  const noted = new Map<Table<unknown>, Set<string>>();
  return notes.filter(({ table, key }) => {
    const keys = noted.get(table) ?? new Set();
    if (keys.has(key)) return false;
    noted.set(table, keys.add(key));
    return true;
  });
}

/** The current value of every changed row. */
const currentRows = (notes: readonly Note[]): Change[] =>
  notes.map(({ table, key }) => [table.name, key, table.get(key) ?? null]);

/** All rows of all tables. */
export function* rowsOf({ byName }: Tables): Generator<Change, void> {
  for (const table of byName.values()) {
    for (const [key, value] of table.entries()) yield [table.name, key, value];
  }
}

/** Brings rows that came back, or were loaded after others, to their places. */
export function sortRows({ byName }: Tables): void {
  for (const table of byName.values()) table.sort();
}

/** The keys of values in a table. */
interface TableKeys<Value> {
  /** A second unique text of a value, for `hasOther`. */
  other?(value: Value): string;
  /** The order of values whose order matters although rows can leave and come back: it grows with each new row. */
  orderOf?(value: Value): number;
}

/** Values by key, in the order in which keys were first put. */
export abstract class Table<Value> {
  readonly name: string;
  protected readonly tables: Tables;
  readonly #keys: TableKeys<Value>;
  readonly #others = new Set<string>();

  constructor(tables: Tables, name: string, keys: TableKeys<Value> = {}) {
    this.tables = tables;
    this.name = name;
    this.#keys = keys;
    tables.byName.set(name, this as Table<unknown>);
  }

  abstract get size(): number;
  abstract get(key: string): Value | undefined;
  abstract entries(): Iterable<readonly [key: string, value: Value]>;
  /** Puts a value in the place of `before`. */
  protected abstract write(key: string, value: Value | undefined, before: Value | undefined): void;

  *keys(): Generator<string, void> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): Generator<Value, void> {
    for (const [, value] of this.entries()) yield value;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** Whether a value has this second text. */
  hasOther(text: string): boolean {
    return this.#others.has(text);
  }

  /** Undefined removes the row. */
  put(key: string, value: Value | undefined): void {
    const before = this.get(key);
    this.tables.note(this as Table<unknown>, key, before);
    this.#replace(key, value, before);
  }

  /** Puts a value without noting the old one, to undo a change or to load a state. Undefined removes it. */
  load(key: string, value: Value | undefined): void {
    this.#replace(key, value, this.get(key));
  }

  #replace(key: string, value: Value | undefined, before: Value | undefined): void {
    const { other } = this.#keys;
    if (other && before !== undefined) this.#others.delete(other(before));
    if (other && value !== undefined) this.#others.add(other(value));
    this.write(key, value, before);
  }

  /** Brings rows to their places, if their order matters. */
  sort(): void {}
}

/** A table whose rows can be deleted. */
export class KeyedTable<Value> extends Table<Value> {
  #rows = new Map<string, Value>();
  readonly #orderOf: TableKeys<Value>['orderOf'];

  constructor(tables: Tables, name: string, keys: TableKeys<Value> = {}) {
    super(tables, name, keys);
    this.#orderOf = keys.orderOf;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: string): Value | undefined {
    return this.#rows.get(key);
  }

  delete(key: string): void {
    if (this.has(key)) this.put(key, undefined);
  }

  entries(): Iterable<readonly [key: string, value: Value]> {
    return this.#rows;
  }

  protected write(key: string, value: Value | undefined): void {
    if (value === undefined) this.#rows.delete(key);
    else this.#rows.set(key, value);
  }

  override sort(): void {
    const orderOf = this.#orderOf;
    if (!orderOf) return;
    this.#rows = new Map([...this.#rows].sort(([, a], [, b]) => orderOf(a) - orderOf(b)));
  }
}

/** The last number of each sequence, by its name. */
export type Sequences = KeyedTable<number>;

/** Returns the next number of a sequence. */
export function nextId({ sequences }: { readonly sequences: Sequences }, sequence: string): number {
  const id = (sequences.get(sequence) ?? 0) + 1;
  sequences.put(sequence, id);
  return id;
}

/** Keys of records, which contain their own key. */
export interface RecordKeys<Record> extends TableKeys<Record> {
  keyOf(record: Record): string;
}

/** Records in order of creation, accessible by key. They can be replaced, but no rule deletes them. */
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
    return this.#keys.keyOf(record);
  }

  *entries(): Generator<readonly [key: string, value: Value], void> {
    for (const record of this.#list) yield [this.keyOf(record), record];
  }

  /** Puts a record under its own key. */
  add(record: Value): void {
    this.put(this.keyOf(record), record);
  }

  /** Loads records without noting them in a transaction. */
  loadAll(records: Iterable<Value>): void {
    for (const record of records) this.load(this.keyOf(record), record);
  }

  protected write(key: string, record: Value | undefined, before: Value | undefined): void {
    if (before === undefined) {
      if (record !== undefined) this.#positions.set(key, this.#list.push(record) - 1);
      return;
    }
    const position = this.#positions.get(key) as number;
    if (record === undefined) this.#remove(key, position);
    else this.#list[position] = record;
  }

  /** Only undoing a transaction and going back remove records, usually the last one first. */
  #remove(key: string, position: number): void {
    this.#list.splice(position, 1);
    this.#positions.delete(key);
    for (let later = position; later < this.#list.length; later++) {
      this.#positions.set(this.keyOf(this.#list[later] as Value), later);
    }
  }

  /**
   * Finds the first position whose text is not less than `bound`, by binary search.
   *
   * @param textOf a text of the record that never decreases from one position to the next
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
