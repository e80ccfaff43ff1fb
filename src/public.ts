import type { Family, OperationId, Operations } from './wire.ts';

export type * from './wire.ts';

/*
 * The public types, written out so that the published package needs no other types. A test compares them with the
 * schemas of the control plane.
 */

/** A moment: an ISO 8601 text with an offset or `Z`, a Date, or milliseconds since 1970-01-01T00:00:00Z. */
export type Moment = string | Date | number;

export interface SandboxOptions {
  /** Start time of every World's clock. Default: the current time. */
  readonly now?: Moment;
  /**
   * `running` (default): time passes. `frozen`: time changes only when you move it.
   *
   * A function becomes the sandbox's source of time. It returns a Date, or milliseconds since 1970-01-01T00:00:00Z.
   * Clocks are then `running`; `now` and `advance` add an offset. If the function goes back, clocks stand still until
   * it catches up. A call throws a TypeError if the function returns anything but a time; over HTTP the response is
   * 500. Such a call changes nothing.
   */
  readonly clock?: 'running' | 'frozen' | (() => number | Date);
  /** Seed of the random values in every World: a whole number from 0 to 4294967295. Default: 1. */
  readonly seed?: number;
  /** Fixture files by name, such as `products.json`. They replace the built-in files. */
  readonly fixtures?: Readonly<Record<string, unknown>>;
  /** If true, an unknown key opens a new World instead of returning 401. Default: false. */
  readonly autoMerchants?: boolean;
  /** The highest number of merchants, including the built-in ones. Default: 10,000. */
  readonly maxMerchants?: number;
  /** `exact` (default): initiate and top_up refuse an amount that is not the premium. `ignore`: they accept any. */
  readonly amountCheck?: 'exact' | 'ignore';
  /** The content of a profile file. It changes assumptions of the sandbox. */
  readonly profile?: unknown;
  /** Base of the page URLs in lists. Default: taken from each request. */
  readonly publicUrl?: string;
  /**
   * Token for admin calls, which concern the whole sandbox: creating and listing merchants, resetting all, reading all
   * calls. Without it they work from this machine only.
   */
  readonly adminToken?: string;
  /**
   * Allowed CORS origin of the merchant API, such as `http://localhost:5173`, or `*` for all. Default: none. The
   * control plane never allows CORS.
   */
  readonly cors?: string;
  /**
   * Whether the journal, events, `onCall` and log lines show keys and identity numbers as `[redacted]`. Default: true.
   * Journals in snapshots and state files are always redacted.
   */
  readonly redact?: boolean;
  /**
   * Called after every merchant-API call, including calls without a valid key, with the journal entry that
   * `sandbox.journal()` returns. Control-plane calls are not reported.
   *
   * The response does not wait for it. An error it throws becomes an unhandled rejection, which fails the run in most
   * test runners; the response stays the same.
   */
  readonly onCall?: (entry: SandboxJournalEntry) => void;
}

/** A sandbox in this process. It opens no port and starts no timer. */
export interface Sandbox {
  /**
   * Sends a request to the sandbox. It takes what the platform's `fetch` takes and can replace it. Relative URLs
   * resolve against `http://sandbox`; in an absolute URL only path and query matter.
   *
   * Rejects with a TypeError if the request is invalid, if a fault breaks the connection, or if the sandbox is closed.
   * Rejects with the reason of `signal` when it aborts.
   *
   * @example
   * const response = await sandbox.fetch('/api/merchant/…', {
   *   headers: { Authorization: `Bearer ${merchant.apiKey}` },
   * });
   */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Creates a merchant with a new key and its own World, so parallel tests cannot interfere.
   *
   * Throws `ControlError` 422 if a value is out of range, 409 if there are already `maxMerchants`.
   *
   * @example
   * const merchant = sandbox.createMerchant({ now: '2026-01-31T10:00:00Z', mode: 'frozen' });
   */
  createMerchant(options?: NewMerchant): Merchant;
  /**
   * Returns the merchant with this key. With `autoMerchants`, an unknown key creates one; otherwise it throws
   * `ControlError` 404.
   */
  merchant(apiKey: string): Merchant;
  /** Returns all merchants, ordered by id. */
  merchants(): Merchant[];
  /** Returns journal entries of one operation from all merchants, newest first. */
  journal<O extends OperationId>(
    query: SandboxJournalQuery<O> & { readonly operation: O },
  ): SandboxJournalEntry<O>[];
  /** Returns journal entries of all merchants and of calls without a valid key, newest first. */
  journal(query?: SandboxJournalQuery): SandboxJournalEntry[];
  /** Resets every World to its fixtures. Merchants and their keys stay. */
  resetAll(): void;
  /**
   * Closes the sandbox. Pending `journal.await` calls reject with `ControlError` 503, `hang` and `delay` faults end,
   * and event streams close. `fetch` then rejects with a TypeError; other methods still work.
   *
   * The sandbox of a server closes the server too.
   */
  close(): Promise<void>;
  /** Same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface NewMerchant {
  /** Default: `Merchant` and its id. */
  readonly name?: string | undefined;
  /** Records of the World at the start: `none` (default) or the `demo` records. */
  readonly records?: 'none' | 'demo' | undefined;
  /** Start time of the clock. Default: as in the options of the sandbox. */
  readonly now?: Moment | undefined;
  /** Whether time passes. Default: as in the options of the sandbox. */
  readonly mode?: 'running' | 'frozen' | undefined;
  /** Seed of the random values: a whole number from 0 to 4294967295. Default: the seed of the sandbox. */
  readonly seed?: number | undefined;
}

