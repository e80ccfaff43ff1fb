import type { Fault } from './faults.ts';
import type { Instant } from './time.ts';

/**
 * What changes a sandbox, one line each, in the order it happened: done again on the sandbox as it was
 * before, the lines make it what it is.
 */
export type LogLine = CallLine | ChangeLine | PartLine;

/** A call of the merchant API that may change its World. */
export interface CallLine {
  /** The moment of its rule, or of its fault, in the sandbox's time. */
  readonly at: Instant;
  readonly merchant: number;
  /** The number in its request id. */
  readonly call: number;
  readonly request: LoggedRequest;
  /** Whether rules for faults, or their chance, are used here; what the service may do then has a line of its own. */
  readonly fault?: true;
  /** In that line: the fault which was met, null if chance spared the call. */
  readonly met?: Fault | null;
  /** Whether the client gave up before the service did anything. */
  readonly lost?: true;
}

export interface LoggedRequest {
  /** When it came, by the World's clock. */
  readonly came: Instant;
  readonly method: string;
  readonly url: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string | null;
}

/** A change by the control plane or one of its methods. */
export interface ChangeLine {
  readonly at: Instant;
  readonly change: string;
  readonly merchant?: number | undefined;
  readonly input?: unknown;
  /** The document it takes: that of the part lines of this number. */
  readonly parts?: number | undefined;
}

/** A part of a document too large for one line. */
export interface PartLine {
  readonly part: number;
  readonly text: string;
}

/** Where the lines go. */
export interface ChangeLog {
  /** Returns when the line is in place. Throws `NotStoredError`. */
  append(line: LogLine): void;
  /** A number for the parts of a document, which are kept until it is given back. */
  openParts(): number;
  closeParts(parts: number): void;
  /** Asks for all of it to be written anew when there is time, because what the lines say has grown. */
  requestSave(): void;
  /** Why the last line is not in place; undefined where it is. Tries again. */
  problem(): string | undefined;
}

/** A line could not be written, so what it says was not done. */
export class NotStoredError extends Error {
  override readonly name = 'NotStoredError';
}

/** A call that a log has, made again. */
export interface Replay extends Pick<CallLine, 'merchant' | 'call' | 'fault' | 'met' | 'lost'> {
  readonly came: Instant;
}
