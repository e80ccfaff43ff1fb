import type { Family, OperationId, Operations, Policies } from './wire.ts';

/* The types of what methods return. */

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
 * - `drop` resets the connection without a response body
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
  /** Null if the call had no valid key. */
  merchant: { id: number; name: string } | null;
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
  /** Real milliseconds; null for a call of a snapshot or of an earlier run. */
  elapsed_ms: number | null;
  /** The fault that acted on the call, if any. Its `id` is null if it came from the `Sandbox-Fault` request header. */
  fault: { id: string | null; stage: 'before' | 'after'; effect: FaultEffect } | null;
  /** What the caller probably meant: `Sandbox-Hint` of the response. */
  hint: string | null;
  /** The ids of the assumptions behind the response: `Sandbox-Assumptions`. */
  assumptions: string[];
  /** Why the service refused the call. Empty for a success, and for a response that a fault made. */
  problems: {
    /** The field it is about, with the place inside it: `members.3.gender`. */
    field?: string | undefined;
    message: string;
  }[];
  /** What the call changed. A lost response does not undo it. */
  changes: RowChange[];
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

/** One thing that a call added, changed or removed. */
export interface RowChange {
  change: 'added' | 'changed' | 'removed';
  /** `<family>.policies`, `<family>.pending` (purchases), `<family>.used` (tokens) or `faults` (rules). */
  table: string;
  /** The policy number, the purchase token, or the id of the fault rule. */
  key: string;
}

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

export interface RecordPage<F extends Family = Family> {
  /** The policies of the page, each with all fields that the merchant API returns for it. */
  data: Policies[F][];
  page: number;
  per_page: number;
  last_page: number;
  /** Number of policies on all pages. */
  total: number;
}

/** A product of the catalogue, with what its family says of its price. */
export interface Product {
  id: number;
  family: Family;
  name: string;
  /** The name in lower case, with hyphens. */
  slug: string;
  /** Whether it can be bought. */
  enabled: boolean;
  /** Premiums in naira by number of users, for families with a price list. */
  premiums?: { users: number; monthly: number; quarterly: number; annually: number }[] | undefined;
  /** Premium as a share of the insured value, for families with a rate; null if the product has none. */
  rate?: number | null | undefined;
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
