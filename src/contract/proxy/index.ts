import { CONTROL_PATH } from '../../control/access.ts';
import { applyProfile } from '../../control/profile.ts';
import { DEFAULT_SETTINGS } from '../../products/world.ts';
import { systemNow } from '../../world/clock.ts';
import type { Redact } from '../../world/redaction.ts';
import { parseJson } from '../json.ts';
import {
  callOf,
  differencesOf,
  type Exchange,
  type KnownCall,
  type ProxiedRequest,
  pathOf,
  personsIn,
  redactOf,
  sentJson,
  shownTarget,
} from './exchange.ts';
import { createJournal, type ProxyEntry, type ProxyReport } from './journal.ts';
import { judge } from './judge.ts';
import { createLiveTwin } from './live-twin.ts';
import { type Observation, observe } from './observe.ts';

export { baseOf } from '../target.ts';
export type { Exchange, KnownCall, ProxiedRequest } from './exchange.ts';
export { type ProxyEntry, type ProxyReport, proxySummary } from './journal.ts';

export interface JudgeOptions {
  /** The service, as reports name it. */
  readonly target: string;
  /** A profile that the service is known to follow. */
  readonly profile?: unknown;
}

/** A call that began at a moment, in the time of this machine. */
export interface TimedCall {
  readonly request: ProxiedRequest;
  readonly call: KnownCall | undefined;
  readonly startedAt: number;
}

/** Compares what goes through a proxy with the contract, and keeps what it found. */
export interface ProxyJudge {
  /** The operation whose path a request names. */
  callOf(request: ProxiedRequest): KnownCall | undefined;
  /** Compares exchanges one after the other, in the order they came. */
  judge(timed: TimedCall & { readonly call: KnownCall }, exchange: Exchange): Promise<ProxyEntry>;
  /** Remembers a call that is not judged, and why. */
  pass(timed: TimedCall, status: number | null, why: string): ProxyEntry;
  /** What was seen lately, newest first. */
  entries(): ProxyEntry[];
  report(): ProxyReport;
}

/** Throws where the profile can not be used. */
export function createJudge({ target, profile }: JudgeOptions): ProxyJudge {
  const settings =
    profile === undefined ? DEFAULT_SETTINGS : applyProfile(DEFAULT_SETTINGS, profile);
  const { decisions = {} } = (profile ?? {}) as { decisions?: Record<string, unknown> };
  const twin = createLiveTwin(decisions, settings);
  const journal = createJournal(target, decisions);
  let count = 0;
  let last: Promise<unknown> = Promise.resolve();

  function entryOf({ request, call, startedAt }: TimedCall, redact: Redact) {
    count += 1;
    return {
      id: `call-${count}`,
      at: new Date(startedAt).toISOString(),
      operation: call?.operation.operationId ?? null,
      method: request.method,
      path: shownTarget(request, call, redact),
      elapsed_ms: systemNow() - startedAt,
    };
  }

  async function judgeNow(
    timed: TimedCall & { readonly call: KnownCall },
    exchange: Exchange,
  ): Promise<ProxyEntry> {
    const { call } = timed;
    const judged = await judge(exchange, call, settings, twin);
    const { findings } = judged;
    const persons =
      findings.length === 0
        ? []
        : [sentJson(exchange), parseJson(exchange.responseText), ...personsIn(exchange, call)];
    const redact = redactOf(exchange, persons);
    const entry: ProxyEntry = {
      ...entryOf(timed, redact),
      status: exchange.status,
      not_judged: null,
      differences: differencesOf(findings, redact),
    };
    const { observations, unexplained } = observe(judged, decisions);
    const shown = observations.map((each) => withoutPersons(each, redact));
    journal.add(entry, { observations: shown, unexplained });
    return entry;
  }

  return {
    callOf: ({ target: asked }) => callOf(asked),
    judge(timed, exchange) {
      const judged = last.then(() => judgeNow(timed, exchange));
      last = judged.catch(() => undefined);
      return judged;
    },
    pass(timed, status, why) {
      const { method, target: asked } = timed.request;
      // Clocks, records and tokens of a sandbox may be others from here on.
      if (method !== 'GET' && pathOf(asked).startsWith(`${CONTROL_PATH}/`)) twin.forget();
      const redact = redactOf(timed.request, []);
      const entry = {
        ...entryOf(timed, redact),
        status,
        not_judged: redact.text(why),
        differences: [],
      };
      journal.add(entry);
      return entry;
    },
    entries: journal.entries,
    report: journal.report,
  };
}

/** What is observed goes into a profile: messages that name somebody are hidden. */
const withoutPersons = (observed: Observation, redact: Redact): Observation => {
  const isMessage = observed.assumption === 'success-messages' || observed.value?.message;
  return isMessage ? { ...observed, value: redact.json(observed.value) } : observed;
};
