/*
 * Written by `npm run docs` from the published document, openapi/control-plane.json. To change something here,
 * change the schemas of the routes.
 *
 * What the control plane takes and returns.
 */

import type { Family, InitiateOperationId, OperationId } from './wire.ts';

/** How far to move the clock. Send either `by` or `to`. */
export interface Advance {
  /** How far to move. Months and years are calendar units. Example: `'PT15M'`. */
  by?: string | undefined;
  /**
   * The new time. It must not be before the current time. A day means its midnight UTC. `next` is
   * just past the next event of the World: a pending purchase expires, or a cover ends. Example:
   * `'2026-01-31T10:00:00.000Z'`.
   */
  to?: string | undefined;
}

/** The clock after it was moved, and what expired or ended. */
export interface AdvancedClock {
  /** The time of the World. Example: `'2026-01-31T10:00:00.000Z'`. */
  now: string;
  /** Whether time passes. */
  mode: 'running' | 'frozen';
  /**
   * The pending purchases that expired and the policies whose cover ended, in order of time; the
   * first 100.
   */
  effects: (PurchaseExpired | CoverEnded)[];
  /** The number of effects beyond those in `effects`. */
  more: number;
}

/**
 * Moves the clock of the World forward, before the call is handled: a purchase token may expire on
 * the way. The stage must be `before`.
 */
export interface AdvanceEffect {
  kind: 'advance';
  /** How far the clock moves. Months and years are calendar units. Example: `'P1D'`. */
  by: string;
}

/** A question the contract leaves open, and what the sandbox does. */
export interface AssumptionCount {
  id: string;
  /** What the contract leaves open. */
  question: string;
  /** What the sandbox does. */
  decision: string;
  /**
   * `evidence`: other public documentation of the same interface supports it. `judgement`: it is
   * our own choice.
   */
  basis: 'evidence' | 'judgement';
  /** Number of responses in this World that used it. */
  count: number;
  /** Its current value, if a profile can set it. */
  setting?: unknown;
  /** The values that a profile can set. */
  alternatives?: unknown;
}

export interface AssumptionCountList {
  data: AssumptionCount[];
}

/** The new mode, the new time or both. */
export interface ClockChangeJson {
  /** Whether time passes. */
  mode?: 'running' | 'frozen' | undefined;
  /**
   * The new time. It must not be before the current time. A day means its midnight UTC. Example:
   * `'2026-01-31T10:00:00.000Z'`.
   */
  now?: string | undefined;
}

/** The clock was moved, or its mode changed. */
export interface ClockMoved {
  /** When it happened, by the World's clock after it. Example: `'2026-01-31T10:00:00.000Z'`. */
  at: string;
  /** A merchant by id and name. */
  merchant: MerchantName;
  /** What happened: `clock +15 min, 1 purchase expired`. */
  summary: string;
  kind: 'clock';
  /** The time before it. Example: `'2026-01-31T10:00:00.000Z'`. */
  from: string;
  /** The time after it: `from`, if only the mode changed. Example: `'2026-01-31T10:00:00.000Z'`. */
  to: string;
  /** Whether time passes. */
  mode: 'running' | 'frozen';
  /**
   * The pending purchases that expired and the policies whose cover ended, in order of time; the
   * first 100.
   */
  effects: (PurchaseExpired | CoverEnded)[];
  /** The number of effects beyond those in `effects`. */
  more: number;
}

/** Time and mode of a clock. */
export interface ClockState {
  /** The time of the World. Example: `'2026-01-31T10:00:00.000Z'`. */
  now: string;
  /** Whether time passes. */
  mode: 'running' | 'frozen';
}

/** A policy whose cover ended when the clock moved. */
export interface CoverEnded {
  kind: 'cover_ended';
  /** The product family. Example: `'group_life'`. */
  family: Family;
  /** Its policy number. */
  policy_number: string;
  /**
   * When the cover ended. A renewal at that moment is late. Example: `'2026-01-31T10:00:00.000Z'`.
   */
  at: string;
}

/** Sends the response `ms` milliseconds later, in real time. */
export interface DelayEffect {
  kind: 'delay';
  /** Example: `2000`. */
  ms: number;
}

/**
 * Resets the connection without sending a response body. On a connection that has served an earlier
 * call, the headers are sent first, because browsers would send the request again. Not available
 * on Workers, where the sandbox has no connection to reset.
 */
