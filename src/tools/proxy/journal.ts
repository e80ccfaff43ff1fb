/* What a proxy has seen: the newest exchanges, all differences, and the report. */

import { profileOptions } from '../../control/profile.ts';
import { isObject, sameJson } from '../../scenarios/json.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import { PUBLISHED } from '../../world/settings.ts';
import { foldFindings, type Located } from '../check/differences.ts';
import {
  differenceLines,
  operationLine,
  type Report,
  type ToldDifference,
  textOf,
} from '../check/report.ts';
import type { ShownDifference } from './exchange.ts';
import type { Observation, Observed } from './observe.ts';

/** A journal entry of the proxy. Contains no keys and no personal data. */
export interface ProxyEntry {
  readonly id: string;
  /** When the request arrived. */
  readonly at: string;
  /** Null for an unknown path. */
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  /** Null without a response. */
  readonly status: number | null;
  readonly elapsed_ms: number;
  /** Why it was not compared with the contract; null if it was. */
  readonly not_judged: string | null;
  readonly differences: readonly ShownDifference[];
}

/** The number of newest exchanges in the journal. */
const MAX_ENTRIES = 1000;
/** The maximum number of sightings of differences in a report. */
const MAX_FINDINGS = 20_000;

/** The results of an operation. */
interface OperationResult {
  readonly operation: string;
  readonly agrees: number;
  readonly differs: number;
  readonly not_judged: number;
}

/** The report of a proxy. Contains no keys and no personal data. */
export interface ProxyReport extends Pick<Report, 'profile' | 'not_in_profile'> {
  readonly version: 2;
  /** The URL of the service. */
  readonly url: string;
  /** All requests, including those to unknown paths. */
  readonly requests: number;
  /** Requests to unknown paths. */
  readonly other_requests: number;
  readonly operations: readonly OperationResult[];
  /** Each difference once, with all its places. */
  readonly differences: readonly ToldDifference[];
  /** Differences that the report leaves out. */
  readonly more_differences: number;
}

/** Counts all exchanges and keeps the newest. */
export interface ProxyJournal {
  add(entry: ProxyEntry, observed?: Observed): void;
  /** Newest first. */
  entries(): ProxyEntry[];
  report(): ProxyReport;
}

/** @param expected the values of the profile that the service should follow */
export function createJournal(
  url: string,
  expected: Readonly<Record<string, unknown>>,
): ProxyJournal {
  const entries: ProxyEntry[] = [];
  const operations = new Map<string, Record<'agrees' | 'differs' | 'not_judged', number>>();
  const findings: Located[] = [];
  const observations: Observation[] = [];
  const unexplained = new Set<AssumptionId>();
  let [requests, others, more] = [0, 0, 0];

  return {
    add(entry, observed) {
      requests += 1;
      entries.push(entry);
      if (entries.length > MAX_ENTRIES) entries.shift();
      const { operation, differences, not_judged } = entry;
      if (operation === null) {
        others += 1;
        return;
      }
      const counts = operations.get(operation) ?? { agrees: 0, differs: 0, not_judged: 0 };
      const isJudged = not_judged === null;
      counts[isJudged ? (differences.length > 0 ? 'differs' : 'agrees') : 'not_judged'] += 1;
      operations.set(operation, counts);
      if (observations.length < MAX_FINDINGS) observations.push(...(observed?.observations ?? []));
      for (const id of observed?.unexplained ?? []) unexplained.add(id);
      for (const { assumption: assumptions, ...difference } of differences) {
        const located = {
          ...difference,
          assumptions,
          operation,
          scenario: entry.id,
          shows: `${entry.method} ${entry.path}`,
        };
        if (findings.length < MAX_FINDINGS) findings.push(located);
        else more += 1;
      }
    },
    entries: () => entries.toReversed(),
    report() {
      const decisions = { ...expected, ...profileOf(observations) };
      const differences = foldFindings(findings).map((difference): ToldDifference => {
        const ids = difference.assumptions.filter(
          (id) => Object.hasOwn(decisions, id) && !sameJson(decisions[id], expected[id]),
        );
        const profile = Object.fromEntries(ids.map((id) => [id, decisions[id]]));
        return { ...difference, seen: String(difference.seen), ...(ids.length > 0 && { profile }) };
      });
      return {
        version: 2,
        url,
        requests,
        other_requests: others,
        operations: [...operations].map(([operation, counts]) => ({ operation, ...counts })),
        differences,
        more_differences: more,
        profile: { version: 1, decisions },
        not_in_profile: [...unexplained].filter((id) => !Object.hasOwn(decisions, id)),
      };
    },
  };
}

/** The most frequent value of each assumption; for objects, the fields of all values. */
function profileOf(observations: readonly Observation[]): Record<string, unknown> {
  const ids = [...new Set(observations.map(({ assumption }) => assumption))];
  const seen = ids.map((id) => [id, mostSeenValue(id, observations)] as const);
  const decisions = Object.fromEntries(seen.filter(([id, value]) => isOther(id, value)));
  // If a used token is refused like another kind of token, it has no status of its own.
  const statuses = decisions['http-status'];
  if (typeof decisions['token-used'] === 'string' && isObject(statuses)) {
    const { token_used: _, ...others } = statuses;
    decisions['http-status'] = others;
  }
  return decisions;
}

const isOther = (id: AssumptionId, value: unknown): boolean =>
  profileOptions[id]?.schema().safeParse(value).success === true &&
  !sameJson(value, profileOptions[id]?.in(PUBLISHED));

function mostSeenValue(id: AssumptionId, observations: readonly Observation[]): unknown {
  const values = observations
    .filter(({ assumption }) => assumption === id)
    .map(({ value }) => value);
  const count = (value: unknown) => values.filter((each) => sameJson(each, value)).length;
  const most = values.toSorted((a, b) => count(b) - count(a))[0];
  const isKeyed = id === 'http-status' || id === 'success-messages';
  return isKeyed ? Object.assign({}, ...values, most) : most;
}

/** A report for people, like that of a check: every difference with an example. */
export function proxySummary(report: ProxyReport): string {
  const { url, requests, other_requests: others, differences, operations } = report;
  const calls = requests === 1 ? '1 request' : `${requests} requests`;
  const elsewhere = others > 0 ? `, ${others} of them to unknown paths` : '';
  const lines = [
    `Compared ${url} with the contract in ${calls}${elsewhere}.`,
    '',
    ...differenceLines(differences),
    '',
    ...operations.map(operationLine),
    ...(report.more_differences > 0
      ? ['', `${report.more_differences} more differences are not listed.`]
      : []),
  ];
  return textOf(lines);
}
