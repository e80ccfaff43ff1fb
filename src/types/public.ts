/* The public types. Those of both APIs are generated from the documents; here are the options, methods and generics. */

import type {
  AdvancedClock,
  AssumptionCount,
  ClockChangeJson,
  ClockMoved,
  ClockState,
  ControlCalls,
  ExpectationJson,
  FaultChanged,
  FaultRule,
  JournalEntryJson,
  JournalMessage,
  MerchantState,
  NewFault,
  NewMerchantJson,
  PendingPurchase,
  Product,
  RecordPageJson,
  Reset,
  SendChange,
  Snapshot,
  WorldReplaced,
  WorldRewound,
} from './control-wire.ts';
import type { Profile } from './profile.ts';
import type {
  Family,
  InitiateOperations,
  OperationId,
  Operations,
  Policies,
  SampledOperationId,
} from './wire.ts';

export type {
  AdvancedClock,
  AssumptionCount,
  ClockMoved,
  ClockState,
  CoverEnded,
  FaultChanged,
  FaultEffect,
  FaultRule,
  MerchantCounts,
  MerchantState,
  NewFault,
  PendingPurchase,
  PolicyCounts,
  Product,
  PurchaseExpired,
  RowChange,
  SendChange,
  Snapshot,
  WorldReplaced,
  WorldRewound,
} from './control-wire.ts';
export type { Profile } from './profile.ts';
export type * from './wire.ts';

/**
 * A moment: an ISO 8601 text with an offset or `Z`, a day like `2026-01-31` (its midnight UTC), a Date, or milliseconds
 * since 1970-01-01T00:00:00Z.
 */
export type Moment = string | Date | number;

/**
 * Fixture files by name, such as `products.json`. The built-in files replace missing files, and keys that a file leaves
 * out. A mistake throws a `FixtureError`.
 */
export type FixtureFiles = Readonly<Record<string, unknown>>;

export interface SandboxOptions {
  /** Start time of every World's clock. Default: the current time. */
  readonly now?: Moment | undefined;
  /**
   * `running` (default): time passes. `frozen`: time changes only when you move it.
   *
   * A function becomes the sandbox's source of time. It returns a Date, or milliseconds since 1970-01-01T00:00:00Z.
   * Clocks are then `running`; `now` and `advance` add an offset. If the function goes back, clocks that showed a later
   * time stand still until it catches up; new merchants and resets start at the time that is now. A call throws a
   * TypeError if the function returns anything but a time; over HTTP the response is 500. Such a call changes nothing.
   */
  readonly clock?: 'running' | 'frozen' | (() => number | Date) | undefined;
  /** Seed of the random values in every World: a whole number from 0 to 4294967295. Default: 1. */
  readonly seed?: number | undefined;
  /** Fixture files, in place of the built-in ones. */
  readonly fixtures?: FixtureFiles | undefined;
  /** If true, an unknown key opens a new World instead of returning 401. Default: false. */
  readonly autoMerchants?: boolean | undefined;
  /** The highest number of merchants, including the built-in ones. Default: 10,000. */
  readonly maxMerchants?: number | undefined;
  /** `exact` (default): initiate and top_up refuse an amount that is not the premium. `ignore`: they accept any. */
  readonly amountCheck?: 'exact' | 'ignore' | undefined;
  /** The content of a profile file. It changes assumptions of the sandbox. */
  readonly profile?: Profile | undefined;
  /** Base of the page URLs in lists. Default: taken from each request. */
  readonly publicUrl?: string | undefined;
  /**
   * Token for admin calls, which concern the whole sandbox: creating and listing merchants, resetting all, reading all
   * calls. Without it they work from this machine only. With it and without `seed`, nobody can guess the keys of new
   * merchants.
   */
  readonly adminToken?: string | undefined;
  /**
   * Allowed CORS origins of the merchant API and its documents: one such as `http://localhost:5173`, several, or `*` for
   * all. Default: none. The control plane never allows CORS.
   */
  readonly cors?: string | readonly string[] | undefined;
  /**
   * Whether the journal, events, `onCall` and log lines show keys and identity numbers as `[redacted]`. Default: true.
   * Journals in snapshots and state files are always redacted.
   */
  readonly redact?: boolean | undefined;
  /**
   * Called after every merchant-API call, including calls without a valid key, with the journal entry that
   * `sandbox.journal()` returns. Control-plane calls are not reported.
   *
   * The response does not wait for it. An error it throws becomes an unhandled rejection, which fails the run in most
   * test runners; the response stays the same.
   */
  readonly onCall?: ((entry: JournalEntry) => void) | undefined;
  /**
   * Logs each request, like the command's `--log`: `calls` writes one line, `bodies` adds the request and response
   * bodies, `json` writes one object per line. `createSandbox` writes with `console.log`, `startSandbox` to standard
   * output. `off` by default.
   */
  readonly log?: LogMode | 'off' | undefined;
}

