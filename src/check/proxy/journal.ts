import type { AssumptionId } from '../../core/assumptions.ts';
import type { AssertionResult } from '../assert-response.ts';
import {
  addDifference,
  addResult,
  assumptionResults,
  type Coverage,
  createCoverage,
} from '../coverage.ts';
import { type Difference, kindOf, profileLimits, summaryLines } from '../differences.ts';
import { observedProfile } from '../observed-profile.ts';
import type { AssumptionResult, Report } from '../report.ts';
import type { ProxyEntry } from './entry.ts';

/** How many exchanges the journal keeps, the newest ones. */
const MAX_ENTRIES = 1000;
/** How many kinds of difference a report holds. */
const MAX_KINDS = 1000;

/** How the exchanges with an operation fared. */
interface OperationResult {
  readonly operation: string;
  readonly agrees: number;
  readonly differs: number;
  readonly not_judged: number;
}

/** What a proxy saw. Holds no key and nobody's name. Reports and profiles call the assumptions decisions. */
export interface ProxyReport {
  readonly version: 1;
  /** The service that was asked. */
  readonly url: string;
  /** All calls, those of unknown paths too. */
  readonly requests: number;
  /** Those of paths that no operation has. */
  readonly other_requests: number;
  readonly operations: readonly OperationResult[];
  /** Each kind once, with how often it was seen. */
  readonly differences: readonly Difference[];
  /** How many differences there were of more kinds than are listed. */
  readonly more_differences: number;
  readonly decisions: readonly AssumptionResult[];
  readonly profile: Report['profile'];
  readonly not_in_profile: readonly AssumptionId[];
}

/** What a proxy has seen so far: all of it counted, the newest of it kept. */
export interface Journal {
  add(entry: ProxyEntry, result?: AssertionResult, differences?: readonly Difference[]): void;
  /** Newest first. */
  entries(): ProxyEntry[];
  report(): ProxyReport;
}

export function createJournal(url: string): Journal {
  const entries: ProxyEntry[] = [];
  const coverage: Coverage = createCoverage();
  const operations = new Map<string, Record<'agrees' | 'differs' | 'not_judged', number>>();
  const kinds = new Map<string, Difference & { times: number }>();
  let [requests, others, more] = [0, 0, 0];

  function addKind(difference: Difference): void {
    const kind = kindOf(difference);
    const known = kinds.get(kind);
    if (known) known.times += 1;
    else if (kinds.size < MAX_KINDS) kinds.set(kind, { ...difference, times: 1 });
    else more += 1;
  }

  return {
    add(entry, result, differences = []) {
      requests += 1;
      entries.push(entry);
      if (entries.length > MAX_ENTRIES) entries.shift();
      if (entry.operation === null) {
        others += 1;
        return;
      }
      const counts = operations.get(entry.operation) ?? { agrees: 0, differs: 0, not_judged: 0 };
      const outcome =
        entry.not_judged !== null
          ? 'not_judged'
          : result && differences.length > 0
            ? 'differs'
            : 'agrees';
      counts[outcome] += 1;
      operations.set(entry.operation, counts);
      if (result) {
        addResult(coverage, result.confirmed, result.observed);
        for (const { assumptions } of result.findings) addDifference(coverage, assumptions);
      }
      for (const difference of differences) addKind(difference);
    },
    entries: () => entries.toReversed(),
    report: () => ({
      version: 1,
      url,
      requests,
      other_requests: others,
      operations: [...operations].map(([operation, counts]) => ({ operation, ...counts })),
      differences: [...kinds.values()],
      more_differences: more,
      decisions: assumptionResults(coverage, { noPurchase: undefined, all: true }),
      ...observedProfile(coverage),
    }),
  };
}

/** A report for people, in the words of a check. */
export function proxySummary(report: ProxyReport): string {
  const { url, requests, other_requests: others, differences, operations } = report;
  const { more_differences: more } = report;
  const calls = requests === 1 ? '1 call' : `${requests} calls`;
  const elsewhere = others > 0 ? `, ${others} of them to paths that it does not have` : '';
  const lines = [
    `${url} held against the contract in ${calls} that went by${elsewhere}.`,
    '',
    ...summaryLines(
      differences,
      operations.map(({ not_judged, ...counts }) => ({
        ...counts,
        rest: [not_judged, 'not judged'],
      })),
    ),
  ];
  if (more > 0) lines.push('', `${more} differences of more kinds are not listed.`);
  const limits = profileLimits(report.not_in_profile);
  if (limits.length > 0) lines.push('', ...limits);
  return `${lines.join('\n')}\n`;
}