/**
 * A merchant and its World: records, clock, faults and journal. Each method does what the control-plane operation of
 * the same meaning does.
 *
 * On a server with a state file, methods that change something throw `ControlError` 507 if the file cannot be written.
 */
export interface Merchant {
  readonly id: number;
  readonly name: string;
  /** The API key of this merchant. Send it as `Authorization: Bearer <apiKey>`. */
  readonly apiKey: string;
  readonly clock: MerchantClock;
  readonly faults: MerchantFaults;
  readonly journal: MerchantJournal;
  /** Returns one page of a family's policies, newest first. It adds no journal entry. */
  records(query: RecordQuery): RecordPage;
  /** Returns the pending purchases; those that expire soonest come first. */
  purchases(): PendingPurchase[];
  /** Resets the World to its fixtures: records, clock, numbering, random state, faults and journal. */
  reset(): void;
  /** Returns the whole World as one JSON document. */
  snapshot(): Snapshot;
  /** Replaces the World with a snapshot. Throws `ControlError` 422 and changes nothing if the snapshot is invalid. */
  restore(snapshot: unknown): void;
  /** Returns every assumption of the sandbox, with the number of responses that used it. */
  assumptions(): AssumptionCount[];
  /** Replaces the key and returns the new one. The old key stops working. */
  rotateKey(): string;
  /** Removes the merchant and its World. Afterwards every method throws `ControlError` 404. */
  remove(): void;
  /** Returns id, name, key, clock and counts. */
  show(): MerchantState;
}

/** The clock of a World. It moves forward only; `merchant.reset()` sets it back to its start. */
export interface MerchantClock {
  /** Returns time and mode. */
  show(): ClockState;
  /** Sets mode, time or both. Throws `ControlError` 409 if `now` is before the current time. */
  set(change: ClockChange): ClockState;
  /**
   * Moves the clock forward by an ISO 8601 duration, or to a moment. Months and years are calendar units. Returns the
   * new time and the pending purchases that expired.
   *
   * Throws `ControlError` 422 if the duration or moment is invalid, 409 if `to` is before the current time.
   *
   * @example
   * merchant.clock.advance('PT15M');
   * merchant.clock.advance({ to: '2026-03-01T00:00:00Z' });
   */
  advance(by: string | { readonly by: string } | { readonly to: Moment }): AdvancedClock;
}

export interface ClockChange {
  /** The new time. It must not be before the current time. */
  readonly now?: Moment | undefined;
  /** Whether time passes. */
  readonly mode?: 'running' | 'frozen' | undefined;
}

/** The fault rules of a World. A rule breaks matching calls of this merchant. */
export interface MerchantFaults {
  /**
   * Adds a rule. Throws `ControlError` 422 if the rule is invalid.
   *
   * @example
   * // The policy is created, but the response is lost.
   * merchant.faults.add({
   *   match: { operation: 'verifyMotorPolicy' },
   *   stage: 'after',
   *   effect: { kind: 'drop' },
   * });
   */
  add(fault: NewFault): FaultRule;
  /** Returns the rules that can still act, in the order they are tried. */
  list(): FaultRule[];
  /** Removes a rule. Throws `ControlError` 404 if no rule has this id. */
  remove(id: string): void;
  /** Removes all rules. */
  clear(): void;
}

