/* Sums up a check by request, by operation and by assumption. */

import { ASSUMPTIONS } from '../../products/world.ts';
import { showValue, truncateLine, valueAt } from '../../scenarios/json.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import {
  causeOf,
  type Difference,
  foldFindings,
  inOrder,
  kindOf,
  type Located,
  WITH_PROFILE,
} from './differences.ts';
import { type Explained, keyOf } from './explain.ts';
import { findingsOf, type PlayedCall } from './play.ts';
import type {
  AssumptionResult,
  CheckedCall,
  NotAsked,
  OperationResult,
  Report,
  ToldDifference,
} from './report.ts';
import type { MaskSecrets } from './secrets.ts';
import { familyOf } from './twin.ts';

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
  agreed: new Set(),
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

/**
 * The results of a check.
 *
 * @param played the requests, compared with a twin without the values of `explained`
 * @param others requests that are compared with no twin
 * @param expected the values of the profile that the server should follow
 */
export function resultsOf(
  played: readonly PlayedCall[],
  others: readonly PlayedCall[],
  { config, played: { calls: withProfile }, explained, brought }: Explained,
  expected: Readonly<Record<string, unknown>>,
  mask: MaskSecrets,
): Results {
  const { decisions } = config;
  const shown = (difference: Difference, id?: AssumptionId): ToldDifference => ({
    ...difference,
    expected: truncateLine(mask(difference.expected)),
    seen: showValue(mask(difference.seen)),
    ...(id !== undefined && { profile: { [id]: valueFor(id, decisions[id], difference) } }),
  });
  const left = findingsOf({ calls: [...withProfile, ...others] });
  const remaining = foldFindings(
    asContract(left, findingsOf({ calls: [...played, ...others] }), brought),
  );
  const matched = [...explained].flatMap(([id, found]) => {
    const findings = found.map(({ cause, ...each }) => ({
      ...each,
      ...(cause && each.assumptions.includes(id) && { cause }),
      assumptions: [id],
    }));
    // One value in a profile is one difference, wherever it shows. Statuses have a value for each kind of refusal.
    return foldFindings(findings, () => (id === 'http-status' ? undefined : id)).map((each) =>
      shown(each, id),
    );
  });
  const contradicted = {
    told: new Set(remaining.flatMap(({ assumptions }) => assumptions)),
    all: new Set(left.flatMap(({ assumptions }) => assumptions)),
  };
  const all = [...played, ...others];
  const calls = all.map((call) => callResult(call, mask));
  return {
    differences: inOrder([...remaining.map((each) => shown(each)), ...matched]),
    not_asked: notAskedBy(all),
    operations: operationResults(calls),
    assumptions: assumptionResults(
      [...withProfile, ...all],
      contradicted,
      new Set(explained.keys()),
    ),
    calls,
    profile: { version: 1, decisions: { ...expected, ...decisions } },
    not_in_profile: [...contradicted.told],
  };
}

/**
 * Findings that are left with a profile, with what the contract expects where the profile changes that. Those of a
 * kind that is there only with the profile are about the assumption whose value brought them.
 */
function asContract(
  left: readonly Located[],
  start: readonly Located[],
  brought: Explained['brought'],
): Located[] {
  const known = new Map(start.map((found) => [keyOf(found), found]));
  const kinds = new Set(start.map(kindOf));
  const firstOf = (found: Located) => {
    const first = known.get(keyOf(found));
    return first && kindOf(first) === kindOf(found) ? first : undefined;
  };
  const told = left.map((found) => {
    const first = firstOf(found);
    const expectedIn = ({ expected }: Pick<Located, 'expected'>) =>
      first ? expected : `${expected}${WITH_PROFILE}`;
    const { shown } = found.cause ?? {};
    const again = shown && { ...shown, expected: expectedIn(first?.cause?.shown ?? shown) };
    const cause = found.cause && { ...found.cause, ...(again && { shown: again }) };
    const id = kinds.has(kindOf(found)) ? undefined : brought.get(keyOf(found));
    return {
      ...found,
      expected: expectedIn(first ?? found),
      ...(cause && { cause }),
      ...(id && { assumptions: [id], cause: causeOf('only with', id) }),
    };
  });
  const isOnly = (found: Located) => Number(firstOf(found) === undefined);
  return told.toSorted((a, b) => isOnly(a) - isOnly(b));
}

/** The value of a decision; of statuses, those of the refusals in a difference. */
function valueFor(
  id: AssumptionId,
  value: unknown,
  { expected, seen, places }: Difference,
): unknown {
  if (id !== 'http-status') return value;
  const codes = [...expected.matchAll(/\d \(([a-z ]+)\)/g)].map(([, code = '']) =>
    code.replaceAll(' ', '_'),
  );
  const keys = new Set(
    places.map((place) => familyOf({ operationId: place.operation })?.key ?? ''),
  );
  const pick = (all: unknown) =>
    Object.fromEntries(
      codes.flatMap((code) => (valueAt(all, code) === seen ? [[code, seen]] : [])),
    );
  const families = [...keys].flatMap((key) => {
    const own = pick(valueAt(value, key));
    return Object.keys(own).length > 0 ? [[key, own] as const] : [];
  });
  return { ...pick(value), ...Object.fromEntries(families) };
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

/** The reasons not to ask, those of most requests first. */
function notAskedBy(played: readonly PlayedCall[]): NotAsked[] {
  const reasons = new Map<string, { calls: number; example: string }>();
  for (const { notAsked, operation, shows } of played) {
    if (notAsked === undefined) continue;
    const known = reasons.get(notAsked);
    if (known) known.calls += 1;
    else reasons.set(notAsked, { calls: 1, example: `${operation} ${shows}` });
  }
  return [...reasons]
    .map(([reason, rest]) => ({ reason, ...rest }))
    .toSorted((a, b) => b.calls - a.calls);
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
  // Most renewals end on the same day, whatever they are added to.
  'top-up-anchor',
  // A verify that is accepted says nothing about a token that is not.
  'token-unknown',
];

/**
 * The result of every assumption, in the order of the list of assumptions. One that only a difference about something
 * else contradicts cannot be judged.
 */
function assumptionResults(
  played: readonly PlayedCall[],
  contradicted: { readonly told: ReadonlySet<string>; readonly all: ReadonlySet<string> },
  explained: ReadonlySet<string>,
): AssumptionResult[] {
  const confirmed = new Set(played.flatMap(confirmedBy));
  return (Object.keys(ASSUMPTIONS) as AssumptionId[]).map((id) => {
    if (contradicted.told.has(id)) return { id, outcome: 'remaining' };
    if (explained.has(id)) return { id, outcome: 'explained' };
    const isConfirmed = confirmed.has(id) && !contradicted.all.has(id);
    return { id, outcome: isConfirmed ? 'confirmed' : 'not asked' };
  });
}

/**
 * The assumptions that a response confirms: it could have contradicted them. One that differs as a whole confirms
 * nothing.
 */
function confirmedBy({ notAsked, findings, assumptions, rests, agreed }: PlayedCall): string[] {
  const isWhole = findings.some(
    ({ path, cause }) =>
      (cause?.hides === true && path !== 'status') ||
      (/^\$(\.success)?$/.test(path) && !cause?.covers),
  );
  if (notAsked !== undefined || isWhole) return [];
  const contradicted = new Set<string>(findings.flatMap((found) => found.assumptions));
  const shown = [...assumptions, ...agreed].filter((id) => !PARTICULAR.includes(id));
  return [...shown, ...rests].filter((id) => !contradicted.has(id));
}
