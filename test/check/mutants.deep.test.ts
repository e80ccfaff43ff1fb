import { expect, test } from 'vitest';
import { check } from '../../src/contract/check.ts';
import { systemNow, wait } from '../../src/world/clock.ts';
import { sampleOf } from '../support/depth.ts';
import { mutants } from './mutants/index.ts';
import type { Mutant } from './mutants/mutant.ts';
import { NOT_NAMED } from './mutants/not-named.ts';

const TRIED = { sample: 6, ci: 100, all: Number.POSITIVE_INFINITY };

/** Whether a check names the operation and place that were changed, or sees them elsewhere, or not at all. */
async function outcomeOf({
  family,
  operation,
  paths,
  serve,
}: Mutant): Promise<'named' | 'seen' | 'missed' | 'unchanged'> {
  let isMutant = false;
  const fetch = serve(() => {
    isMutant = true;
  });
  const report = await check(
    { url: 'http://localhost', key: 'sk_sandbox_demo', families: [family] },
    fetch,
    { now: systemNow, wait },
  );
  if (!isMutant) return 'unchanged';
  const places = report.differences.flatMap((difference) => difference.places);
  const named = places.some((place) => place.operation === operation && paths.includes(place.path));
  return named ? 'named' : places.length > 0 ? 'seen' : 'missed';
}

test('a check catches at least 95 of 100 changed sandboxes, naming operation and place', {
  timeout: 1_200_000,
}, async () => {
  const names = { named: [] as string[], seen: [] as string[], missed: [] as string[] };
  const stale: string[] = [];
  for (const mutant of sampleOf(mutants(), TRIED)) {
    const outcome = await outcomeOf(mutant);
    if (outcome !== 'unchanged') names[outcome].push(mutant.name);
    const isKnown = outcome === 'seen' || outcome === 'missed';
    if (!isKnown && Object.hasOwn(NOT_NAMED, mutant.name)) stale.push(mutant.name);
  }
  const { named, seen, missed } = names;
  const total = named.length + seen.length + missed.length;
  const share = named.length / total;
  console.log(
    [
      `mutants caught, operation and place named: ${named.length} of ${total} (${(share * 100).toFixed(1)} %)`,
      `told of another operation or place: ${seen.length}; not seen: ${missed.length}`,
      ...seen.map((name) => `  elsewhere ${name}: ${NOT_NAMED[name] ?? 'no reason known'}`),
      ...missed.map((name) => `  not seen  ${name}: ${NOT_NAMED[name] ?? 'no reason known'}`),
    ].join('\n'),
  );
  // A sample is too small for a share; each that is not named needs its reason all the same.
  if (total >= 100) expect(share).toBeGreaterThanOrEqual(0.95);
  const unexplained = [...seen, ...missed].filter((name) => !Object.hasOwn(NOT_NAMED, name));
  expect(unexplained, 'each mutant that is not named has its reason in not-named.ts').toEqual([]);
  expect(stale, 'these are named, and need no reason in not-named.ts').toEqual([]);
});

test('every reason is for a mutant there is', () => {
  const names = new Set(mutants().map(({ name }) => name));
  expect(Object.keys(NOT_NAMED).filter((name) => !names.has(name))).toEqual([]);
});
