/* Sends the calls of probes to a server, each once: first those that wait for no time to pass, then the others by phase. */

import { urlOf } from '../../api/operation.ts';
import { NetworkError, type Send } from '../../connect/receive.ts';
import type { Instant } from '../../world/time.ts';
import { Answer, type Fields, type KeyOf, type ProbeCall, type Setup } from './call.ts';
import type { Mask } from './mask.ts';

/** What a check may do with the server. */
export interface Ground {
  readonly base: string;
  readonly send: Send;
  readonly setup: Setup;
  readonly mask: Mask;
  /** The key of calls; undefined if there is none. */
  keyOf(whose: KeyOf): Promise<string | undefined>;
  /** Why nothing is bought; undefined if purchases are allowed. */
  readonly noPurchase: string | undefined;
  /** The time at the server. */
  now(): Instant;
  /** Moves the clock of a sandbox; undefined if there is none to move. */
  readonly moveClock: ((to: Instant) => Promise<void>) | undefined;
  /** Waits; undefined if it must not. */
  readonly wait: ((ms: number) => Promise<void>) | undefined;
}

/** Why a call has no answer. */
export interface Unanswered {
  readonly why: string;
  /** Whether the operation gave no response to this call or to one before it. */
  readonly isSilent: boolean;
}

type Outcome = Answer | Unanswered;

const unasked = (why: string): Unanswered => ({ why, isSilent: false });

/** Why a call has no answer, with the name of an operation that gave no response. */
export const reasonOf = ({ operation }: ProbeCall, { why, isSilent }: Unanswered): string =>
  isSilent ? `${operation.operationId} ${why}` : why;

export class Player {
  readonly #ground: Ground;
  readonly #outcomes = new Map<ProbeCall, Promise<Outcome>>();
  /** The operations that gave no response, and why. */
  readonly #silent = new Map<string, Unanswered>();
  readonly answers: Answer[] = [];

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** Sends these calls and whatever they need: those that wait for time to pass come last, in their order. */
  async play(calls: readonly ProbeCall[]): Promise<void> {
    const phases = new Map<ProbeCall, number>();
    for (const each of calls) addPhase(each, phases);
    const sorted = [...phases].toSorted(([, a], [, b]) => a - b);
    for (const [each] of sorted) await this.outcomeOf(each);
  }

  /** The answer to a call, or why there is none. A call is sent once. */
  outcomeOf(call: ProbeCall): Promise<Outcome> {
    const known = this.#outcomes.get(call);
    if (known) return known;
    const outcome = this.#ask(call);
    this.#outcomes.set(call, outcome);
    return outcome;
  }

  async #ask(call: ProbeCall): Promise<Outcome> {
    for (const earlier of call.after ?? []) await this.outcomeOf(earlier);
    const needs = await this.needsOf(call.needs);
    if ('why' in needs) return unasked(needs.why);
    const { setup, noPurchase } = this.#ground;
    const { operationId, readOnly } = call.operation;
    if (noPurchase !== undefined && !readOnly) return unasked(noPurchase);
    const silent = this.#silent.get(operationId);
    if (silent) return silent;
    const input = call.input(setup, ...needs.answers);
    if ('product_id' in input && input.product_id === undefined)
      return unasked(this.#noProduct(call));
    const missing = call.isVaried
      ? undefined
      : Object.keys(input).find(
          (field) => input[field] === undefined || Number.isNaN(input[field]),
        );
    if (missing !== undefined) {
      const [source] = call.needs.map(({ operation }) => operation.operationId);
      return unasked(`${source} answered no ${missing}`);
    }
    const key = await this.#ground.keyOf(call.key ?? 'merchant');
    if (key === undefined) return unasked(NO_KEY[call.key ?? ''] ?? 'there is no such key');
    if (call.time) {
      const waits = await this.#passTo(call.time.moment(...needs.answers), call.time.margin);
      if (waits) return unasked(waits);
    }
    const url = this.#urlOf(call, input, needs.answers);
    if (typeof url === 'string') return unasked(url);
    const together = call.together && this.outcomeOf(call.together);
    const outcome = await this.#send(call, url, input, key);
    await together;
    return outcome;
  }

