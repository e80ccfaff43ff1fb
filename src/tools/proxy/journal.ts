/* What a proxy has seen: the newest exchanges, all differences, and the report. */

import { foldFindings, type Located } from '../check/differences.ts';
import { differenceLines, operationLine, type ToldDifference, textOf } from '../check/report.ts';
import type { ShownDifference } from './exchange.ts';

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
export interface ProxyReport {
  readonly version: 3;
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
  add(entry: ProxyEntry): void;
  /** Newest first. */
  entries(): ProxyEntry[];
  report(): ProxyReport;
}

export function createJournal(url: string): ProxyJournal {
  const entries: ProxyEntry[] = [];
  const operations = new Map<string, Record<'agrees' | 'differs' | 'not_judged', number>>();
  const findings: Located[] = [];
  let [requests, others, more] = [0, 0, 0];

  return {
    add(entry) {
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
      const differences = foldFindings(findings).map(
        (difference): ToldDifference => ({ ...difference, seen: String(difference.seen) }),
      );
      return {
        version: 3,
        url,
        requests,
        other_requests: others,
        operations: [...operations].map(([operation, counts]) => ({ operation, ...counts })),
        differences,
        more_differences: more,
      };
    },
  };
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
    ...(differences.length > 0 ? ['', 'A check learns a profile of the service.'] : []),
  ];
  return textOf(lines);
}
