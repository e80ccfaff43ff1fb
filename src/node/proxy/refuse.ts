import type { ProxyJudge } from '../../contract/proxy/index.ts';
import { cutOff } from './answer.ts';
import type { AskedCall, ForwardContext, ForwardedCall } from './call.ts';
import { keepClientOpen } from './connection.ts';
import { UnusableAnswer } from './head.ts';
import { respondProblem } from './problem.ts';
import type { Target } from './target.ts';

/** Why a call is refused. */
interface Refusal {
  /** For the journal, in words that follow "not judged". */
  readonly told: string;
  /** For the client, as a sentence. */
  readonly detail: string;
}

/** Answers in the place of the service. */
export function refuse(
  { outgoing, timed, tell }: ForwardedCall,
  judge: ProxyJudge,
  status: number,
  { told, detail }: Refusal,
): void {
  tell(() => judge.pass(timed, status, told));
  respondProblem(outgoing, status, detail);
}

/** @param why in words that follow the name of the service */
export const ofService = ({ url }: Target, why: string): Refusal => ({
  told: `the service ${why}`,
  detail: `${url} ${why}.`,
});

/** Answers in the place of a service that gave no answer, or none that can be passed on. */
export function badGateway(call: AskedCall, { target, judge }: ForwardContext, why: string): void {
  keepClientOpen(call);
  refuse(call, judge, 502, ofService(target, why));
}

/** Ends a call after an error in what handles it, and leaves all others alone. */
export function giveUp(call: AskedCall, context: ForwardContext, error: unknown): void {
  const { incoming, outgoing, timed, upstream, tell } = call;
  incoming.unpipe(upstream).resume();
  upstream.destroy();
  const { message } = error as Error;
  const why = error instanceof UnusableAnswer ? message : `could not be proxied: ${message}`;
  if (!outgoing.headersSent) badGateway(call, context, why);
  else {
    cutOff(call);
    tell(() => context.judge.pass(timed, outgoing.statusCode, `the service ${why}`));
  }
}
