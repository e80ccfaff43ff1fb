import { expect, test } from 'vitest';
import { check } from '../../src/tools/check/check.ts';
import { systemNow, wait } from '../../src/world/clock.ts';
import { sampleOf } from '../support/depth.ts';
import { familyOf } from '../support/requests.ts';
import { type Mutant, mutants, serve } from './mutants/mutants.ts';
import { NOT_NAMED } from './mutants/not-named.ts';

const TRIED = { sample: 4, ci: 60, all: Number.POSITIVE_INFINITY };

/** Whether a check names the changed operation and place, sees the change elsewhere, or not at all. */
async function outcomeOf(mutant: Mutant): Promise<'named' | 'seen' | 'missed' | 'unchanged'> {
  let isMutant = false;
  const fetch = serve(mutant, () => {
    isMutant = true;
  });
  const options = { key: 'sk_sandbox_demo', families: [familyOf(mutant.operationId)] };
  const { differences } = await check({ url: 'http://localhost', ...options }, fetch, {
    now: systemNow,
    wait,
  });
  if (!isMutant) return 'unchanged';
  const places = differences.flatMap((difference) => difference.places);
  const isNamed = places.some(
    ({ operation, path }) => operation === mutant.operationId && mutant.paths.includes(path),
  );
  return isNamed ? 'named' : places.length > 0 ? 'seen' : 'missed';
}

test('a check names operation and place of at least 95 % of the mutants', async () => {
  const names: Record<Awaited<ReturnType<typeof outcomeOf>>, string[]> = {
    named: [],
    seen: [],
    missed: [],
    unchanged: [],
  };
  for (const mutant of sampleOf(mutants(), TRIED)) {
    names[await outcomeOf(mutant)].push(mutant.name);
  }
  const { named, seen, missed, unchanged } = names;
  const total = named.length + seen.length + missed.length;
  console.log(
    `mutants whose operation and place a check names: ${named.length} of ${total}; told elsewhere: ${seen.length}; not seen: ${missed.length}`,
  );
  const unexplained = [...seen, ...missed].filter((name) => !Object.hasOwn(NOT_NAMED, name));
  expect(unexplained, 'each mutant that is not named has its reason in not-named.ts').toEqual([]);
  const stale = [...named, ...unchanged].filter((name) => Object.hasOwn(NOT_NAMED, name));
  expect(stale, 'these are named, or change nothing, and need no reason in not-named.ts').toEqual(
    [],
  );
  // A sample is too small for a percentage.
  if (total >= 100) expect(named.length / total).toBeGreaterThanOrEqual(0.95);
});

test('each reason is for an existing mutant', () => {
  const names = new Set(mutants().map(({ name }) => name));
  expect(Object.keys(NOT_NAMED).filter((name) => !names.has(name))).toEqual([]);
});