export interface DropEffect {
  kind: 'drop';
}

/** The fault that acted on a call. */
export interface ExchangeFault {
  /** Null if it came from the `Sandbox-Fault` request header. */
  id: string | null;
  stage: 'before' | 'after';
  /** What the fault does to a call. */
  effect: FaultEffect;
}

/** Which calls to wait for, and how long. */
export interface ExpectationJson {
  /** An operationId of the merchant API. */
  operation?: OperationId | undefined;
  /** The HTTP status of the response. */
  status?: number | undefined;
  /** How many calls to wait for. Default: 1. */
  count?: number | undefined;
  /** How long to wait, in real time. Default: PT2S. */
  timeout?: string | undefined;
}

/**
 * A fault rule was added or removed. The rule lacks what may be large or secret: `match.body`,
 * `match.query`, and headers and body of a response.
 */
export interface FaultChanged {
  /** When it happened, by the World's clock after it. Example: `'2026-01-31T10:00:00.000Z'`. */
  at: string;
  /** A merchant by id and name. */
  merchant: MerchantName;
  /** What happened: `clock +15 min, 1 purchase expired`. */
  summary: string;
  kind: 'fault_added' | 'fault_removed';
  /** A fault rule that can still act. */
  rule: FaultRule;
}

/** What the fault does to a call. */
export type FaultEffect =
  | RespondEffect
  | DelayEffect
  | DropEffect
  | TruncateEffect
  | MalformedEffect
  | HangEffect
  | AdvanceEffect;

export interface FaultList {
  data: FaultRule[];
}

/** Which calls the rule matches. Without fields it matches all. */
export interface FaultMatch {
  /** An operationId of the merchant API. */
  operation?: OperationId | undefined;
  /** Fields and values that the request body must have, at any depth. */
  body?: Record<string, unknown> | undefined;
  /**
   * Parameters that the query must have, with their values as texts. Of a repeated parameter the
   * last value counts.
   */
  query?: Record<string, string> | undefined;
}

/** A fault rule that can still act. */
export interface FaultRule {
  id: string;
  /** Which calls the rule matches. Without fields it matches all. */
  match: FaultMatch;
  stage: 'before' | 'after';
  /** What the fault does to a call. */
  effect: FaultEffect;
  /** How many calls that reach the rule still pass first. */
  skip: number;
  /** How many times the rule can still act. */
  times: number;
  /** Probability that the rule acts on a matching call, from 0 to 1. */
  probability: number;
}

/** Sends nothing until the client gives up. */
export interface HangEffect {
  kind: 'hang';
}

/**
 * A merchant-API call: its request, its response and what it changed. Keys and identity numbers are
 * redacted unless redaction is off.
 */
export interface JournalEntryJson {
  /** The `Sandbox-Request-Id` of the response. */
  id: string;
  /** Null if the call had no valid key. */
  merchant: MerchantName | null;
  /** When the request arrived, by the World's clock. Example: `'2026-01-31T10:00:00.000Z'`. */
  at: string;
  /** The operationId; null if no operation has this method and path. */
  operation: OperationId | null;
  method: string;
  /** Path and query. */
  path: string;
  /** The HTTP status; null if there was no response. */
  status: number | null;
  /** Milliseconds by the World's clock; 0 while it is frozen. */
  duration_ms: number;
  /**
   * When the request arrived, in real time; null for a call of a snapshot or of an earlier run.
   * Example: `'2026-01-31T10:00:00.000Z'`.
   */
  received_at: string | null;
  /** Real milliseconds; null for a call of a snapshot or of an earlier run. */
  elapsed_ms: number | null;
  fault: ExchangeFault | null;
  /** What the caller probably meant: `Sandbox-Hint` of the response. */
  hint: string | null;
  /** The ids of the assumptions behind the response: `Sandbox-Assumptions`. */
  assumptions: string[];
  /**
   * Why the service refused the call. Empty for a success, and for a response that a fault made.
   */
  problems: JournalProblem[];
  /**
   * Why a token was refused, in what the merchant cannot know: the call that used it and the policy
   * that it bought, or when it expired.
   */
  cause?: string | undefined;
  /**
   * What the call was about: `Ada Obi · ₦700 · monthly`, or `15 of 38 listed`. Empty if it tells
   * nothing.
   */
  summary: string;
  /**
   * What the call changed: policies, pending purchases, used tokens and uses of fault rules. A lost
   * response does not undo it.
   */
  changes: RowChange[];
  /** The headers and body of a request or response. */
  request: JournalMessage;
  response: JournalMessage | null;
}

