import type { Family, OperationId, Operations } from './wire.ts';

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

/** A whole sandbox as one document. */
export interface SandboxState {
  readonly version: 1;
  readonly sandbox: Readonly<Record<string, unknown>>;
}
