/* The types of the Workers engine that the sandbox uses. */

declare module 'cloudflare:workers' {
  /** A class whose objects have names, and are called with `fetch` and methods. */
  export class DurableObject<Env = unknown> {
    protected readonly ctx: ObjectContext;
    protected readonly env: Env;
    constructor(ctx: ObjectContext, env: Env);
  }

  /** Lets work continue after a response. */
  export interface Lifetime {
    waitUntil(work: Promise<unknown>): void;
  }

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
    /** Runs work in a transaction, which is rolled back if the work throws. */
    transactionSync<T>(work: () => T): T;
    deleteAll(): Promise<void>;
  }

  type SqlValue = ArrayBuffer | string | number | null;

  export interface SqlStorage {
    /** Later responses leave only after the writes are stored. */
    exec<Row extends Record<string, SqlValue>>(
      query: string,
      ...bindings: readonly (SqlValue | Uint8Array)[]
    ): SqlCursor<Row>;
  }

  export interface SqlCursor<Row> extends Iterable<Row> {
    one(): Row;
  }

  /** The objects of a class, by name. */
  export interface ObjectNamespace<Stub> {
    idFromName(name: string): ObjectId;
    get(id: ObjectId): Stub;
  }

  /** Handles requests: another Worker, an object or static assets. */
  export interface Fetcher {
    fetch(request: Request): Promise<Response>;
  }
}
