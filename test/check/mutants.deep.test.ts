/* Changes the sandbox in a thousand ways, and counts the changes that a check names. */
import { expect, test } from 'vitest';
import { sampleOf } from '../support/depth.ts';
import { type Mutant, mutants, serve } from './mutants/mutants.ts';
import { NOT_NAMED } from './mutants/not-named.ts';
import { runCheck, withOutcome } from './support.ts';

const TRIED = { sample: 4, ci: 60, all: Number.POSITIVE_INFINITY };

type Outcome = 'named' | 'seen' | 'missed' | 'unchanged';

/** Whether a probe or a violation names the changed operation, the change shows elsewhere only, or not at all. */
async function outcomeOf(mutant: Mutant): Promise<Outcome> {
  let isMutant = false;
  const fetch = serve(mutant, () => {
    isMutant = true;
  });
  const report = await runCheck(fetch).catch(({ message }: Error) => message);
  if (!isMutant) return 'unchanged';
  // A server that refuses everything cannot be checked: that is told in a line.
  if (typeof report === 'string') return 'seen';
  const { operationId } = mutant;
  const differ = withOutcome(report, 'differs');
  const isNamed =
    report.violations.some(({ operation }) => operation === operationId) ||
    differ.some(({ operation, seen }) => operation === operationId || seen?.includes(operationId));
  if (isNamed) return 'named';
  return differ.length + report.violations.length > 0 ? 'seen' : 'missed';
}

test('a check names the operation of at least 96 % of the mutants', async () => {
  const names: Record<Outcome, string[]> = { named: [], seen: [], missed: [], unchanged: [] };
  for (const mutant of sampleOf(mutants(), TRIED)) {
    names[await outcomeOf(mutant)].push(mutant.name);
  }
  const { named, seen, missed, unchanged } = names;
  const total = named.length + seen.length + missed.length;
  console.log(
    `mutants whose operation a check names: ${named.length} of ${total}; told elsewhere: ${seen.length}; not seen: ${missed.length}`,
  );
  const unexplained = [...seen, ...missed].filter((name) => !Object.hasOwn(NOT_NAMED, name));
  expect(unexplained, 'each mutant that is not named has its reason in not-named.ts').toEqual([]);
  const stale = [...named, ...unchanged].filter((name) => Object.hasOwn(NOT_NAMED, name));
  expect(stale, 'these are named, or change nothing, and need no reason in not-named.ts').toEqual(
    [],
  );
  // A sample is too small for a percentage.
  if (total >= 100) expect(named.length / total).toBeGreaterThanOrEqual(0.96);
});

test('each reason is for an existing mutant', () => {
  const names = new Set(mutants().map(({ name }) => name));
  expect(Object.keys(NOT_NAMED).filter((name) => !names.has(name))).toEqual([]);
});
