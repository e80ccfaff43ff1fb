/* Sums up a check by request, by operation and by assumption. */

import { ASSUMPTIONS } from '../../products/world.ts';
import { showValue, truncateLine } from '../../scenarios/json.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import { type Difference, foldFindings } from './differences.ts';
import { type Explained, keyOf } from './explain.ts';
import type { PlayedCall } from './play.ts';
import type {
  AssumptionResult,
  CheckedCall,
  NotAsked,
  OperationResult,
  Report,
  ToldDifference,
} from './report.ts';
import type { MaskSecrets } from './secrets.ts';

/** A request that was not sent, and why. */
export const notAskedCall = (
  scenario: string,
  operation: string,
  shows: string,
  reason: string,
): PlayedCall => ({
  scenario,
  operation,
  shows,
  notAsked: reason,
  findings: [],
  assumptions: [],
  rests: [],
});

type Results = Pick<
  Report,
  | 'differences'
  | 'not_asked'
  | 'operations'
  | 'assumptions'
  | 'calls'
  | 'profile'
  | 'not_in_profile'
>;

/** The results of a check; `expected` are the values of the profile that the server should follow. */
export function resultsOf(
  played: readonly PlayedCall[],
  { config, findings: left, explained }: Explained,
  expected: Readonly<Record<string, unknown>>,
  mask: MaskSecrets,
): Results {
  const reasons = reasonsOf(explained);
  const findings = played
    .flatMap((call) => call.findings)
    .map((finding) => {
      const reason = reasons.get(keyOf(finding));
      return reason === undefined ? finding : { ...finding, assumptions: [reason] };
    });
  const differences = foldFindings(findings, (finding) => {
    const [id, ...others] = finding.assumptions;
    // One word in a profile is one difference, wherever it shows.
    const isWord = id !== undefined && others.length === 0 && explained.has(id);
    return isWord && typeof config.decisions[id] === 'string' ? id : undefined;
  }).map((difference) => toldDifference(difference, config.decisions, explained, mask));
  const contradicted = new Set(findings.flatMap(({ assumptions }) => assumptions));
  const unexplained = new Set(left.flatMap(({ assumptions }) => assumptions));
  const calls = played.map((call) => callResult(call, mask));
  return {
    differences: [
      ...differences.filter(({ profile }) => !profile),
      ...differences.filter(({ profile }) => profile),
    ],
    not_asked: notAskedBy(played),
    operations: operationResults(calls),
    assumptions: assumptionResults(played, contradicted),
    calls,
    profile: { version: 1, decisions: { ...expected, ...config.decisions } },
    not_in_profile: [...unexplained],
  };
}

/** The assumption that explains each finding, by the key of the finding. */
const reasonsOf = (explained: Explained['explained']): ReadonlyMap<string, AssumptionId> =>
  new Map([...explained].flatMap(([id, all]) => all.map((finding) => [keyOf(finding), id])));

function toldDifference(
  difference: Difference,
  decisions: Readonly<Record<string, unknown>>,
  explained: Explained['explained'],
  mask: MaskSecrets,
): ToldDifference {
  const ids = difference.assumptions.filter((id) => explained.has(id));
  const profile = Object.fromEntries(ids.map((id) => [id, decisions[id]]));
  return {
    ...difference,
    expected: truncateLine(mask(difference.expected)),
    seen: showValue(mask(difference.seen)),
    ...(ids.length > 0 && { profile }),
  };
}

function callResult(
  { operation, scenario, shows, notAsked, findings }: PlayedCall,
  mask: MaskSecrets,
): CheckedCall {
  const outcome = notAsked !== undefined ? 'not asked' : findings.length > 0 ? 'differs' : 'agrees';
  const differences = findings.map(({ path, expected, seen }) => ({
    path,
    expected: truncateLine(mask(expected)),
    seen: showValue(mask(seen)),
  }));
  const reason = notAsked === undefined ? {} : { reason: notAsked };
  return { operation, scenario, shows, outcome, ...reason, differences };
}

function notAskedBy(played: readonly PlayedCall[]): NotAsked[] {
  const reasons = new Map<string, { calls: number; example: string }>();
  for (const { notAsked, operation, shows } of played) {
    if (notAsked === undefined) continue;
    const known = reasons.get(notAsked);
    if (known) known.calls += 1;
    else reasons.set(notAsked, { calls: 1, example: `${operation} ${shows}` });
  }
  return [...reasons].map(([reason, rest]) => ({ reason, ...rest }));
}

/** The result of each operation, in the order of the first requests. */
function operationResults(calls: readonly CheckedCall[]): OperationResult[] {
  const results = new Map<string, { agrees: number; differs: number; not_asked: number }>();
  for (const { operation, outcome } of calls) {
    const counts = results.get(operation) ?? { agrees: 0, differs: 0, not_asked: 0 };
    counts[outcome === 'not asked' ? 'not_asked' : outcome] += 1;
    results.set(operation, counts);
  }
  return [...results].map(([operation, counts]) => ({ operation, ...counts }));
}

/** Assumptions that only particular requests can confirm. */
const PARTICULAR: readonly string[] = [
  'foreign-policy',
  'key-issue',
  'no-expiry-transition',
  'token-boundary',
];

/** The result of every assumption. One response can contradict it; any response that depends on it can confirm it. */
function assumptionResults(
  played: readonly PlayedCall[],
  contradicted: ReadonlySet<AssumptionId>,
): AssumptionResult[] {
  const asked = played.filter(({ notAsked }) => notAsked === undefined);
  const particular = new Set(PARTICULAR);
  const seen = new Set([
    ...asked.flatMap(({ assumptions }) => assumptions).filter((id) => !particular.has(id)),
    ...asked.flatMap(({ rests }) => rests),
  ]);
  return (Object.keys(ASSUMPTIONS) as AssumptionId[]).map((id) => {
    if (contradicted.has(id)) return { id, outcome: 'contradicted' };
    return { id, outcome: seen.has(id) ? 'confirmed' : 'not asked' };
  });
}
