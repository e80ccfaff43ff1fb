/* Sends the calls of probes to a server, each once: first those that wait for no time to pass, then the others by phase. */

import { type Operation, urlOf } from '../../api/operation.ts';
import { NetworkError, type Send } from '../../connect/receive.ts';
import type { Instant } from '../../world/time.ts';
import { Answer } from './answer.ts';
import type { Keys, Passing, ProbeCall, Setup } from './call.ts';
import type { Mask } from './mask.ts';
import type { Fields } from './values.ts';

/** The time at a server. */
export interface ServerClock {
  now(): Instant;
  /**
   * Lets time pass until a moment, or for as long after it as no clock can be moved: without such a margin a check does
   * not wait. Throws `NotAsked` if it can't.
   */
  passTo(moment: Instant, margin?: number): Promise<void>;
}

/** What a check may do with the server. */
export interface Ground {
  readonly base: string;
  readonly send: Send;
  readonly setup: Setup;
  readonly mask: Mask;
  readonly keys: Keys;
  readonly clock: ServerClock;
  /** Why nothing is bought; undefined if purchases are allowed. */
  readonly noPurchase: string | undefined;
}

/** A call that has no answer. The message says why. */
export class NotAsked extends Error {
  override readonly name = 'NotAsked';
  /** The operation, if it gave no response to this call or to one before it. */
  readonly silent: Operation | undefined;

  constructor(why: string, silent?: Operation) {
    super(why);
    this.silent = silent;
  }

  /** Why, with the name of a silent operation. */
  get reason(): string {
    return this.silent ? `${this.silent.operationId} ${this.message}` : this.message;
  }
}

export class Player {
  readonly #ground: Ground;
  readonly #outcomes = new Map<ProbeCall, Promise<Answer | NotAsked>>();
  /** The operations that gave no response, and why. */
  readonly #silent = new Map<Operation, NotAsked>();
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
  outcomeOf(call: ProbeCall): Promise<Answer | NotAsked> {
    const known = this.#outcomes.get(call);
    if (known) return known;
    const outcome = this.#ask(call);
    this.#outcomes.set(call, outcome);
    return outcome;
  }

  async #ask(call: ProbeCall): Promise<Answer | NotAsked> {
    try {
      for (const earlier of call.after ?? []) await this.outcomeOf(earlier);
      const needs = await this.needsOf(call.needs);
      const { noPurchase } = this.#ground;
      const { operation } = call;
      if (noPurchase !== undefined && !operation.readOnly) throw new NotAsked(noPurchase);
      const silent = this.#silent.get(operation);
      if (silent) return silent;
      const input = this.#inputOf(call, needs);
      const request = requestOf(call, this.#urlOf(call, input, needs), input, this.#keyOf(call));
      if (call.time) await this.#ground.clock.passTo(momentOf(call.time, needs), call.time.margin);
      const together = call.together && this.outcomeOf(call.together);
      const outcome = await this.#send(call, input, request);
      await together;
      return outcome;
    } catch (error) {
      if (error instanceof NotAsked) return error;
      throw error;
    }
  }

  async #send(call: ProbeCall, sent: Fields, request: Request): Promise<Answer | NotAsked> {
    const { clock, send, mask } = this.#ground;
    const at = clock.now();
    try {
      const answer = new Answer(call, await send(request), { sent, at, mask });
      this.answers.push(answer);
      return answer;
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      // An operation that hangs is not asked again, so that a check ends.
      const silent = new NotAsked(error.message, call.operation);
      this.#silent.set(call.operation, silent);
      return silent;
    }
  }

  /** The answers to calls that must have succeeded. Throws `NotAsked` if one has not. */
  async needsOf(calls: readonly ProbeCall[]): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (const needed of calls) {
      const outcome = await this.outcomeOf(needed);
      if (!(outcome instanceof Answer)) throw new NotAsked(outcome.reason);
      const call = `${needed.operation.operationId} ${needed.what}`.trimEnd();
      if (!outcome.ok) throw new NotAsked(`${call} was ${outcome.shown}`);
      answers.push(outcome);
    }
    return answers;
  }

  /** What a call sends. */
  #inputOf(call: ProbeCall, needs: readonly Answer[]): Fields {
    const input = call.input(this.#ground.setup, ...needs);
    if ('product_id' in input && input.product_id === undefined) {
      const family = call.operation.tag.toLowerCase().replace(/[ -]/g, '_');
      throw new NotAsked(`no product was found; name one with --product ${family}=ID`);
    }
    const missing = Object.keys(input).find(
      (field) => input[field] === undefined || Number.isNaN(input[field]),
    );
    if (call.isVaried || missing === undefined) return input;
    throw new NotAsked(`${call.needs[0]?.operation.operationId} answered no ${missing}`);
  }

  /** The Authorization header of a call. */
  #keyOf({ key = 'merchant' }: ProbeCall): string | null {
    const authorization = this.#ground.keys[key];
    if (authorization === undefined) throw new NotAsked(NO_KEY[key] as string);
    return authorization;
  }

  #urlOf(call: ProbeCall, input: Fields, needs: readonly Answer[]): URL {
    const { base } = this.#ground;
    if (call.path !== undefined) return new URL(base + call.path);
    if (!call.url) return urlOf(base, call.operation, input);
    const written = call.url(...needs);
    if (typeof written !== 'string') throw new NotAsked('there is no next page');
    if (!URL.canParse(written, base)) throw new NotAsked('the URL of the next page cannot be read');
    const url = new URL(written, base);
    if (url.origin === new URL(base).origin && url.username === '') return url;
    throw new NotAsked('the URLs of pages are those of another server');
  }
}

function momentOf({ moment }: Passing, needs: readonly Answer[]): Instant {
  const at = moment(...needs);
  if (Number.isFinite(at)) return at;
  throw new NotAsked('the time of the answer before cannot be read');
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

function requestOf(
  { operation, raw, prefix = '', contentType = 'application/json', ...call }: ProbeCall,
  url: URL,
  input: Fields,
  authorization: string | null,
): Request {
  const method = (call.method ?? operation.method).toUpperCase();
  const headers = new Headers({ accept: 'application/json' });
  if (authorization !== null) headers.set('authorization', authorization);
  if (method !== 'POST') return new Request(url, { method, headers, redirect: 'manual' });
  headers.set('content-type', contentType);
  const text = raw ?? prefix + JSON.stringify(input);
  const body = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return new Request(url, { method, headers, redirect: 'manual', body });
}
