import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { ProxyEntry, ProxyJudge, TimedCall } from '../../contract/proxy/index.ts';
import type { BodyCopy } from './copy.ts';
import type { Guard } from './guard.ts';
import type { Head } from './head.ts';
import type { Target } from './target.ts';

/** How long an answer is held until it is whole, so that its head can say how many differences there are. */
export interface HoldLimits {
  readonly maxBytes: number;
  readonly maxMs: number;
}

export interface ForwardContext {
  readonly target: Target;
  readonly judge: ProxyJudge;
  readonly hold: HoldLimits;
  /** Called once for each call, when what became of it is known. */
  told(entry: ProxyEntry): void;
}

/** A call that came in. */
export interface ForwardedCall {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly timed: TimedCall;
  /** What was sent, as far as the contract reads it. */
  readonly sent: BodyCopy;
  /** Tells what became of it, the first time. */
  tell(entry: () => ProxyEntry): void;
}

/** A call that went on to the service. */
export interface AskedCall extends ForwardedCall {
  readonly upstream: ClientRequest;
  /** Wraps the handlers of what the service sends: an error in one of them ends this call only. */
  readonly guarded: Guard;
}

/** A call whose answer has begun. */
export interface AnsweredCall extends AskedCall {
  readonly head: Head;
}