/** The merchant-API calls of a World. */
export interface MerchantJournal {
  /** Returns journal entries of one operation, newest first. */
  list<O extends OperationId>(
    query: JournalQuery<O> & { readonly operation: O },
  ): JournalEntry<O>[];
  /** Returns journal entries, newest first. */
  list(query?: JournalQuery): JournalEntry[];
  /**
   * Returns the entry with this `Sandbox-Request-Id`. Throws `ControlError` 404 if the journal does not have it. The
   * journal keeps the newest 1,000 calls.
   */
  get(id: string): JournalEntry;
  /** Deletes all entries. */
  clear(): void;
  /** Waits for calls of one operation. See the other overload. */
  await<O extends OperationId>(
    expectation: Expectation<O> & { readonly operation: O },
  ): Promise<JournalEntry<O>[]>;
  /**
   * Waits until the journal has `count` matching entries, then resolves with all matching entries, newest first.
   * Earlier calls count too.
   *
   * Rejects with `ControlError` 408 after `timeout`; its message names the nearest miss. Rejects with 503 if the
   * sandbox closes first.
   *
   * @example
   * const [entry] = await merchant.journal.await({ operation: 'verifyMotorPolicy', status: 200 });
   */
  await(expectation?: Expectation): Promise<JournalEntry[]>;
}

export interface NewFault {
  /** Which calls the rule matches. Default: all. */
  readonly match?:
    | {
        readonly operation?: OperationId | undefined;
        /** Fields that the request body must have, at any depth. */
        readonly body?: Record<string, unknown> | undefined;
      }
    | undefined;
  /**
   * `before`: the fault acts first, and the operation then runs only for `delay`. `after`: the operation runs, and the
   * fault acts on its response.
   */
  readonly stage: 'before' | 'after';
  readonly effect: FaultEffect;
  /** How many times the rule acts. Default: 1. */
  readonly times?: number | undefined;
  /** Probability that the rule acts on a matching call, from 0 to 1. Default: 1. */
  readonly probability?: number | undefined;
}

export interface JournalQuery<O extends OperationId = OperationId> {
  readonly operation?: O | undefined;
  /** HTTP status of the response. */
  readonly status?: number | undefined;
  /** A purchase token: finds the initiate that returned it and every verify that sent it. */
  readonly token?: string | undefined;
  /** The highest number of entries to return. */
  readonly limit?: number | undefined;
}

export interface Expectation<O extends OperationId = OperationId> {
  readonly operation?: O | undefined;
  /** HTTP status of the response. */
  readonly status?: number | undefined;
  /** How many entries to wait for. Default: 1. */
  readonly count?: number | undefined;
  /** How long to wait, as an ISO 8601 duration in real time. Default: `PT5S`. */
  readonly timeout?: string | undefined;
}

export interface SandboxJournalQuery<O extends OperationId = OperationId> extends JournalQuery<O> {
  /** The id of a merchant: returns its entries only. */
  readonly merchant?: number | undefined;
}

export interface RecordQuery {
  readonly family: Family;
  /** Returns only policies whose number contains this text. */
  readonly policy_number?: string | undefined;
  /** Default: 1. */
  readonly page?: number | undefined;
  /** Policies per page, at most 100. Default: 15. */
  readonly per_page?: number | undefined;
}

/* Types of what the methods return. */

/** An operation that starts a purchase. */
export type InitiateOperationId = Extract<OperationId, `initiate${string}`>;

export interface ClockState {
  /** The time of the World: ISO 8601, UTC, with milliseconds. */
  now: string;
  /** Whether time passes. */
  mode: 'running' | 'frozen';
}

export interface AdvancedClock extends ClockState {
  /** The pending purchases that expired, in order of time. */
  effects: PurchaseExpired[];
}

/** A pending purchase that expired, 15 minutes after it was initiated. */
export interface PurchaseExpired {
  kind: 'purchase_expired';
  /** The operation that initiated it. */
  operation: InitiateOperationId;
  /** Its purchase token. */
  token: string;
  /** When it expired. */
  at: string;
}

/**
 * What a fault does to a call:
 *
 * - `respond` sends this status, headers and body instead of the response
 * - `delay` sends the response `ms` milliseconds later, in real time
 * - `drop` closes the connection without a response
 * - `truncate` closes the connection after half the body
 * - `malformed` sends status 200 with broken JSON
 * - `hang` sends nothing until the client gives up
 */
