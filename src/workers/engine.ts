/* What is used of the engine that runs Workers and Durable Objects, by its own names. */

/** How long the engine goes on after an answer. */
export interface Lifetime {
  waitUntil(work: Promise<unknown>): void;
}

/** What an object has of the engine. */
export interface ObjectContext extends Lifetime {
  readonly id: ObjectId;
  readonly storage: ObjectStorage;
}

export interface ObjectId {
  toString(): string;
}

export interface ObjectStorage {
  readonly sql: SqlStorage;
  get<Value>(key: string): Promise<Value | undefined>;
  put(key: string, value: unknown): Promise<void>;
  /** Runs work whose writes are there all, or none of them where it throws. */
  transactionSync<T>(work: () => T): T;
  deleteAll(): Promise<void>;
}

type SqlValue = ArrayBuffer | string | number | null;

export interface SqlStorage {
  /** What it writes is in place before anything that is answered after it leaves. */
  exec<Row extends Record<string, SqlValue>>(
    query: string,
    ...bindings: readonly (SqlValue | Uint8Array)[]
  ): SqlCursor<Row>;
}

export interface SqlCursor<Row> extends Iterable<Row> {
  one(): Row;
}

/** The objects of a class, each reached by its name. */
export interface ObjectNamespace<Stub> {
  idFromName(name: string): ObjectId;
  get(id: ObjectId): Stub;
}

/** Answers requests: another Worker, an object, or files. */
export interface Fetcher {
  fetch(request: Request): Promise<Response>;
}
