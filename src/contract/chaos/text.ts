import { truncateLine } from '../json.ts';
import { FAILURES } from './failures.ts';
import type { ChaosReport, ChaosRun, Outcome } from './public.ts';

/** The marks of the outcomes in the table, the worst last. */
const MARKS: Readonly<Record<Outcome, string>> = {
  survived: '✓',
  noticed: '!',
  'false success': '✗',
  'bought twice': '2×',
  hung: '∞',
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
  return `${[...tableOf(runs), '', legendOf(runs), ...details, ...notes].join('\n')}\n`;
}

export const nameOf = ({ operation, failure }: Pick<ChaosRun, 'operation' | 'failure'>): string =>
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

function detailsOf(
  outcome: Outcome,
  runs: readonly ChaosRun[],
  repeat: (run: ChaosRun) => string,
): string[] {
  const own = runs.filter((run) => run.outcome === outcome);
  if (own.length === 0) return [];
  const title = `${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}`;
  return [
    '',
    title,
    ...own.flatMap((run) => [`  ${nameOf(run)}  ${saying(run)}`, `    ${repeat(run)}`]),
  ];
}

/** What a run did, in a line. */
function saying({ exit, error, differences }: ChaosRun): string {
  const ended =
    exit === null ? 'did not end' : error === undefined ? `exit ${exit}` : `threw ${error}`;
  const bought = differences.map(
    ({ operation, customer, bought, undisturbed }) =>
      `${operation} ${bought} instead of ${undisturbed} (${truncateLine(customer)})`,
  );
  return [truncateLine(ended), ...bought].join('; ');
}