export interface JournalEntryList {
  data: JournalEntryJson[];
}

export interface JournalItemList {
  data: (JournalEntryJson | ClockMoved | WorldReplaced | WorldRewound | FaultChanged)[];
}

/** The headers and body of a request or response. */
export interface JournalMessage {
  /** Header values by name; names are in lower case. */
  headers: Record<string, string>;
  /**
   * JSON, or a text if it is not JSON; null if there was none. A body larger than 1 MiB is cut and
   * shown as a text.
   */
  body: unknown;
}

/** One reason why a call was refused. */
export interface JournalProblem {
  /** The rule that was broken, such as `required`, `format`, `range`, `premium` or `token_used`. */
  rule: string;
  /** The field it is about, with the place inside it: `members.3.gender`. */
  field?: string | undefined;
  message: string;
}

/** Sends status 200 with broken JSON. */
export interface MalformedEffect {
  kind: 'malformed';
}

/** What a World holds: the number of policies of each family, and of everything else. */
export interface MerchantCounts {
  /** Micro-health policies. */
  micro_health: number;
  /** Comprehensive motor policies. */
  motor: number;
  /** Group life policies. */
  group_life: number;
  /** Pending purchases. */
  pending: number;
  /** Fault rules that can still act. */
  faults: number;
  /** Journal entries. */
  exchanges: number;
}

export interface MerchantList {
  data: MerchantState[];
}

/** A merchant by id and name. */
export interface MerchantName {
  id: number;
  name: string;
}

/** A merchant with its key, clock and counts. */
export interface MerchantState {
  id: number;
  name: string;
  api_key: string;
  /** Time and mode of a clock. */
  clock: ClockState;
  /** What a World holds: the number of policies of each family, and of everything else. */
  counts: MerchantCounts;
}

/** The premiums of a product for a number of users, in naira. */
export interface MicroHealthPremiums {
  /** Number of people covered: the principal and the beneficiaries. */
  users: number;
  monthly: number;
  quarterly: number;
  annually: number;
}

/** A new fault rule. */
export interface NewFault {
  /** Which calls the rule matches. Without fields it matches all. */
  match?: FaultMatch | undefined;
  /**
   * `before`: the fault acts first, and the operation then runs only for `delay` and `advance`.
   * `after`: the operation runs, and the fault acts on its response.
   */
  stage: 'before' | 'after';
  /** What the fault does to a call. */
  effect: FaultEffect;
  /**
   * How many calls that reach the rule pass first. No random number is drawn for them. Default: 0.
   */
  skip?: number | undefined;
  /** How many times the rule acts. Default: 1. */
  times?: number | undefined;
  /**
   * Probability that the rule acts on a matching call, from 0 to 1, drawn from the random state of
   * the World. Default: 1.
   */
  probability?: number | undefined;
}

/** A new merchant. Every field is optional. */
export interface NewMerchantJson {
  name?: string | undefined;
  /** Its key. Default: a new random key. */
  api_key?: string | undefined;
  /**
   * Records at the start: `none`, the `demo` records, or the number of policies of each family.
   * Those are bought by made-up customers in the year before the start of the clock. Default:
   * none.
   */
  records?: 'none' | 'demo' | PolicyCounts | undefined;
  /**
   * Start time of its clock. Default: as the sandbox was started. A day means its midnight UTC.
   * Example: `'2026-01-31T10:00:00.000Z'`.
   */
  now?: string | undefined;
  /** Whether time passes. */
  mode?: 'running' | 'frozen' | undefined;
  seed?: number | undefined;
}

/** A purchase that was initiated and not yet verified. */
export interface PendingPurchase {
  /** The operation that initiated it. */
  operation: InitiateOperationId;
  /** The purchase token that verify takes. */
  token: string;
  /** The product that is bought. */
  product_id: number;
  /** Who it is for: a name that policies have too. */
  holder: string;
  /** The premium in naira. Null for a product without prices. */
  premium: number | null;
  /** When it was initiated. Example: `'2026-01-31T10:00:00.000Z'`. */
  initiated_at: string;
  /** When it expires: 15 minutes after `initiated_at`. Example: `'2026-01-31T10:00:00.000Z'`. */
  expires_at: string;
}