export type FaultEffect =
  | {
      kind: 'respond';
      /** From 200 to 599. */
      status: number;
      /** Added to the headers of the response; they replace headers of the same name. */
      headers?: Record<string, string> | undefined;
      /** Any JSON. Default: a failure in the envelope of the operation. */
      body?: unknown;
    }
  | {
      kind: 'delay';
      /** Milliseconds of real time, from 0 to 600,000. */
      ms: number;
    }
  | { kind: 'drop' }
  | { kind: 'truncate' }
  | { kind: 'malformed' }
  | { kind: 'hang' };

export interface FaultRule {
  id: string;
  /** Which calls the rule matches. */
  match: { operation?: OperationId | undefined; body?: Record<string, unknown> | undefined };
  stage: 'before' | 'after';
  effect: FaultEffect;
  /** How many times the rule can still act. */
  times: number;
  /** Probability that the rule acts on a matching call, from 0 to 1. */
  probability: number;
}

/**
 * A merchant-API call: its request and its response. Comparing `operation` with a name narrows the types of both
 * bodies to that operation.
 *
 * The body types are those of the API. At run time a body can differ if the client sent something invalid or a fault
 * broke the response; a body that is not JSON is a text. Keys and identity numbers are `[redacted]` unless the sandbox
 * has `redact: false`.
 */
export type JournalEntry<O extends OperationId | null = OperationId | null> =
  O extends OperationId | null ? JournalEntryOf<O> : never;

/** A journal entry of one operation. `JournalEntry` is the union of these. */
export interface JournalEntryOf<O extends OperationId | null> {
  /** The `Sandbox-Request-Id` of the response. */
  id: string;
  /** When the request arrived, by the World's clock. */
  at: string;
  /** Null if no operation has this method and path. */
  operation: O;
  method: string;
  /** Path and query. */
  path: string;
  /** HTTP status of the response; null if there was no response. */
  status: number | null;
  /** Milliseconds by the World's clock; 0 while it is frozen. */
  duration_ms: number;
  /** The fault that acted on the call, if any. Its `id` is null if it came from the `Sandbox-Fault` request header. */
  fault: { id: string | null; stage: 'before' | 'after'; effect: FaultEffect } | null;
  /** Header names are in lower case. The body is null if the request had none. */
  request: { headers: Record<string, string>; body: RequestBody<O> };
  response: { headers: Record<string, string>; body: ResponseBody<O> } | null;
}

type RequestBody<O> = O extends OperationId
  ? Exclude<Operations[O]['body'], undefined> | null
  : unknown;

/** `success` distinguishes a response from a failure. */
type ResponseBody<O> = O extends OperationId
  ? Operations[O]['response'] | Operations[O]['failure'] | null
  : unknown;

export type SandboxJournalEntry<O extends OperationId | null = OperationId | null> =
  JournalEntry<O> & {
    /** Null if the call had no valid key. */
    merchant: { id: number; name: string } | null;
    /** Real milliseconds, unlike `duration_ms`; null for a call of a snapshot or of an earlier process. */
    elapsed_ms: number | null;
  };

export interface RecordPage {
  /** The policies of the page, each with all fields that the merchant API returns for it. */
  data: Record<string, unknown>[];
  page: number;
  per_page: number;
  last_page: number;
  /** Number of policies on all pages. */
  total: number;
}

/** A purchase that was initiated and not yet verified. */
export interface PendingPurchase {
  /** The operation that initiated it. */
  operation: InitiateOperationId;
  /** The purchase token that verify takes. */
  token: string;
  initiated_at: string;
  /** 15 minutes after `initiated_at`. */
  expires_at: string;
}

/** A question the contract leaves open, and what the sandbox does. */
export interface AssumptionCount {
  id: string;
  /** What the contract leaves open. */
  question: string;
  /** What the sandbox does. */
  decision: string;
  /** `evidence`: other public documentation of the same interface supports it. `judgement`: it is our own choice. */
  basis: 'evidence' | 'judgement';
  /** Number of responses in this World that used it. */
  count: number;
  /** Its current value, if a profile can set it. */
  setting?: unknown;
  /** The values that a profile can set. */
  alternatives?: unknown;
}

export interface MerchantState {
  id: number;
  name: string;
  api_key: string;
  clock: ClockState;
  counts: MerchantCounts;
}

/** What a World holds: the number of policies of each family, and of everything else. */
export interface MerchantCounts extends Record<Family, number> {
  /** Pending purchases. */
  pending: number;
  /** Fault rules that can still act. */
  faults: number;
  /** Journal entries. */
  exchanges: number;
}

/** A whole World as one JSON document. The content of `world` is internal and may change between versions. */
export interface Snapshot {
  readonly version: 1;
  readonly world: Readonly<Record<string, unknown>>;
}
