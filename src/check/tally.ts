import { ASSUMPTIONS, type AssumptionId } from '../core/assumptions.ts';
import type { Observation } from './probe.ts';
import type { DecisionResult } from './report.ts';
import type { Verdict } from './verdict.ts';

/** What is known of the decisions so far. */
export interface Tally {
  readonly agreed: Map<AssumptionId, number>;
  readonly differed: Map<AssumptionId, number>;
  /** Why a decision could not be looked at, where nothing else showed it. */
  readonly skipped: Map<AssumptionId, string>;
  readonly observed: Observation[];
}

export const newTally = (): Tally => ({
  agreed: new Map(),
  differed: new Map(),
  skipped: new Map(),
  observed: [],
});

export function count(tally: Tally, { findings, confirmed, observed }: Verdict): void {
  for (const id of confirmed) tally.agreed.set(id, (tally.agreed.get(id) ?? 0) + 1);
  for (const id of findings.flatMap(({ decisions }) => decisions)) {
    tally.differed.set(id, (tally.differed.get(id) ?? 0) + 1);
  }
  tally.observed.push(...observed);
}

/** Every decision: contradicted as soon as one answer does, else confirmed by any that could have. */
export function decisionResults(
  tally: Tally,
  { readOnly, all }: { readonly readOnly: boolean; readonly all: boolean },
): DecisionResult[] {
  return (Object.keys(ASSUMPTIONS) as AssumptionId[]).map((id) => {
    const agreed = tally.agreed.get(id) ?? 0;
    const differed = tally.differed.get(id) ?? 0;
    if (differed > 0) return { id, outcome: 'contradicted', agreed, differed };
    if (agreed > 0) return { id, outcome: 'confirmed', agreed, differed };
    const reason =
      tally.skipped.get(id) ??
      (readOnly
        ? 'shows in purchases only, and --read-only sends none'
        : all
          ? 'the answers that show it did not come'
          : 'shows in a family that was not asked');
    return { id, outcome: 'not observable', agreed, differed, reason };
  });
}