  async #send(call: ProbeCall, url: URL, input: Fields, key: string): Promise<Outcome> {
    const at = this.#ground.now();
    try {
      const received = await this.#ground.send(requestOf(call, url, input, key));
      const answer = new Answer(call, received, { sent: input, at, mask: this.#ground.mask });
      this.answers.push(answer);
      return answer;
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      // An operation that hangs is not asked again, so that a check ends.
      const silent = { why: error.message, isSilent: true };
      this.#silent.set(call.operation.operationId, silent);
      return silent;
    }
  }

  /** The answers to calls that must have succeeded, or why one has not. */
  async needsOf(
    calls: readonly ProbeCall[],
  ): Promise<{ readonly answers: readonly Answer[] } | { readonly why: string }> {
    const answers: Answer[] = [];
    for (const needed of calls) {
      const outcome = await this.outcomeOf(needed);
      const { operationId } = needed.operation;
      if (!(outcome instanceof Answer)) return { why: reasonOf(needed, outcome) };
      const call = needed.what === '' ? operationId : `${operationId} ${needed.what}`;
      if (!outcome.ok) return { why: `${call} was ${outcome.shown}` };
      answers.push(outcome);
    }
    return { answers };
  }

  /** Lets time pass until a moment. Returns why it can't. */
  async #passTo(moment: Instant, margin: number | undefined): Promise<string | undefined> {
    const { moveClock, wait, now } = this.#ground;
    if (!Number.isFinite(moment)) return 'the time of the answer before cannot be read';
    if (moveClock) {
      if (moment > now()) await moveClock(moment);
      return undefined;
    }
    if (margin === undefined) return 'only a clock that can be moved shows it';
    if (!wait) return 'time has to pass; --wait-expiry waits 15 minutes';
    await wait(Math.max(0, moment + margin - now()));
    return undefined;
  }

  #noProduct({ operation }: ProbeCall): string {
    const family = operation.tag.toLowerCase().replace(/[ -]/g, '_');
    return `no product was found; name one with --product ${family}=ID`;
  }

  /** The URL of a call, or why there is none. */
  #urlOf(call: ProbeCall, input: Fields, needs: readonly Answer[]): URL | string {
    const { base } = this.#ground;
    if (call.path !== undefined) return new URL(base + call.path);
    if (!call.url) return urlOf(base, call.operation, input);
    const written = call.url(...needs);
    if (typeof written !== 'string') return 'there is no next page';
    if (!URL.canParse(written, base)) return 'the URL of the next page cannot be read';
    const url = new URL(written, base);
    const isOwn = url.origin === new URL(base).origin && url.username === '';
    return isOwn ? url : 'the URLs of pages are those of another server';
  }
}

const NO_KEY: Readonly<Record<string, string>> = {
  other: 'isolation needs a second merchant: --other-key',
  rotated: 'only the control plane of a sandbox rotates keys',
};

const requiredBy = ({ needs, after = [] }: ProbeCall): readonly ProbeCall[] => [...needs, ...after];

/** Adds a call after those that it requires, with the phase in which it can be sent. */
function addPhase(call: ProbeCall, phases: Map<ProbeCall, number>): number {
  const known = phases.get(call);
  if (known !== undefined) return known;
  const required = requiredBy(call).map((each) => addPhase(each, phases));
  const phase = Math.max(call.time?.phase ?? 0, ...required);
  phases.set(call, phase);
  return phase;
}

function requestOf(call: ProbeCall, url: URL, input: Fields, key: string): Request {
  const {
    operation,
    raw,
    prefix = '',
    contentType = 'application/json',
    method = operation.method,
  } = call;
  const isPost = method.toLowerCase() === 'post';
  const headers = new Headers({ accept: 'application/json' });
  if (call.key !== 'none') {
    headers.set(
      'authorization',
      `${call.key === 'lower-case scheme' ? 'bearer' : 'Bearer'} ${key}`,
    );
  }
  if (isPost && contentType !== null) headers.set('content-type', contentType);
  const body = raw ?? prefix + JSON.stringify(input);
  return new Request(url, {
    method: method.toUpperCase(),
    headers,
    redirect: 'manual',
    ...(isPost && { body: typeof body === 'string' ? new TextEncoder().encode(body) : body }),
  });
}
