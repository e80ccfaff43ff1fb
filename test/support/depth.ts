import { createRandomState, nextFraction } from '../../src/world/random.ts';

/**
 * How far a test goes that measures rather than guards: a sample in `npm test`, more of it in CI, everything in
 * `npm run test:deep`.
 */
type Depth = 'sample' | 'ci' | 'all';

const depth = (process.env.DEPTH ?? 'sample') as Depth;

export type Amounts = Readonly<Record<Depth, number>>;

export const amountOf = (amounts: Amounts): number => amounts[depth];

/** What fast-check is run with. The sample is the same each time; deeper runs start from another seed each time. */
export const runsOf = (amounts: Amounts): { numRuns: number; seed?: number } => ({
  numRuns: amountOf(amounts),
  ...(depth === 'sample' && { seed: 1 }),
});

/** So many of the values, in their order: the same ones each time. */
export function sampleOf<Value>(values: readonly Value[], amounts: Amounts): readonly Value[] {
  const random = createRandomState(1, 1);
  const drawn = values.map((value, place) => ({ value, place, rank: nextFraction(random) }));
  return drawn
    .sort((one, other) => one.rank - other.rank)
    .slice(0, amountOf(amounts))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);
}