/** How each request is logged: one line, one line and its bodies, or one JSON object. */
export type LogMode = 'calls' | 'bodies' | 'json';

/** Where a sandbox is: in this process, or behind a URL. */
export type SandboxPlace = 'process' | 'url';

/** What a method returns: the value in this process, a promise of it for a sandbox behind a URL. */
export type Returned<Value, Place extends SandboxPlace> = Place extends 'url'
  ? Promise<Value>
  : Value;

/** The methods of a sandbox, in this process or behind a URL. */
export interface SandboxMethods<Place extends SandboxPlace> {
  /**
   * Sends a request to the sandbox. It takes what the platform's `fetch` takes and can replace it. Relative URLs
   * resolve against `http://sandbox`; in an absolute URL only path and query matter. `data:` and `blob:` URLs go to the
   * platform's `fetch`.
   *
   * Rejects with a TypeError if the request is invalid, and with the reason of `signal` when it aborts. If a fault
   * breaks the connection or the sandbox is closed, it fails like the platform's `fetch`: with `TypeError: fetch failed`
   * and the `cause.code` `ECONNRESET` or `ECONNREFUSED`. A truncated body fails with `TypeError: terminated` and
   * `UND_ERR_SOCKET`.
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
  createMerchant(options?: NewMerchant): Returned<Merchant<Place>, Place>;
  /**
   * Returns the merchant with this key. With `autoMerchants`, an unknown key creates one; otherwise it throws
   * `ControlError` 404.
   */
  merchant(apiKey: string): Returned<Merchant<Place>, Place>;
  /** Returns all merchants, ordered by id. */
  merchants(): Returned<Merchant<Place>[], Place>;
  /** Returns journal entries and World events of all merchants, newest first. */
  journal<O extends OperationId>(
    query: SandboxJournalQuery<O> & { readonly events: true },
  ): Returned<(JournalEntry<O> | WorldEvent)[], Place>;
  /** Returns journal entries of one operation from all merchants, newest first. */
  journal<O extends OperationId>(
    query: SandboxJournalQuery<O> & { readonly operation: O },
  ): Returned<JournalEntry<O>[], Place>;
  /** Returns journal entries of all merchants and of calls without a valid key, newest first. */
  journal(query?: SandboxJournalQuery): Returned<JournalEntry[], Place>;
  /** Resets every World to its fixtures. Merchants and their keys stay. */
  resetAll(): Returned<void, Place>;
}

