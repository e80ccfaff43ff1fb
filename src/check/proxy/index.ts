import { CONTROL_PATH } from '../../control/app.ts';
import { applyProfile } from '../../control/profile.ts';
import { systemNow } from '../../core/clock.ts';
import type { Redact } from '../../core/redaction.ts';
import { DEFAULT_SETTINGS } from '../../products/world.ts';
import type { AssertionResult } from '../assert-response.ts';
import type { Observation } from '../probe.ts';
import {
  differencesOf,
  type ProxyEntry,
  personsIn,
  redactOf,
  shownDifference,
  shownTarget,
} from './entry.ts';
import {
  createRouter,
  type Exchange,
  type KnownCall,
  type ProxiedRequest,
  pathOf,
} from './exchange.ts';
import { createJournal, type ProxyReport } from './journal.ts';
import { judge } from './judge.ts';
import { createMemory } from './memory.ts';

export { baseOf } from '../target.ts';
export type { ProxyEntry } from './entry.ts';
export type { Exchange, KnownCall, ProxiedRequest } from './exchange.ts';
export { type ProxyReport, proxySummary } from './journal.ts';

export interface JudgeOptions {
  /** The service, as reports name it. */
  readonly target: string;
  /** Assumptions that the service is known to take otherwise than published: the content of a profile. */
  readonly profile?: unknown;
}

/** A call that began at a moment, in the time of this machine. */
export interface TimedCall {
  readonly request: ProxiedRequest;
  readonly call: KnownCall | undefined;
  readonly startedAt: number;
}

/** Holds what goes through a proxy against the contract, and keeps what it found. */
export interface ProxyJudge {
  /** The operation whose path a request names. */
  callOf(request: ProxiedRequest): KnownCall | undefined;
  judge(timed: TimedCall & { readonly call: KnownCall }, exchange: Exchange): ProxyEntry;
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
  const callOf = createRouter(settings);
  const [memory, journal] = [createMemory(), createJournal(target)];
  let count = 0;

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

  return {
    callOf: ({ target }) => callOf(target),
    judge(timed, exchange) {
      const { call } = timed;
      const result = judge(exchange, call, settings, memory);
      const isAgreed = result.findings.length === 0;
      const persons = isAgreed ? [] : [...bodiesOf(exchange), ...personsIn(exchange, call)];
      const redact = redactOf(exchange, persons);
      const differences = differencesOf(call, result, redact);
      const entry: ProxyEntry = {
        ...entryOf(timed, redact),
        status: exchange.status,
        not_judged: null,
        differences: differences.map(shownDifference),
      };
      journal.add(entry, isAgreed ? result : withoutPersons(result, redact), differences);
      return entry;
    },
    pass(timed, status, why) {
      const { method, target } = timed.request;
      // Clocks, records and tokens of a sandbox may be others from here on.
      if (method !== 'GET' && pathOf(target).startsWith(`${CONTROL_PATH}/`)) memory.forget();
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

/** The JSON of both bodies. */
const bodiesOf = ({ sent, responseText }: Exchange): unknown[] =>
  [sent === undefined ? '' : new TextDecoder().decode(sent), responseText].map((text) => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  });

/** What is observed goes into a profile: messages that name somebody are hidden. */
function withoutPersons(result: AssertionResult, redact: Redact): AssertionResult {
  const observed = result.observed.map((each): Observation => {
    const isWords = each.key === 'message' || each.assumption === 'success-messages';
    return isWords ? { ...each, value: redact.json(each.value) } : each;
  });
  return { ...result, observed };
}
