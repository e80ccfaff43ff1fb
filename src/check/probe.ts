import type { AssumptionId } from '../core/assumptions.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import type { Instant } from '../core/time.ts';
import type { Operation } from '../http/operation.ts';
import type { Assertion, Json } from './assertions.ts';

/** What a check remembers for later probes: itself, and the data of responses by the name their probe gave it. */
export interface Memory {
  /** Tells one check from another. */
  readonly run: string;
  /** When the check began. */
  readonly today: Instant;
  /** The assumptions as they are expected to be taken. */
  readonly settings: Settings;
  /** The moments of the server's clock before and after the last timed request, if they are known. */
  between?: readonly [Instant, Instant] | undefined;
  /** The key that the second merchant's newest one replaced. */
  oldKey?: string;
  [name: string]: Json;
}

/** A request, as far as it is not what its operation says. */
export interface ProbeRequest {
  /** The body of a POST, the query or path fields of a GET. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Sent as it is instead of a body. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly method?: string;
  readonly contentType?: string;
  /** `null` sends no Authorization header. */
  readonly authorization?: string | null;
  /** An address that an earlier response gave. */
  readonly url?: string | undefined;
}

/** What the server was seen to do about an assumption that a profile can set. */
export interface Observation {
  readonly assumption: AssumptionId;
  /** The field of the profile's value; absent where that is one word. */
  readonly key?: string;
  readonly value: unknown;
}

/** One small question to the server, and what the contract and the assumptions say it answers. */
export interface Probe {
  /** What the server does if all is well: `refuses a second verify of a token`. */
  readonly name: string;
  readonly operation: Operation;
  /** The request, or why it can't be made. */
  request(memory: Memory): ProbeRequest | string;
  /**
   * What it needs: a `clock` that can be moved, or a new `merchant`, whose clock also starts at a moment the check
   * chose (both are sent by that merchant); any `other` merchant, which sends it; or `control`, because it could
   * change something on a server that is no sandbox.
   */
  readonly needs?: 'clock' | 'merchant' | 'other' | 'control';
  /** Sent before the probes of any family, because time has to pass. */
  readonly early?: true;
  /** Sent after all others, so many milliseconds after an answer was saved, and not more than `before` after. */
  readonly after?: { readonly saved: string; readonly ms: number; readonly before?: number };
  /** Milliseconds the second merchant's clock moves on first. */
  readonly advanceBy?: number;
  /** Moves that clock to the last minute of its day first. */
  readonly atDayEnd?: true;
  /** Gives the second merchant a new key first. */
  readonly rotateKey?: true;
  /** Leaves `between` in memory. */
  readonly timed?: true;
  /** Sent twice at once: one is accepted, the other is refused for this. */
  readonly twice?: ErrorCode;
  /** Why it is refused, `unknown` where only the server knows; absent where it is accepted. */
  readonly refused?: ErrorCode | 'unknown' | undefined;
  /** The fields that a refusal names, in order, one problem each. */
  readonly fields?: readonly string[];
  /** The assumptions that say it is accepted, or refused. */
  readonly assumptions?: readonly AssumptionId[];
  /** The assumption that a refusal shows to be taken one way and a success the other. */
  readonly shows?: {
    readonly assumption: AssumptionId;
    readonly ifRefused: string;
    readonly ifAccepted: string;
  };
  /** What an accepted response says besides having its declared form. */
  assertions?(data: Json, memory: Memory): readonly Assertion[];
  /** What an accepted response shows of an assumption that a profile can set. */
  observe?(data: Json, memory: Memory): readonly Observation[];
  /** Remembers the response's data under this name. */
  readonly saveAs?: string;
  /** Remembers the problems that a refusal names under this name. */
  readonly saveRefusalAs?: string;
}

/** What it takes to buy, in its two steps. */
export interface Purchase {
  readonly initiate: Operation;
  readonly verify: Operation;
  /** The request of initiate. */
  readonly request: Probe['request'];
  /** The name in memory of what verify answered. */
  readonly saveAs: string;
}
