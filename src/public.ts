import type { Family, OperationId, Operations } from './wire.ts';

export type * from './wire.ts';

/*
 * What embedding code sees, spelled out so that the published types stand alone. A test holds these
 * against the contract's own schemas, both ways.
 */

/** A moment: ISO 8601 text, a Date, or milliseconds since 1970-01-01T00:00:00Z. */
export type Moment = string | Date | number;

export interface SandboxOptions {
  /** Where every World's clock starts. Real time unless given. */
  readonly now?: Moment;
  /**
   * Whether time passes by itself, `running` unless given; or where it comes from: a function that answers a Date,
   * or milliseconds since 1970-01-01T00:00:00Z, whenever the sandbox needs the time. Clocks are `running` then, moved
   * by whatever `now` and `advance` add; they wait while it goes back. What it answers that is no moment is a
   * TypeError of that very call, a 500 over HTTP, and nothing is done.
   */
  readonly clock?: 'running' | 'frozen' | (() => number | Date);
  /** Chance of every World, a whole number from 0 to 4294967295. 1 unless given. */
  readonly seed?: number;
  /** Fixture files by name (`products.json`, …) instead of the built-in ones. */
  readonly fixtures?: Readonly<Record<string, unknown>>;
  /** An unknown key opens a fresh World of its own instead of 401. */
  readonly autoMerchants?: boolean;
  /** How many merchants there may be, all counted; nobody is added beyond. 10,000 unless given. */
  readonly maxMerchants?: number;
  /** Whether initiate and top_up compare the amount with the premium. `exact` unless given. */
  readonly amountCheck?: 'exact' | 'ignore';
  /** Assumptions that are made otherwise than published: the content of a profile file. */
  readonly profile?: unknown;
  /** Base of the page URLs in lists; taken from each request unless given. */
  readonly publicUrl?: string;
  /** Asked for by sandbox-wide control calls; without it they are answered to this machine only. */
  readonly adminToken?: string;
  /**
   * The origin whose pages may call the merchant API, as browsers send it (`http://localhost:5173`), or `*` for
   * all (CORS). None unless given; never the control plane.
   */
  readonly cors?: string;
  /**
   * Whether the journal, events, `onCall` and log lines show keys and identity numbers as `[redacted]`; `true`
   * unless given. Snapshots and saved states never hold them in their journals.
   */
  readonly redact?: boolean;
  /**
   * Called with the entry of every call of the merchant API when it is answered, as `sandbox.journal()` shows it: of
   * those without a valid key too, and of no call of the control plane. Nobody waits for it; what it throws is an
   * unhandled rejection, which fails the run of most test runners, and changes nothing about the answer.
   */
  readonly onCall?: (entry: SandboxJournalEntry) => void;
}

