/* Judges the exchanges that a proxy forwards. */

import { CONTROL_PATH } from '../../control/access.ts';
import { applyProfile } from '../../control/profile.ts';
import { parseJson } from '../../kit/receive.ts';
import { createFamilies } from '../../products/index.ts';
import { publishedFamilies } from '../../products/world.ts';
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
import { judge, passedReason } from './judge.ts';
import { createLiveTwin } from './live-twin.ts';

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
  /** Why a response is not of the service itself; undefined if it may be. */
  passedReason(status: number, contentType: string): string | undefined;
  /** Records a request that is not compared, and why. */
  pass(timed: TimedCall, status: number | null, why: string): ProxyEntry;
  /** Recent exchanges, newest first. */
  entries(): ProxyEntry[];
  report(): ProxyReport;
}

/** Throws if the profile cannot be used. */
export function createJudge({ target, profile }: JudgeOptions): ProxyJudge {
  const { operations } =
    profile === undefined ? publishedFamilies : createFamilies(applyProfile(PUBLISHED, profile));
  const callOf = createRouter(operations);
  const { decisions = {} } = (profile ?? {}) as { decisions?: Record<string, unknown> };
  const twin = createLiveTwin(decisions);
  const journal = createJournal(target);
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
    const findings = await judge(exchange, call, twin);
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
    journal.add(entry);
    return entry;
  }

  return {
    callOf: ({ target: asked }) => callOf(asked),
    passedReason,
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
