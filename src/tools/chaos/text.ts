/* The report of `chaos` for people. */

import { isVerify } from '../../products/world.ts';
import { truncateLine } from '../../scenarios/json.ts';
import { type Colour, coloured } from '../../world/colours.ts';
import { FAILURES } from './failures.ts';
import type { ChaosReport, ChaosRun, Outcome } from './public.ts';
import { type Disturbance, nameOf } from './selection.ts';

/** The marks of the outcomes in the table, the worst last. */
const MARKS: Readonly<Record<Outcome, string>> = {
  survived: '✓',
  noticed: '!',
  hung: '∞',
  'false success': '✗',
  'bought twice': '2×',
};
export const OUTCOMES = Object.keys(MARKS) as Outcome[];

/** The mark of a run that did not make the call. */
const NOT_MET = '–';

/** Outcomes that a merchant has to fix. */
export const isBad = (outcome: Outcome): boolean => outcome !== 'survived' && outcome !== 'noticed';

/** Whether a run says nothing about its failure: the call was not made, and nothing else is wrong. */
const isVoid = ({ met, outcome }: ChaosRun): boolean => !met && !isBad(outcome);

const colourOf = (outcome: Outcome): Colour =>
  outcome === 'survived' ? 'green' : outcome === 'noticed' ? 'yellow' : 'red';

/** Writes a text in a colour. */
type Paint = (text: string, colour: Colour) => string;

/**
 * A report for people: a table of operations by failures, how much of the program it is about, and below it each run
 * that did not survive.
 *
 * @param repeat the command or option that repeats a run
 */
export function toText(
  { undisturbed, operations, runs }: ChaosReport,
  repeat: (run: Disturbance) => string,
  { colours = false }: { readonly colours?: boolean } = {},
): string {
  const paint: Paint = (text, colour) => coloured(text, colour, colours);
  const details = OUTCOMES.toReversed()
    .filter((outcome) => outcome !== 'survived')
    .flatMap((outcome) => detailsOf(outcome, runs, repeat, paint));
  const lines = [
    introOf(undisturbed, operations),
    `${counted(runs.length, 'run', 'runs')} with a failure of one call each:`,
    '',
    ...tableOf(operations, runs, paint),
    '',
    legendOf(runs, paint),
    ...details,
    ...notMet(runs),
  ];
  return `${lines.join('\n')}\n`;
}

/** What the undisturbed run did. */
function introOf(
  { bought }: ChaosReport['undisturbed'],
  operations: ChaosReport['operations'],
): string {
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
  const calls = counted(
    operations.reduce((sum, each) => sum + each.calls, 0),
    'call',
    'calls',
  );
  const called = counted(operations.length, 'operation', 'operations');
  return `The program made ${calls} of ${called}, and bought ${policies} and ${renewals}.`;
}

const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

/** A row for each operation: how many of its calls were disturbed, and the worst outcome under each failure. */
function tableOf(
  operations: ChaosReport['operations'],
  runs: readonly ChaosRun[],
  paint: Paint,
): string[] {
  const failures = FAILURES.map(({ failure }) => failure).filter((failure) =>
    runs.some((run) => run.failure === failure),
  );
  const nameWidth = Math.max(...operations.map(({ operation }) => operation.length));
  const coverageOf = ({ calls, disturbed }: (typeof operations)[number]) =>
    `${disturbed} of ${counted(calls, 'call', 'calls')}`;
  const coverageWidth = Math.max(...operations.map((row) => coverageOf(row).length));
  return [
    ['', ''.padEnd(nameWidth + coverageWidth), ...failures].join('  ').trimEnd(),
    ...operations.map((row) => {
      const cells = failures.map((failure) => {
        const own = runs.filter(
          (run) => run.operation === row.operation && run.failure === failure,
        );
        const { mark, colour } = markOf(own);
        return paint(mark, colour) + ' '.repeat(Math.max(0, failure.length - mark.length));
      });
      const head = [row.operation.padEnd(nameWidth), coverageOf(row).padEnd(coverageWidth)];
      return [...head, ...cells].join('  ').trimEnd();
    }),
  ];
}

/** The mark of the worst run. */
function markOf(runs: readonly ChaosRun[]): { mark: string; colour: Colour } {
  if (runs.length === 0) return { mark: '', colour: 'green' };
  const told = runs.filter((run) => !isVoid(run));
  const worst = OUTCOMES.findLast((outcome) => told.some((run) => run.outcome === outcome));
  return worst === undefined
    ? { mark: NOT_MET, colour: 'yellow' }
    : { mark: MARKS[worst], colour: colourOf(worst) };
}

/** The number of runs of each outcome, with its mark. */
function legendOf(runs: readonly ChaosRun[], paint: Paint): string {
  const told = runs.filter((run) => !isVoid(run));
  const entries = OUTCOMES.flatMap((outcome) => {
    const count = told.filter((run) => run.outcome === outcome).length;
    return count === 0 ? [] : paint(`${MARKS[outcome]} ${count} ${outcome}`, colourOf(outcome));
  });
  const missed = runs.length - told.length;
  if (missed > 0) entries.push(paint(`${NOT_MET} ${missed} did not happen`, 'yellow'));
  return entries.join('   ');
}

/** The runs that did not make the call that should fail. */
function notMet(runs: readonly ChaosRun[]): string[] {
  const missed = runs.filter(({ met }) => !met).map(nameOf);
  return missed.length === 0
    ? []
    : [
        '',
        `These runs made fewer calls than the undisturbed run, so their failure did not happen: ${missed.join(', ')}.`,
      ];
}

/**
 * The runs that ended in one way, those of an operation that did the same under one heading. The calls of the first of
 * them show the mistake.
 */
function detailsOf(
  outcome: Outcome,
  runs: readonly ChaosRun[],
  repeat: (run: Disturbance) => string,
  paint: Paint,
): string[] {
  const groups = new Map<string, ChaosRun[]>();
  for (const run of runs.filter((each) => each.outcome === outcome && !isVoid(each))) {
    const heading = `  ${run.operation}: ${summaryOf(run)}`;
    groups.set(heading, [...(groups.get(heading) ?? []), run]);
  }
  if (groups.size === 0) return [];
  const title = `${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}`;
  return [
    '',
    paint(title, colourOf(outcome)),
    ...[...groups].flatMap(([heading, own]) => [
      heading,
      ...(isBad(outcome) ? callsOf(own) : []),
      ...own.map((run) => `    ${repeat(run)}`),
    ]),
  ];
}

function callsOf([first, ...others]: readonly ChaosRun[]): string[] {
  if (!first || first.calls.length === 0) return [];
  const title = others.length === 0 ? [] : [`    The calls of ${nameOf(first)}:`];
  return [...title, ...first.calls.map((line) => `    ${line}`.trimEnd())];
}

/** What a run did, in a line. */
function summaryOf({ operation, exit, error, differences }: ChaosRun): string {
  const ended =
    exit === null ? 'no end in time' : error === undefined ? `exit ${exit}` : `threw ${error}`;
  const bought = differences.map((each) => {
    const what = isVerify(each.operation)
      ? counted(each.bought, 'policy', 'policies')
      : counted(each.bought, 'renewal', 'renewals');
    const where = each.operation === operation ? '' : ` (${each.operation})`;
    return `${what} instead of ${each.undisturbed} for ${truncateLine(each.customer)}${where}`;
  });
  return [truncateLine(ended), ...bought].join('; ');
}