/** A whole sandbox in this process. It opens no port and starts no timer. */
export interface Sandbox {
  /**
   * The whole HTTP surface, called as the platform's `fetch`, which it can take the place of: a URL or a `Request`,
   * and an init. Relative addresses count from `http://sandbox`; of others the path alone matters. Rejects with a
   * TypeError where there is no such request, where the connection is lost (a fault), and once the sandbox is
   * closed; with the reason of the signal where that aborts.
   */
  readonly fetch: typeof globalThis.fetch;
  /** Opens a World behind a new key. Throws `ControlError` 422 on values out of range, 409 past `maxMerchants`. */
  createMerchant(options?: NewMerchant): Merchant;
  /** The merchant of a key. Throws `ControlError` 404 if there is none and keys open no Worlds. */
  merchant(apiKey: string): Merchant;
  /** Every merchant, by id. */
  merchants(): Merchant[];
  /** The calls of one operation, of all merchants, newest first. */
  journal<O extends OperationId>(
    query: SandboxJournalQuery<O> & { readonly operation: O },
  ): SandboxJournalEntry<O>[];
  /** What all merchants asked and were answered, and calls without a valid key, newest first. */
  journal(query?: SandboxJournalQuery): SandboxJournalEntry[];
  /** Resets every World; merchants that were created stay. */
  resetAll(): void;
  /**
   * Ends what waits: `journal.await` rejects with `ControlError` 503, `hang` and `delay` end, streams of events
   * close. From then on `fetch` rejects with a TypeError; the methods go on. That of a server closes the server too.
   */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface NewMerchant {
  readonly name?: string | undefined;
  /** Whether it starts with the demo population. `none` unless given. */
  readonly records?: 'none' | 'demo' | undefined;
  /** Where its clock starts; as the sandbox's clocks unless given. */
  readonly now?: Moment | undefined;
  readonly mode?: 'running' | 'frozen' | undefined;
  readonly seed?: number | undefined;
}

/** A merchant and everything there is to do to its World. Each method is a call of the control plane. */
export interface Merchant {
  readonly id: number;
  readonly name: string;
  /** The key that opens the World: `Authorization: Bearer <apiKey>`. */
  readonly apiKey: string;
  readonly clock: MerchantClock;
  readonly faults: MerchantFaults;
  readonly journal: MerchantJournal;
  /** One page of the policies of a family, newest first. Looking is no call: nothing counts it. */
  records(query: RecordQuery): RecordPage;
  /** The pending purchases, the first to expire first. */
  purchases(): PendingPurchase[];
  /** The World as the fixtures made it: records, clock, numbering, chance, faults, journal. */
  reset(): void;
  /** The whole World as one document. */
  snapshot(): Snapshot;
  /** Puts a World back, or changes nothing and throws `ControlError` 422 naming the place. */
  restore(snapshot: unknown): void;
  /** Every assumption the sandbox makes, with how many responses rested on it. */
  assumptions(): AssumptionCount[];
  /** Gives a new key and blocks the old one; answers the new key. */
  rotateKey(): string;
  /** Removes the merchant and its World; every method throws `ControlError` 404 from then on. */
  remove(): void;
  /** Id, name, key, clock and counts. */
  show(): MerchantState;
}

export interface MerchantClock {
  show(): ClockState;
  /** Freezes, sets running or moves forward. Throws `ControlError` 409 if `now` lies back. */
  set(change: ClockChange): ClockState;
  /** Lets an ISO 8601 duration pass (`PT15M`, `P1M`), or time until a moment. */
  advance(by: string | { readonly by: string } | { readonly to: Moment }): AdvancedClock;
}

export interface ClockChange {
  /** Where it jumps to; not before what it shows. */
  readonly now?: Moment | undefined;
  readonly mode?: 'running' | 'frozen' | undefined;
}

export interface MerchantFaults {
  add(fault: NewFault): FaultRule;
  list(): FaultRule[];
  /** Throws `ControlError` 404 if there is none of that id. */
  remove(id: string): void;
  clear(): void;
}

export interface MerchantJournal {
  /** The calls of one operation, newest first. */
  list<O extends OperationId>(
    query: JournalQuery<O> & { readonly operation: O },
  ): JournalEntry<O>[];
  /** Newest first. */
  list(query?: JournalQuery): JournalEntry[];
  /** The entry of a call by its `Sandbox-Request-Id`. Throws `ControlError` 404 where it is not, or no longer, there. */
  get(id: string): JournalEntry;
  clear(): void;
  /** Waits for calls of one operation, as for any. */
  await<O extends OperationId>(
    expectation: Expectation<O> & { readonly operation: O },
  ): Promise<JournalEntry<O>[]>;
  /**
   * Resolves once that many entries are there, with all of that kind, newest first; rejects with
   * `ControlError` 408 and the nearest misses, or 503 when the sandbox closes before that.
   */
  await(expectation?: Expectation): Promise<JournalEntry[]>;
}

export interface NewFault {
  readonly match?:
    | {
        readonly operation?: OperationId | undefined;
        readonly body?: Record<string, unknown> | undefined;
      }
    | undefined;
  /** Before the service does its work, or after: the work is done, the response suffers. */
  readonly stage: 'before' | 'after';
  readonly effect: FaultEffect;
  /** How often it acts; 1 unless given. */
  readonly times?: number | undefined;
  /** How likely it acts on a call it matches; 1 unless given. */
  readonly probability?: number | undefined;
}

export interface JournalQuery<O extends OperationId = OperationId> {
  readonly operation?: O | undefined;
  readonly status?: number | undefined;
  /** The initiate that issued this token, and every verify that sent it. */
  readonly token?: string | undefined;
  readonly limit?: number | undefined;
}

export interface Expectation<O extends OperationId = OperationId> {
  readonly operation?: O | undefined;
  readonly status?: number | undefined;
  /** How many entries to wait for; 1 unless given. */
  readonly count?: number | undefined;
  /** How long to wait in real time, ISO 8601; `PT5S` unless given. */
  readonly timeout?: string | undefined;
}

export interface SandboxJournalQuery<O extends OperationId = OperationId> extends JournalQuery<O> {
  /** The id of a merchant whose entries alone are asked for. */
  readonly merchant?: number | undefined;
}

export interface RecordQuery {
  readonly family: Family;
  /** Only policies whose number contains this. */
  readonly policy_number?: string | undefined;
  /** 1 unless given. */
  readonly page?: number | undefined;
  /** 15 unless given, 100 at the most. */
  readonly per_page?: number | undefined;
}

/* What a sandbox answers to embedding code; what that asks stands in `public.ts`. */

/** A call that begins a purchase. */
export type InitiateOperationId = Extract<OperationId, `initiate${string}`>;

export interface ClockState {
  now: string;
  mode: 'running' | 'frozen';
}

export interface AdvancedClock extends ClockState {
  /** What lapsed on the way, in order. */
  effects: PurchaseExpired[];
}

/** A pending purchase whose fifteen minutes were over. */
export interface PurchaseExpired {
  kind: 'purchase_expired';
  /** The operation that initiated it. */
  operation: InitiateOperationId;
  token: string;
  at: string;
}

export type FaultEffect =
  | {
      kind: 'respond';
      status: number;
      /** Headers besides its own; one of the same name replaces it. */
      headers?: Record<string, string> | undefined;
      body?: unknown;
    }
  | { kind: 'delay'; ms: number }
  | { kind: 'drop' }
  | { kind: 'truncate' }
  | { kind: 'malformed' }
  | { kind: 'hang' };

export interface FaultRule {
  id: string;
  match: { operation?: OperationId | undefined; body?: Record<string, unknown> | undefined };
  stage: 'before' | 'after';
  effect: FaultEffect;
  /** How often it will still act. */
  times: number;
  probability: number;
}

/**
 * A call and its answer. Comparing `operation` with a name gives the bodies the types of that call.
 *
 * Those are the types of the contract. What a client got wrong or a fault broke is shown as it was, a text
 * where it was no JSON; keys and identity numbers are redacted unless the sandbox was told not to.
 */
export type JournalEntry<O extends OperationId | null = OperationId | null> =
  O extends OperationId | null ? JournalEntryOf<O> : never;

/** A call of one operation and its answer; `JournalEntry` is one of these. */
export interface JournalEntryOf<O extends OperationId | null> {
  /** Its `Sandbox-Request-Id`. */
  id: string;
  /** When the request came, by the World's clock. */
  at: string;
  /** Null for an unknown route. */
  operation: O;
  method: string;
  /** Path and query. */
  path: string;
  /** Null when no answer was made. */
  status: number | null;
  /** Milliseconds by the World's clock: 0 while it is frozen. */
  duration_ms: number;
  /** The fault that touched it; its `id` is null where a request header asked for it. */
  fault: { id: string | null; stage: 'before' | 'after'; effect: FaultEffect } | null;
  /** Headers are by their names in lower case; the body is null if there was none. */
  request: { headers: Record<string, string>; body: RequestBody<O> };
  response: { headers: Record<string, string>; body: ResponseBody<O> } | null;
}

type RequestBody<O> = O extends OperationId
  ? Exclude<Operations[O]['body'], undefined> | null
  : unknown;

/** `success` tells the two forms of an answer apart. */
type ResponseBody<O> = O extends OperationId
  ? Operations[O]['response'] | Operations[O]['failure'] | null
  : unknown;

export type SandboxJournalEntry<O extends OperationId | null = OperationId | null> =
  JournalEntry<O> & {
    /** Null for a call without a valid key. */
    merchant: { id: number; name: string } | null;
  };

export interface RecordPage {
  /** As the fullest answer of the merchant API shows each. */
  data: Record<string, unknown>[];
  page: number;
  per_page: number;
  last_page: number;
  /** How many policies there are on all pages. */
  total: number;
}

export interface PendingPurchase {
  /** The operation that initiated it. */
  operation: InitiateOperationId;
  token: string;
  initiated_at: string;
  /** When its fifteen minutes are over. */
  expires_at: string;
}

export interface AssumptionCount {
  id: string;
  question: string;
  decision: string;
  basis: 'evidence' | 'judgement';
  /** How many of this World's responses rested on it. */
  count: number;
  /** What it is set to, if it can be set. */
  setting?: unknown;
  /** What a profile may set it to. */
  alternatives?: unknown;
}

export interface MerchantState {
  id: number;
  name: string;
  api_key: string;
  clock: ClockState;
  /** Policies by family, and what else its World holds. */
  counts: MerchantCounts;
}

/** How much a World holds: its policies by family, and what else it remembers. */
export interface MerchantCounts extends Record<Family, number> {
  /** Purchases that were initiated and not yet verified. */
  pending: number;
  /** Fault rules that will still act. */
  faults: number;
  /** Entries of the journal. */
  exchanges: number;
}

/** A whole World as one document. What is inside `world` is the sandbox's own affair. */
export interface Snapshot {
  readonly version: 1;
  readonly world: Readonly<Record<string, unknown>>;
}
