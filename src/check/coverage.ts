import type { AssumptionId } from '../core/assumptions.ts';
import { ASSUMPTIONS } from '../products/world.ts';
import type { Observation } from './probe.ts';
import type { AssumptionResult } from './report.ts';

/** What is known of the assumptions so far. */
export interface Coverage {
  readonly agreed: Map<AssumptionId, number>;
  readonly differed: Map<AssumptionId, number>;
  /** Why an assumption could not be looked at, where nothing else showed it. */
  readonly skipped: Map<AssumptionId, string>;
  /** What was seen, each once, by its JSON. */
  readonly observed: Map<string, CountedObservation>;
}

/** A server may word every answer anew. */
const MAX_OBSERVED = 10_000;

/** An observation, and how often it was made. */
export interface CountedObservation extends Observation {
  times: number;
}

export const createCoverage = (): Coverage => ({
  agreed: new Map(),
  differed: new Map(),
  skipped: new Map(),
  observed: new Map(),
});

/** Adds what a response agreed with and was seen to do. */
export function addResult(
  coverage: Coverage,
  confirmed: readonly AssumptionId[],
  observed: readonly Observation[],
): void {
  count(coverage.agreed, confirmed);
  for (const observation of observed) {
    const key = JSON.stringify(observation);
    const before = coverage.observed.get(key);
    if (before) before.times += 1;
    else if (coverage.observed.size < MAX_OBSERVED) {
      coverage.observed.set(key, { ...observation, times: 1 });
    }
  }
}

/** Adds the assumptions that a difference contradicts. */
export const addDifference = (coverage: Coverage, assumptions: readonly AssumptionId[]): void =>
  count(coverage.differed, assumptions);

function count<T>(counts: Map<T, number>, values: readonly T[]): void {
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
}

/** Every assumption: contradicted as soon as one response does, else confirmed by any that could have. */
export function assumptionResults(
  coverage: Coverage,
  { noPurchase, all }: { readonly noPurchase: string | undefined; readonly all: boolean },
): AssumptionResult[] {
  return (Object.keys(ASSUMPTIONS) as AssumptionId[]).map((id) => {
    const agreed = coverage.agreed.get(id) ?? 0;
    const differed = coverage.differed.get(id) ?? 0;
    if (differed > 0) return { id, outcome: 'contradicted', agreed, differed };
    if (agreed > 0) return { id, outcome: 'confirmed', agreed, differed };
    const reason =
      coverage.skipped.get(id) ??
      (noPurchase !== undefined
        ? `shows in purchases only: ${noPurchase}`
        : all
          ? 'the answers that show it did not come'
          : 'shows in a family that was not asked');
    return { id, outcome: 'not observable', agreed, differed, reason };
  });
}