export interface PendingPurchaseList {
  data: PendingPurchase[];
}

/** The number of policies of each family, at most 10,000. Default: 0. */
export interface PolicyCounts {
  /** Micro-health policies to buy. Example: `40`. */
  micro_health?: number | undefined;
  /** Comprehensive motor policies to buy. Example: `40`. */
  motor?: number | undefined;
  /** Group life policies to buy. Example: `40`. */
  group_life?: number | undefined;
}

/** Why a request was refused (RFC 9457). */
export interface ProblemDocument {
  /** Example: `'about:blank'`. */
  type: string;
  /** The HTTP status in words. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** What is wrong, or what to do about it. */
  detail: string;
  /** Every problem of the request; `detail` repeats the first. */
  errors?: string[] | undefined;
}

/** A product of the catalogue of a World, with its prices. */
export interface Product {
  id: number;
  /** The product family. */
  family: Family;
  name: string;
  /** Whether it can be bought. */
  enabled: boolean;
  /** Premiums in naira by number of users. */
  premiums?: MicroHealthPremiums[] | undefined;
  /** Premium as a share of the value of the vehicle. Null without one. */
  rate?: number | null | undefined;
}

export interface ProductList {
  data: Product[];
}

/** A pending purchase that expired when the clock moved. */
export interface PurchaseExpired {
  kind: 'purchase_expired';
  /** The operation that initiated it. */
  operation: InitiateOperationId;
  /** The purchase token that verify takes. */
  token: string;
  /** When it expired: 15 minutes after it was initiated. Example: `'2026-01-31T10:00:00.000Z'`. */
  at: string;
}

/** A page of policies of one family. */
export interface RecordPageJson {
  /**
   * The policies of the page, newest first, each with all fields that the merchant API returns for
   * it.
   */
  data: Record<string, unknown>[];
  /** The requested page. */
  page: number;
  /** The highest number of policies on a page. */
  per_page: number;
  /** The number of pages; 1 if there are no policies. */
  last_page: number;
  /** The number of policies on all pages. */
  total: number;
}

/** What the World starts with. Default: as its merchant was created. */
export interface Reset {
  /**
   * Records at the start: `none`, the `demo` records, or the number of policies of each family.
   * Those are bought by made-up customers in the year before the start of the clock. Default:
   * none.
   */
  records?: 'none' | 'demo' | PolicyCounts | undefined;
}

/** Sends this status, headers and body instead of the response. */
export interface RespondEffect {
  kind: 'respond';
  /** Example: `503`. */
  status: number;
  /**
   * Added to the headers of the response; they replace headers of the same name. At most 50, in
   * ASCII, of 8 KiB together.
   */
  headers?: Record<string, string> | undefined;
  /**
   * Any JSON. A text is sent as it is if `headers` has a Content-Type that is not JSON: `text/html`
   * for the HTML page of a gateway. Default: a failure in the envelope of the operation.
   */
  body?: unknown;
}

/** The call before which the World should be. */
export interface Rewind {
  /** The `Sandbox-Request-Id` of a call in the journal. Example: `'req-3-2'`. */
  to: string;
}

/** One thing that a call added, changed or removed. */
export interface RowChange {
  change: 'added' | 'changed' | 'removed';
  /**
   * `<family>.policies`, `<family>.pending` (purchases), `<family>.used` (tokens) or `faults`
   * (rules).
   */
  table: string;
  /** The policy number, the purchase token, or the id of the fault rule. */
  key: string;
  /** The fields that changed, as they were: `subscriptions.end_date`. */
  before?: Record<string, unknown> | undefined;
  /** The fields that changed, as they are. */
  after?: Record<string, unknown> | undefined;
}

/** What is different this time. */
export interface SendChange {
  /**
   * The body in place of the one that was sent: JSON, or its text. A value that the journal hides,
   * `[redacted]`, is sent as it was.
   */
  body?: unknown;
  /** The fault that acts on a call, in place of the fault rules. */
  fault?: SentFault | undefined;
}

/** The fault that acts on a call, in place of the fault rules. */
export interface SentFault {
  stage: 'before' | 'after';
  /** What the fault does to a call. */
  effect: FaultEffect;
}

