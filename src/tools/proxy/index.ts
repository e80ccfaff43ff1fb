/* Judges the exchanges that a proxy forwards. */

import { CONTROL_PATH } from '../../control/access.ts';
import { applyProfile } from '../../control/profile.ts';
import { parseJson } from '../../kit/receive.ts';
import { createFamilies } from '../../products/index.ts';
import { publishedFamilies } from '../../products/world.ts';
import { valueAt } from '../../scenarios/json.ts';
import { systemNow } from '../../world/clock.ts';
import type { Redact } from '../../world/redaction.ts';
import { PUBLISHED } from '../../world/settings.ts';
import {
  createRouter,
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

export { baseOf } from '../check/target.ts';
export type { Exchange, KnownCall, ProxiedRequest } from './exchange.ts';
export { type ProxyEntry, type ProxyReport, proxySummary } from './journal.ts';

export interface JudgeOptions {
  /** The URL of the service, for reports. */
  readonly target: string;
  /** A profile that the service should follow. */
  readonly profile?: unknown;
}

/** A request with its start time, by this machine's clock. */
export interface TimedCall {
  readonly request: ProxiedRequest;
  readonly call: KnownCall | undefined;
  readonly startedAt: number;
}

/** Compares the traffic of a proxy with the contract, and keeps the results. */
export interface ProxyJudge {
  /** The operation of a request's path. */
  callOf(request: ProxiedRequest): KnownCall | undefined;
  /** Compares exchanges one after the other, in order. */
  judge(timed: TimedCall & { readonly call: KnownCall }, exchange: Exchange): Promise<ProxyEntry>;
  /** Records a request that is not compared, and why. */
  pass(timed: TimedCall, status: number | null, why: string): ProxyEntry;
  /** Recent exchanges, newest first. */
  entries(): ProxyEntry[];
  report(): ProxyReport;
}

/** Throws if the profile cannot be used. */
export function createJudge({ target, profile }: JudgeOptions): ProxyJudge {
  const { settings, operations } =
    profile === undefined ? publishedFamilies : createFamilies(applyProfile(PUBLISHED, profile));
  const callOf = createRouter(operations);
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
    const judged = await judge(exchange, call, twin);
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
      // This may change the clock, records and tokens of a sandbox.
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

/** Hides persons in observed messages, because observations become part of a profile. */
const withoutPersons = (observed: Observation, redact: Redact): Observation => {
  const isMessage =
    observed.assumption === 'success-messages' || valueAt(observed.value, 'message') !== undefined;
  return isMessage ? { ...observed, value: redact.json(observed.value) } : observed;
};
