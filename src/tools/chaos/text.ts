/* The report of `chaos` for people. */

import { isVerify } from '../../products/world.ts';
import { truncateLine } from '../../scenarios/json.ts';
import { FAILURES } from './failures.ts';
import type { ChaosReport, ChaosRun, Outcome } from './public.ts';

/** The marks of the outcomes in the table, the worst last. */
const MARKS: Readonly<Record<Outcome, string>> = {
  survived: '✓',
  noticed: '!',
  hung: '∞',
  'false success': '✗',
  'bought twice': '2×',
};
export const OUTCOMES = Object.keys(MARKS) as Outcome[];

/** Outcomes that a merchant has to fix. */
export const isBad = (outcome: Outcome): boolean => outcome !== 'survived' && outcome !== 'noticed';

/**
 * A report for people: a table of operations by failures, and below it each run that did not survive.
 *
 * @param repeat the command that repeats a run
 */
export function toText(report: ChaosReport, repeat: (run: ChaosRun) => string): string {
  const { runs } = report;
  const details = OUTCOMES.toReversed()
    .filter((outcome) => outcome !== 'survived')
    .flatMap((outcome) => detailsOf(outcome, runs, repeat));
  const missed = runs.filter(({ met }) => !met).map(nameOf);
  const notes =
    missed.length === 0
      ? []
      : ['', `These runs did not make the call that should fail: ${missed.join(', ')}.`];
  const lines = [introOf(report), '', ...tableOf(runs), '', legendOf(runs), ...details, ...notes];
  return `${lines.join('\n')}\n`;
}

/** What the undisturbed run did. */
function introOf({ undisturbed, runs }: ChaosReport): string {
  const { operations, bought } = undisturbed;
  const countOf = (isCounted: (operation: string) => boolean) =>
    bought
      .filter(({ operation }) => isCounted(operation))
      .reduce((sum, { count }) => sum + count, 0);
  const policies = counted(countOf(isVerify), 'policy', 'policies');
  const renewals = counted(
    countOf((operation) => !isVerify(operation)),
    'renewal',
    'renewals',
  );
  const called = counted(operations.length, 'operation', 'operations');
  return `The program called ${called} and bought ${policies} and ${renewals}.\n${counted(runs.length, 'run', 'runs')} with one failure each:`;
}

const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

const nameOf = ({ operation, failure }: Pick<ChaosRun, 'operation' | 'failure'>): string =>
  `${operation}:${failure}`;

function tableOf(runs: readonly ChaosRun[]): string[] {
  const failures = FAILURES.map(({ failure }) => failure).filter((failure) =>
    runs.some((run) => run.failure === failure),
  );
  const operations = [...new Set(runs.map(({ operation }) => operation))];
  const nameWidth = Math.max(...operations.map(({ length }) => length));
  const line = (name: string, cells: readonly string[]) =>
    [
      name.padEnd(nameWidth),
      ...cells.map((cell, place) => cell.padEnd(failures[place]?.length ?? 0)),
    ]
      .join('  ')
      .trimEnd();
  return [
    line('', failures),
    ...operations.map((operation) =>
      line(
        operation,
        failures.map((failure) => {
          const run = runs.find((each) => each.operation === operation && each.failure === failure);
          return run ? MARKS[run.outcome] : '';
        }),
      ),
    ),
  ];
}

/** The number of runs of each outcome, with its mark. */
const legendOf = (runs: readonly ChaosRun[]): string =>
  OUTCOMES.flatMap((outcome) => {
    const count = runs.filter((run) => run.outcome === outcome).length;
    return count === 0 ? [] : `${MARKS[outcome]} ${count} ${outcome}`;
  }).join('   ');

/** The runs that ended in one way. Runs of an operation that did the same share a heading. */
function detailsOf(
  outcome: Outcome,
  runs: readonly ChaosRun[],
  repeat: (run: ChaosRun) => string,
): string[] {
  const commands = new Map<string, string[]>();
  for (const run of runs.filter((each) => each.outcome === outcome)) {
    const heading = `  ${run.operation}: ${saying(run)}`;
    commands.set(heading, [...(commands.get(heading) ?? []), `    ${repeat(run)}`]);
  }
  if (commands.size === 0) return [];
  const title = `${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}`;
  return ['', title, ...[...commands].flat(2)];
}

/** What a run did, in a line. */
function saying({ operation, exit, error, differences }: ChaosRun): string {
  const ended =
    exit === null ? 'no end in time' : error === undefined ? `exit ${exit}` : `threw ${error}`;
  const sold = differences.map((each) => {
    const what = isVerify(each.operation)
      ? counted(each.bought, 'policy', 'policies')
      : counted(each.bought, 'renewal', 'renewals');
    const where = each.operation === operation ? '' : ` (${each.operation})`;
    return `${what} instead of ${each.undisturbed} for ${truncateLine(each.customer)}${where}`;
  });
  return [truncateLine(ended), ...sold].join('; ');
}
