import { createRandomState, nextFraction } from '../../src/world/random.ts';

/**
 * How much of a long test runs: a sample in `.ci/run`, more on GitHub, everything in `npm run test:deep`.
 */
type Depth = 'sample' | 'ci' | 'all';

const depth = (process.env.DEPTH ?? 'sample') as Depth;

export type Amounts = Readonly<Record<Depth, number>>;

export const amountOf = (amounts: Amounts): number => amounts[depth];

/** The parameters of fast-check. Samples repeat; deeper runs have a new seed each time. */
export const runsOf = (amounts: Amounts): { numRuns: number; seed?: number } => ({
  numRuns: amountOf(amounts),
  ...(depth === 'sample' && { seed: 1 }),
});

/** A sample of the values, in order. It is the same each time. */
export function sampleOf<Value>(values: readonly Value[], amounts: Amounts): readonly Value[] {
  const random = createRandomState(1, 1);
  const drawn = values.map((value, place) => ({ value, place, rank: nextFraction(random) }));
  return drawn
    .sort((one, other) => one.rank - other.rank)
    .slice(0, amountOf(amounts))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);
}