/** A whole World as one JSON document, version 2. */
export interface Snapshot {
  /** The version of the format. */
  version: 2;
  /**
   * The whole World, table by table: a list of records, or an object of values by key. The content
   * is internal and may change between versions.
   */
  world: Record<string, unknown>;
  /** The failed test that a test kit saved it for: name, attempt, file, line, error. */
  test?: Record<string, unknown> | undefined;
}

/** Closes the connection after half the body. Not available on Workers. */
export interface TruncateEffect {
  kind: 'truncate';
}

/** The World was reset, or restored from a snapshot. */
export interface WorldReplaced {
  /** When it happened, by the World's clock after it. Example: `'2026-01-31T10:00:00.000Z'`. */
  at: string;
  /** A merchant by id and name. */
  merchant: MerchantName;
  /** What happened: `clock +15 min, 1 purchase expired`. */
  summary: string;
  kind: 'reset' | 'restore';
}

/** The World was taken back to before a call. */
export interface WorldRewound {
  /** When it happened, by the World's clock after it. Example: `'2026-01-31T10:00:00.000Z'`. */
  at: string;
  /** A merchant by id and name. */
  merchant: MerchantName;
  /** What happened: `clock +15 min, 1 purchase expired`. */
  summary: string;
  kind: 'rewind';
  /** The `Sandbox-Request-Id` of the call before which the World is. */
  to: string;
}

