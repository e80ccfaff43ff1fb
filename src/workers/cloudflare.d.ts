/** What the sandbox uses of the engine that runs Workers and Durable Objects, by the engine's own names. */
declare module 'cloudflare:workers' {
  /** A class whose objects are called by name: over `fetch`, and over its methods. */
  export class DurableObject<Env = unknown> {
    protected readonly ctx: ObjectContext;
    protected readonly env: Env;
    constructor(ctx: ObjectContext, env: Env);
  }

  /** How long the engine goes on after a response. */
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
    /** Runs work whose writes are all kept, or none of them if it throws. */
    transactionSync<T>(work: () => T): T;
    deleteAll(): Promise<void>;
  }

  type SqlValue = ArrayBuffer | string | number | null;

  export interface SqlStorage {
    /** Writes are in storage before any response leaves that is made after them. */
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
}
