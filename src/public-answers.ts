/* What a sandbox answers to embedding code; what that asks stands in `public.ts`. */

export interface ClockState {
  now: string;
  mode: 'running' | 'frozen';
}

export interface AdvancedClock extends ClockState {
  /** What lapsed on the way, in order. */
  effects: { kind: 'purchase_expired'; operation: string; token: string; at: string }[];
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
  match: { operation?: string | undefined; body?: Record<string, unknown> | undefined };
  stage: 'before' | 'after';
  effect: FaultEffect;
  /** How often it will still act. */
  times: number;
  probability: number;
}

export interface JournalEntry {
  id: string;
  at: string;
  operation: string | null;
  method: string;
  path: string;
  status: number | null;
  duration_ms: number;
  fault: { id: string | null; stage: 'before' | 'after'; effect: FaultEffect } | null;
  request: { headers: Record<string, string>; body: unknown };
  response: { headers: Record<string, string>; body: unknown } | null;
}

export interface SandboxJournalEntry extends JournalEntry {
  /** Null for a call without a valid key. */
  merchant: { id: number; name: string } | null;
}

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
  operation: string;
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
  counts: Record<string, number>;
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