/** Every call of the control plane by its method and path: what it takes, and what it answers. */
export interface ControlCalls {
  /** List merchants. Returns merchants ordered by id, each with its key, clock and counts. */
  'GET /_sandbox/merchants': {
    body: undefined;
    query: {
      /**
       * The page to list or reset, with 100 merchants per page; the last page has fewer. Default:
       * all merchants. If the Worlds are spread over many machines, the list defaults to page 1,
       * and resetting more than 100 merchants requires a page.
       */
      page?: number | undefined;
    };
    params: undefined;
    response: MerchantList;
  };
  /**
   * Create a merchant. Creates a merchant with a new or the given key and its own World. The body
   * is optional. By default the World has no records, and its clock starts as the sandbox was
   * started.
   */
  'POST /_sandbox/merchants': {
    body: NewMerchantJson | undefined;
    query: undefined;
    params: undefined;
    response: MerchantState;
  };
  /** Remove a merchant and its World. Its key stops working. */
  'DELETE /_sandbox/merchants/{id}': {
    body: undefined;
    query: undefined;
    params: {
      /** The id of a merchant. Example: `'3'`. */
      id: string;
    };
    response: undefined;
  };
  /**
   * Replace the key of a merchant. Returns the merchant with its new key. The old key is blocked at
   * once. The World stays as it is.
   */
  'POST /_sandbox/merchants/{id}/rotate_key': {
    body: undefined;
    query: undefined;
    params: {
      /** The id of a merchant. Example: `'3'`. */
      id: string;
    };
    response: MerchantState;
  };
  /**
   * Reset every World. Resets every World to its fixtures, as POST /_sandbox/reset does. Merchants
   * and their keys stay.
   */
  'POST /_sandbox/reset_all': {
    body: undefined;
    query: {
      /**
       * The page to list or reset, with 100 merchants per page; the last page has fewer. Default:
       * all merchants. If the Worlds are spread over many machines, the list defaults to page 1,
       * and resetting more than 100 merchants requires a page.
       */
      page?: number | undefined;
    };
    params: undefined;
    response: MerchantList;
  };
  /**
   * List the journal of all merchants. Returns merchant-API calls of all Worlds, newest first,
   * including the newest 1,000 calls without a valid key, whose request bodies are not read. A
   * list ends after 8 MiB of bodies.
   */
  'GET /_sandbox/journal/all': {
    body: undefined;
    query: {
      /** An operationId of the merchant API. */
      operation?: OperationId | undefined;
      /** The HTTP status of the response; `lost`: the client got no complete one. */
      status?: number | 'lost' | undefined;
      /** A purchase token: finds the initiate that returned it and every verify that sent it. */
      token?: string | undefined;
      /** The highest number of entries to return. Default: 100. */
      limit?: number | undefined;
      /**
       * Whether the list has the World events too, in their places: moves of the clock, resets,
       * rewinds, restores, faults added and removed. Filters select calls, not events. Default:
       * false.
       */
      events?: boolean | undefined;
      /** The id of a merchant: only its calls and changes. Example: `3`. */
      merchant?: number | undefined;
    };
    params: undefined;
    response: JournalItemList;
  };
  /**
   * Get the clock of a World. A frozen clock shows the same time until you move it. A running clock
   * goes on from where it was set.
   */
  'GET /_sandbox/clock': {
    body: undefined;
    query: undefined;
    params: undefined;
    response: ClockState;
  };
  /**
   * Set the clock of a World. Freezes the clock, lets it run, or moves it forward. A `now` before
   * the current time returns 409 and changes nothing. Pending purchases whose 15 minutes pass
   * expire.
   */
  'PUT /_sandbox/clock': {
    body: ClockChangeJson;
    query: undefined;
    params: undefined;
    response: ClockState;
  };
  /**
   * Move the clock of a World forward. Returns the pending purchases that expired and the policies
   * whose cover ended. Durations are ISO 8601; months and years are calendar units, and the day is
   * clamped to the end of the month.
   */
  'POST /_sandbox/clock/advance': {
    body: Advance;
    query: undefined;
    params: undefined;
    response: AdvancedClock;
  };
  /**
   * Reset a World. Resets the World to its fixtures: records, clock, numbering, random state,
   * faults and journal. Running calls finish in the old World. With `records` it starts with those
   * instead, until the next reset.
   */
  'POST /_sandbox/reset': {
    body: Reset | undefined;
    query: undefined;
    params: undefined;
    response: MerchantState;
  };
  /**
   * Get a snapshot of a World. Returns the whole World as one document: records, clock, pending
   * purchases, numbering, random state, faults, journal, and the history that rewinding needs. PUT
   * restores it.
   */
  'GET /_sandbox/snapshot': {
    body: undefined;
    query: undefined;
    params: undefined;
    response: Snapshot;
  };
  /**
   * Restore a World from a snapshot. Replaces the World. It then responds exactly as the saved
   * World would, with request ids of its own merchant. An invalid snapshot, or one of another
   * version, returns 422 and changes nothing.
   */
  'PUT /_sandbox/snapshot': {
    body: Snapshot;
    query: undefined;
    params: undefined;
    response: MerchantState;
  };
  /**
   * Rewind a World to before a call. Makes the World what it was when the call arrived: records,
   * pending purchases, tokens, numbering, random state, faults with their uses, the journal, and
   * the time of the clock, whose mode stays. Request ids and the counts of assumptions go on.
   * Running calls finish in the World as it then is. A World remembers its last 1,000 changes,
   * control calls included, up to 4 MiB. A reset or a restart forgets them; on Workers, so does
   * whatever ends the object. A call from before that returns 409.
   */
  'POST /_sandbox/rewind': {
    body: Rewind;
    query: undefined;
    params: undefined;
    response: ClockState;
  };
  /**
   * List the fault rules of a World. Returns the rules in the order they are tried. A rule that has
   * acted `times` times is gone.
   */
  'GET /_sandbox/faults': {
    body: undefined;
    query: undefined;
    params: undefined;
    response: FaultList;
  };
  /**
   * Add a fault rule. The first rule that matches a call acts on it, once by default. The request
   * header `Sandbox-Fault: after; drop` does the same for one request. While a World has a rule
   * that ends connections, its responses carry `Connection: close`, so that no client sends a lost
   * call again by itself. A World has at most 1,000 rules with 16,000,000 characters of JSON
   * together.
   */
  'POST /_sandbox/faults': {
    body: NewFault;
    query: undefined;
    params: undefined;
    response: FaultRule;
  };
  /** Remove all fault rules of a World. Faults that already act on a running call stay. */
  'DELETE /_sandbox/faults': {
    body: undefined;
    query: undefined;
    params: undefined;
    response: undefined;
  };
  /** Remove a fault rule. A fault that already acts on a running call stays. */
  'DELETE /_sandbox/faults/{id}': {
    body: undefined;
    query: undefined;
    params: {
      /** The id of a fault rule. Example: `'fault-1'`. */
      id: string;
    };
    response: undefined;
  };
  /**
   * List the journal of a World. Returns merchant-API calls, newest first. The journal keeps the
   * newest 1,000. As text (`format=text`) the oldest comes first, and each call shows the reason
   * of its refusal, what it sent, what came back and what it changed. With `events=true` what
   * happened to the World stands between the calls.
   */
  'GET /_sandbox/journal': {
    body: undefined;
    query: {
      /** An operationId of the merchant API. */
      operation?: OperationId | undefined;
      /** The HTTP status of the response; `lost`: the client got no complete one. */
      status?: number | 'lost' | undefined;
      /** A purchase token: finds the initiate that returned it and every verify that sent it. */
      token?: string | undefined;
      /** The highest number of entries to return. Default: 100. */
      limit?: number | undefined;
      /**
       * Whether the list has the World events too, in their places: moves of the clock, resets,
       * rewinds, restores, faults added and removed. Filters select calls, not events. Default:
       * false.
       */
      events?: boolean | undefined;
      /** `text`: for people and coding agents, oldest first. Default: `json`. */
      format?: 'json' | 'text' | undefined;
    };
    params: undefined;
    response: JournalItemList;
  };
  /** Clear the journal of a World. Deletes all entries and World events. Request ids continue. */
  'DELETE /_sandbox/journal': {
    body: undefined;
    query: undefined;
    params: undefined;
    response: undefined;
  };
  /** Get a journal entry. Finds a call of this World by its `Sandbox-Request-Id`. */
  'GET /_sandbox/journal/{id}': {
    body: undefined;
    query: undefined;
    params: {
      /** The `Sandbox-Request-Id` of a call. Example: `'req-3-2'`. */
      id: string;
    };
    response: JournalEntryJson;
  };
  /**
   * Wait for calls. Waits until the journal has `count` matching calls, then returns all matching
   * entries, newest first. Earlier calls count too.
   */
  'POST /_sandbox/journal/await': {
    body: ExpectationJson | undefined;
    query: undefined;
    params: undefined;
    response: JournalEntryList;
  };
  /**
   * Send a call again. Sends a call of this World again as it was sent, with its hidden values and
   * the present key, but without the fault that its header asked for. Returns the entry of the new
   * call, whether the service accepted or refused it. A call that comes from a snapshot or whose
   * body was not read returns 409.
   */
  'POST /_sandbox/journal/{id}/send': {
    body: SendChange | undefined;
    query: undefined;
    params: {
      /** The `Sandbox-Request-Id` of a call. Example: `'req-3-2'`. */
      id: string;
    };
    response: JournalEntryJson;
  };
  /**
   * List the policies of a World. Returns policies of one family, newest first. Each has the fields
   * of the details response of its family or, if the family has none, of its list. Adds no journal
   * entry.
   */
  'GET /_sandbox/records': {
    body: undefined;
    query: {
      /** The product family. Example: `'group_life'`. */
      family: Family;
      /** Returns only policies whose number contains this text. */
      policy_number?: string | undefined;
      /** Returns only policies whose number or whose holder contains this text, in any case. */
      search?: string | undefined;
      /** The page to return. Default: 1. */
      page?: number | undefined;
      /** Policies per page. Default: 15. */
      per_page?: number | undefined;
    };
    params: undefined;
    response: RecordPageJson;
  };
  /**
   * List the pending purchases of a World. Those that expire soonest come first. Adds no journal
   * entry.
   */
  'GET /_sandbox/purchases': {
    body: undefined;
    query: undefined;
    params: undefined;
    response: PendingPurchaseList;
  };
  /**
   * List the products of a World. Returns the catalogue of the World, ordered by id: what can be
   * bought, and what it costs. Adds no journal entry.
   */
  'GET /_sandbox/products': {
    body: undefined;
    query: undefined;
    params: undefined;
    response: ProductList;
  };
  /**
   * List the assumptions and how often responses are based on them. Returns each question that the
   * specification leaves open, and what this sandbox does. If a profile can change it, `setting`
   * has the value in use and `alternatives` the possible values.
   */
  'GET /_sandbox/assumptions': {
    body: undefined;
    query: undefined;
    params: undefined;
    response: AssumptionCountList;
  };
  /**
   * Get the merchant of a key. Returns the merchant whose key was sent, with its clock and counts.
   */
  'GET /_sandbox/merchant': {
    body: undefined;
    query: undefined;
    params: undefined;
    response: MerchantState;
  };
}