/** A sandbox in this process. It opens no port, and keeps the process alive only while calls are pending. */
export interface Sandbox extends SandboxMethods<'process'> {
  /**
   * Lets this sandbox answer the calls of `globalThis.fetch` to an origin. All other calls go where they went before.
   * Closing the sandbox ends what was not restored, with a warning.
   *
   * Throws `ControlError` 422 for a text that is no origin, 409 for an origin that a sandbox of this process answers.
   *
   * @example
   * using _ = sandbox.intercept('https://provider.example');
   */
  intercept(origin: string): Interception;
  /**
   * Closes the sandbox. Pending `journal.await` calls reject with `ControlError` 503, `hang` and `delay` faults end,
   * and event streams close. `fetch` then rejects with `TypeError: fetch failed`; other methods still work.
   *
   * The sandbox of a server closes the server too.
   */
  close(): Promise<void>;
  /** Same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** An origin that a sandbox answers in this process. */
export interface Interception {
  readonly origin: string;
  /** Lets calls to the origin through again. */
  restore(): void;
  /** Same as `restore`, for `using`. */
  [Symbol.dispose](): void;
}

/**
 * A sandbox behind a URL. Each method resolves with what the same method of a sandbox in this process returns, and
 * rejects with what that throws; with `ConnectError` if no sandbox answers.
 */
export interface RemoteSandbox extends SandboxMethods<'url'> {
  /** Its base URL without a trailing slash. */
  readonly url: string;
  /** Resolves with the merchant of this key, by default that of `connect`. */
  merchant(apiKey?: string): Promise<RemoteMerchant>;
}

/** A merchant of a sandbox behind a URL. */
export type RemoteMerchant = Merchant<'url'>;

/** Which sandbox to call, and as whom. */
export interface ConnectOptions {
  /** The base URL of the sandbox, such as `http://127.0.0.1:4015`. */
  readonly url: string;
  /** The key of the merchant that `merchant()` returns. */
  readonly key?: string | undefined;
  /** The token for admin calls, if the sandbox has one: creating and listing merchants, resetting all. */
  readonly adminToken?: string | undefined;
}

export interface NewMerchant extends Omit<NewMerchantJson, 'now' | 'api_key'> {
  /** Its key: printable ASCII text without spaces. `ControlError` 409 if it is another's. Default: a random key. */
  readonly apiKey?: string | undefined;
  /** Start time of the clock. Default: as in the options of the sandbox. */
  readonly now?: Moment | undefined;
}

/**
 * A merchant and its World: records, clock, faults and journal. Each method does what the control-plane operation of
 * the same meaning does.
 *
 * On a server with a state file, methods that change something throw `ControlError` 507 if the file cannot be written.
 */
export interface Merchant<Place extends SandboxPlace = 'process'> {
  readonly id: number;
  readonly name: string;
  /** The API key of this merchant. Send it as `Authorization: Bearer <apiKey>`. */
  readonly apiKey: string;
  readonly clock: MerchantClock<Place>;
  readonly faults: MerchantFaults<Place>;
  readonly journal: MerchantJournal<Place>;
  /**
   * Sends a call of the merchant API with the key of this merchant, and resolves with the response. `input` has the
   * fields of the body, the query or the path. A refused call is a result too: its `status` and `body` say why.
   *
   * Rejects with `ControlError` 422 if no operation has this name, with a TypeError if there is no response, because a
   * fault broke the connection or the sandbox is closed.
   *
   * @example
   * const { body } = await merchant.call('verifyMotorPolicy', { token });
   * if (body.success) console.log(body.data.policy_number);
   */
  call<O extends OperationId>(operation: O, input?: CallInput<O>): Promise<CallResult<O>>;
  /**
   * Sends a call like `call`, and resolves with the `data` of its response. Rejects with `RefusalError` if it is not a
   * success; the message has every problem, one per line.
   *
   * @example
   * const { token } = await merchant.data('initiateMotorPolicy', sampleRequests.initiateMotorPolicy);
   */
  data<O extends OperationId>(operation: O, input?: CallInput<O>): Promise<CallData<O>>;
  /**
   * Buys a policy with the two calls of the merchant API, and resolves with it, as `records` returns it. The request is
   * that of `sampleRequests` with these fields instead; a field that is undefined is left out. Unless given, the amount
   * is the premium, the product one that the World sells, and the first day of the cover today by its clock (UTC).
   *
   * Rejects with `RefusalError` if a call is not a success, `ControlError` 422 if no family has this name.
   *
   * @example
   * const policy = await merchant.buy('motor', { vehicle_make: 'Honda' });
   */
  buy<F extends Family>(family: F, fields?: CallInput<InitiateOperations[F]>): Promise<Policies[F]>;
  /**
   * `sandbox.fetch` with the key of this merchant, for requests without `Authorization`. Pass it to clients that accept a fetch.
   *
   * @example
   * const response = await merchant.fetch('/api/merchant/get_comprehensive_motor_policies');
   */
  readonly fetch: typeof globalThis.fetch;
  /** Returns one page of a family's policies, newest first. It adds no journal entry. */
  records<F extends Family>(query: RecordQuery<F>): Returned<RecordPage<F>, Place>;
  /** Returns the pending purchases; those that expire soonest come first. */
  purchases(): Returned<PendingPurchase[], Place>;
  /** Returns the catalogue of the World with its prices, ordered by id. */
  products(): Returned<Product[], Place>;
  /**
   * Resets the World to its fixtures: records, clock, numbering, random state, faults and journal. With `records` it
   * starts with those instead, until the next reset.
   */
  reset(start?: Reset): Returned<void, Place>;
  /**
   * Takes the World back to the moment before a call: records, pending purchases, tokens, numbering, random state,
   * faults, journal and the time of the clock. Returns the clock, whose mode stays.
   *
   * @param to the `Sandbox-Request-Id` of the call: `id` of its journal entry
   *
   * Throws `ControlError` 404 if the journal does not have the call, 409 if the World no longer remembers that moment: it
   * remembers its last 1,000 changes, and a reset forgets them.
   *
   * @example
   * const [refused] = merchant.journal.list({ status: 422 });
   * if (refused) merchant.rewind(refused.id);
   */
  rewind(to: string): Returned<ClockState, Place>;
  /** Returns the whole World as one JSON document. */
  snapshot(): Returned<Snapshot, Place>;
  /** Replaces the World with a snapshot. Throws `ControlError` 422 and changes nothing if the snapshot is invalid. */
  restore(snapshot: unknown): Returned<void, Place>;
  /** Returns every assumption of the sandbox, with the number of responses that used it. */
  assumptions(): Returned<AssumptionCount[], Place>;
  /** Replaces the key and returns the new one. The old key stops working. */
  rotateKey(): Returned<string, Place>;
  /** Removes the merchant and its World. Afterwards every method throws `ControlError` 404. */
  remove(): Returned<void, Place>;
  /** Returns id, name, key, clock and counts. */
  show(): Returned<MerchantState, Place>;
}

/** The clock of a World. It moves forward only; `merchant.rewind()` and `merchant.reset()` set it back. */
export interface MerchantClock<Place extends SandboxPlace = 'process'> {
  /** Returns time and mode. */
  show(): Returned<ClockState, Place>;
  /** Sets mode, time or both. Throws `ControlError` 409 if `now` is before the current time. */
  set(change: ClockChange): Returned<ClockState, Place>;
  /**
   * Moves the clock forward by an ISO 8601 duration, to a moment, or just past the next event of the World: a pending
   * purchase expires, or a cover ends. Months and years are calendar units. Returns the new time, the pending purchases that expired and the policies whose cover ended.
   *
   * Throws `ControlError` 422 if the duration or moment is invalid, 409 if `to` is before the current time, or
   * `next` and nothing lies ahead.
   *
   * @example
   * merchant.clock.advance('PT15M');
   * merchant.clock.advance({ to: '2026-03-01T00:00:00Z' });
   * merchant.clock.advance({ to: 'next' });
   */
  advance(
    by:
      | string
      | { readonly by: string; readonly to?: undefined }
      | { readonly by?: undefined; readonly to: Moment },
  ): Returned<AdvancedClock, Place>;
}

export interface ClockChange extends Omit<ClockChangeJson, 'now'> {
  /** The new time. It must not be before the current time. */
  readonly now?: Moment | undefined;
}

/** The fault rules of a World. A rule breaks matching calls of this merchant. */
export interface MerchantFaults<Place extends SandboxPlace = 'process'> {
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
  add(fault: NewFault): Returned<FaultRule, Place>;
  /** Returns the rules that can still act, in the order they are tried. */
  list(): Returned<FaultRule[], Place>;
  /** Removes a rule. Throws `ControlError` 404 if no rule has this id. */
  remove(id: string): Returned<void, Place>;
  /** Removes all rules. */
  clear(): Returned<void, Place>;
}

/** The merchant-API calls of a World. */
export interface MerchantJournal<Place extends SandboxPlace = 'process'> {
  /** Returns journal entries and, in their places, World events, newest first. */
  list<O extends OperationId>(
    query: JournalQuery<O> & { readonly events: true },
  ): Returned<(JournalEntry<O> | WorldEvent)[], Place>;
  /** Returns journal entries of one operation, newest first. */
  list<O extends OperationId>(
    query: JournalQuery<O> & { readonly operation: O },
  ): Returned<JournalEntry<O>[], Place>;
  /** Returns journal entries, newest first. */
  list(query?: JournalQuery): Returned<JournalEntry[], Place>;
  /**
   * Returns journal entries as text, oldest first: what was called, why it was refused, what it sent, what came back and
   * what it changed. With `events`, what happened to the World stands between the calls.
   *
   * @example
   * console.log(merchant.journal.text());
   */
  text(query?: JournalQuery & { readonly events?: boolean | undefined }): Returned<string, Place>;
  /**
   * Returns the entry with this `Sandbox-Request-Id`. Throws `ControlError` 404 if the journal does not have it. The
   * journal keeps the newest 1,000 calls.
   */
  get(id: string): Returned<JournalEntry, Place>;
  /** Deletes all entries. */
  clear(): Returned<void, Place>;
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
  /**
   * Sends a call again as it was sent, with its hidden values and the present key, or with another body. Resolves with
   * the new entry once the call has its response or has lost it. A fault that its header asked for is left out; `fault`
   * acts in place of the fault rules.
   *
   * Rejects with `ControlError` 404 if the journal does not have the call, 409 if it has no World, comes from a snapshot
   * or its body was not read.
   *
   * @param id the `Sandbox-Request-Id` of the call
   *
   * @example
   * const [lost] = merchant.journal.list({ status: 'lost' });
   * if (lost) await merchant.journal.send(lost.id); // refused: the token has already been used
   */
  send(id: string, change?: SendChange): Promise<JournalEntry>;
}

/** `Whole` with fields of more exact types. */
type Narrowed<Whole, Fields> = Omit<Whole, keyof Fields> & Fields;

export interface JournalQuery<O extends OperationId = OperationId>
  extends Narrowed<
    Omit<ControlCalls['GET /_sandbox/journal']['query'], 'format' | 'events'>,
    ByOperation<O>
  > {}

/** Something that happened to a World between its calls: `kind` says what, `summary` says it in words. */
export type WorldEvent = ClockMoved | WorldReplaced | WorldRewound | FaultChanged;

/** What to wait for. Its `timeout` is real time, even under fake timers. */
export interface Expectation<O extends OperationId = OperationId>
  extends Narrowed<ExpectationJson, ByOperation<O>> {}

export interface SandboxJournalQuery<O extends OperationId = OperationId>
  extends Narrowed<
    Omit<ControlCalls['GET /_sandbox/journal/all']['query'], 'events'>,
    ByOperation<O>
  > {}

interface ByOperation<O extends OperationId> {
  readonly operation?: O | undefined;
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
export interface JournalEntryOf<O extends OperationId | null>
  extends Narrowed<JournalEntryJson, CallOf<O>> {}

/** The parts of an entry that depend on its operation. */
interface CallOf<O extends OperationId | null> {
  /** Null if no operation has this method and path. */
  operation: O;
  /** Header names are in lower case. The body is null if the request had none. */
  request: Narrowed<JournalMessage, { body: RequestBody<O> }>;
  /** Null if there was no response. */
  response: Narrowed<JournalMessage, { body: ResponseBody<O> }> | null;
}

type RequestBody<O> = O extends OperationId
  ? Exclude<Operations[O]['body'], undefined> | null
  : unknown;

/** `success` distinguishes a response from a failure. */
type ResponseBody<O> = O extends OperationId
  ? Operations[O]['response'] | Operations[O]['failure'] | null
  : unknown;

/** The response to a call. */
export interface CallResult<O extends OperationId = OperationId> {
  readonly status: number;
  /**
   * `success` distinguishes a response from a failure. If a fault broke the response, the body is what was sent
   * instead; a body that is not JSON is a text.
   */
  readonly body: Operations[O]['response'] | Operations[O]['failure'];
  readonly headers: Headers;
}

/** The `data` of a success. */
export type CallData<O extends OperationId = OperationId> = O extends OperationId
  ? Operations[O]['response']['data']
  : never;

/** A request of each quote and initiate by its operationId, which a new World accepts. */
export type SampleRequests = {
  readonly [O in SampledOperationId]: Present<Operations[O]['body']>;
};

/** The same object with no field that is undefined, for generated clients under `exactOptionalPropertyTypes`. */
type Present<Body> = { readonly [Field in keyof Body]: Exclude<Body[Field], undefined> };

/**
 * What a call takes: the fields of its body, its query or its path. All are optional, so that a test can leave one out
 * and see the refusal.
 */
export type CallInput<O extends OperationId = OperationId> = O extends OperationId
  ? {
      readonly [Part in 'body' | 'query' | 'params']: Operations[O][Part] extends undefined
        ? never
        : Fields<Exclude<Operations[O][Part], undefined>>;
    }['body' | 'query' | 'params']
  : never;

type Fields<Input> = { readonly [Name in keyof Input]?: Input[Name] | undefined };

export interface RecordQuery<F extends Family = Family>
  extends Narrowed<ControlCalls['GET /_sandbox/records']['query'], { readonly family: F }> {}

export interface RecordPage<F extends Family = Family>
  extends Narrowed<RecordPageJson, { data: Policies[F][] }> {}
