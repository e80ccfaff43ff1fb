/* The report of `chaos` for people: what differs, and below it a table. */

import { roleOf } from '../../products/world.ts';
import { type Colour, coloured } from '../../world/colours.ts';
import { counted } from '../../world/grouped.ts';
import { printable } from '../../world/printable.ts';
import { groupBy } from '../reports.ts';
import { FAILURE_NAMES } from './failures.ts';
import type { OtherWorld } from './judge.ts';
import type { BoughtDifference, ChaosReport, ChaosRun, Outcome } from './public.ts';
import type { Disturbance } from './selection.ts';

/** The marks of the outcomes in the table, the worst last. */
const MARKS: Readonly<Record<Outcome, string>> = {
  survived: '✓',
  noticed: '!',
  'did not come': '–',
  hung: '∞',
  'false success': '✗',
  'bought twice': '2×',
};
export const OUTCOMES = Object.keys(MARKS) as Outcome[];

/** Outcomes that a merchant has to fix, or that leave a question open. */
export const isBad = (outcome: Outcome): boolean => outcome !== 'survived' && outcome !== 'noticed';

/** The exit code of the command. */
export const exitOf = (runs: readonly Pick<ChaosRun, 'outcome'>[], isStrict: boolean): 0 | 1 =>
  runs.some(({ outcome }) => isBad(outcome) || (isStrict && outcome === 'noticed')) ? 1 : 0;

const colourOf = (outcome: Outcome): Colour =>
  outcome === 'survived' ? 'green' : isBad(outcome) ? 'red' : 'yellow';

/** Writes a text in the colour of an outcome. */
type Paint = (text: string, outcome: Outcome) => string;

/** The highest number of lines of a list. */
const MAX_LISTED = 20;
/** How many mistakes of each outcome are shown with their calls. */
const MAX_STORIES = 3;
const ONLY_FIRST = `Only the first ${MAX_STORIES} are shown with their calls; --json has all.`;

/** A report whose text can have colours. */
export interface FullReport extends ChaosReport {
  toString(colours?: boolean): string;
}

/** What only the text tells. */
export interface TextOptions {
  /** Worlds that the undisturbed run does not have. */
  readonly others?: readonly OtherWorld[];
  /** Runs of which it is not known whether the program failed because of them. */
  readonly unsure?: readonly ChaosRun[];
  /** Whether several processes have merchants of one name. */
  readonly hasSameNames?: boolean;
  readonly colours?: boolean;
}

/** @param repeat the command or option that repeats runs */
export function toText(
  { undisturbed, operations, runs, complete }: Omit<ChaosReport, 'toString'>,
  repeat: (runs: readonly Disturbance[]) => string,
  { others = [], unsure = [], hasSameNames = false, colours = false }: TextOptions = {},
): string {
  const paint: Paint = (text, outcome) => coloured(text, colourOf(outcome), colours);
  const isAlone = undisturbed.worlds.length === 1;
  const details = OUTCOMES.toReversed()
    .filter((outcome) => outcome !== 'survived')
    .flatMap((outcome) => {
      const own = runs.filter((run) => run.outcome === outcome);
      if (own.length === 0) return [];
      const title = paint(`${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}`, outcome);
      const isShort = outcome === 'noticed' || outcome === 'did not come';
      const lines = isShort ? listOf(own, isAlone) : detailsOf(own, isAlone, repeat);
      const isLate = outcome === 'did not come' && own.some(({ exit }) => exit !== 0);
      const isUnsure = own.some((run) => unsure.includes(run)) && outcome !== 'did not come';
      return [title, ...lines, ...(isLate ? [NOT_REACHED] : []), ...(isUnsure ? [UNSURE] : []), ''];
    });
  const lines = [
    ...(complete ? [] : ['Stopped before the last run: this report is not complete.', '']),
    ...details,
    ...othersOf(others),
    introOf(undisturbed, operations),
    ...(hasSameNames ? SAME_NAMES : []),
    '',
    ...tableOf(operations, runs),
    '',
    ...legendOf(runs, paint),
    ...notTried(runs),
  ];
  return `${lines.join('\n')}\n`;
}

/** What to do about Worlds that more failing tests kept from coming than there are runs. */
const NOT_REACHED =
  '  Their runs failed before they were reached. Let the test runner go on after a failure.';

/** What to do about a program that fails because of more Worlds than there are runs to find out which. */
const UNSURE =
  '  There were too few runs to find out which of these failed. A test kit would tell.';

/** What to do about Worlds that several processes have. */
const SAME_NAMES = [
  'Several processes have merchants of one name. These are disturbed together, and',
  'the exit code stands for all. Give each a name of its own, or use a test kit.',
];

/** What the undisturbed run did. */
function introOf(
  { worlds }: ChaosReport['undisturbed'],
  operations: ChaosReport['operations'],
): string {
  const bought = worlds.flatMap((world) => world.bought);
  const countOf = (isRenewal: boolean) =>
    bought
      .filter(({ operation }) => (roleOf(operation) === 'renew') === isRenewal)
      .reduce((sum, { count }) => sum + count, 0);
  const policies = counted(countOf(false), 'policy', 'policies');
  const renewals = counted(countOf(true), 'renewal');
  const total = operations.reduce((sum, { calls }) => sum + calls, 0);
  const merchants = worlds.length === 1 ? '' : ` for ${worlds.length} merchants`;
  return `Undisturbed: ${counted(total, 'call')}${merchants}, ${policies} and ${renewals}.`;
}

/**
 * Runs of one World that did the same under one heading. The calls of the first of them show the mistake. Further mistakes
 * have a line each.
 */
function detailsOf(
  runs: readonly ChaosRun[],
  isAlone: boolean,
  repeat: (runs: readonly Disturbance[]) => string,
): string[] {
  const groups = groupBy(runs, (run) => `  ${headOf(run, isAlone)}: ${summaryOf(run)}`);
  const lines = [...groups].flatMap(([heading, own], at) => {
    const failures = own.map(({ failure }) => failure).join(', ');
    if (at >= MAX_STORIES) return [`${heading}; ${failures}`];
    const [first] = own;
    return [
      heading,
      ...(own.length > 1 ? [`    ${failures}; the calls of ${first?.failure}:`] : []),
      ...(first?.calls ?? []).map((line) => `    ${line}`.trimEnd()),
      `    ${repeat(own)}`,
    ];
  });
  return [...lines, ...(groups.size > MAX_STORIES ? [`  ${ONLY_FIRST}`] : [])];
}

/** A line for each call, with its failures. */
function listOf(runs: readonly ChaosRun[], isAlone: boolean): readonly string[] {
  const groups = groupBy(runs, (run) => headOf(run, isAlone));
  const lines = [...groups].map(
    ([head, own]) => `  ${head}: ${own.map(({ failure }) => failure).join(', ')}`,
  );
  return shortened(lines);
}

function shortened(lines: readonly string[]): readonly string[] {
  const more = lines.length - MAX_LISTED;
  return more <= 0 ? lines : [...lines.slice(0, MAX_LISTED), `  … ${more} more; see --json`];
}

const headOf = ({ merchant, operation, call }: ChaosRun, isAlone: boolean): string =>
  printable(isAlone ? `${operation}#${call}` : `${merchant}, ${operation}#${call}`);

/** How a run ended, and what was bought otherwise, in a line. */
function summaryOf({ passed, exit, error, earlierAttempts = 0, differences }: ChaosRun): string {
  const failed = error === undefined ? `failed, exit ${exit}` : `threw ${error}`;
  const ended = passed ? 'passed' : exit === null ? 'no end in time' : failed;
  const attempts = earlierAttempts > 0 ? [`attempt ${earlierAttempts + 1}`] : [];
  const words = [ended.split('\n', 1)[0] ?? '', ...attempts, ...differences.map(differenceText)];
  return printable(words.join('; '));
}

/** `2 policies instead of 1 (product 3, yearly, ₦50,000, Ada Obi)` */
function differenceText(difference: BoughtDifference): string {
  const { bought, undisturbed, product, plan, premium, holder, insured, renewal } = difference;
  const what =
    renewal === undefined
      ? counted(bought, 'policy', 'policies')
      : renewal === 1
        ? counted(bought, 'renewal')
        : `renewal ${renewal} of a policy: ${bought}`;
  const terms = [
    `product ${product}`,
    plan,
    premium === null ? '' : `₦${premium.toLocaleString('en')}`,
    holder,
    insured,
  ];
  return `${what} instead of ${undisturbed} (${terms.filter(Boolean).join(', ')})`;
}

/** A row for each operation: how many of its calls were disturbed, and how often they ended in each way. */
function tableOf(operations: ChaosReport['operations'], runs: readonly ChaosRun[]): string[] {
  const outcomes = OUTCOMES.filter((outcome) => runs.some((run) => run.outcome === outcome));
  const rows = operations.map(({ operation, calls, disturbed }) => [
    operation,
    `${disturbed} of ${calls}`,
    ...outcomes.map((outcome) => {
      const own = runs.filter((run) => run.operation === operation && run.outcome === outcome);
      return own.length === 0 ? '' : `${own.length}`;
    }),
  ]);
  const table = [['', 'disturbed', ...outcomes.map((outcome) => MARKS[outcome])], ...rows];
  const widthOf = (at: number) => Math.max(...table.map((row) => row[at]?.length ?? 0));
  return table.map(([operation = '', ...cells]) =>
    [operation.padEnd(widthOf(0)), ...cells.map((cell, at) => cell.padStart(widthOf(at + 1)))]
      .join('  ')
      .trimEnd(),
  );
}

/** How many outcomes a line has room for. */
const LEGEND = 3;

/** The number of each outcome, with its mark. */
function legendOf(runs: readonly ChaosRun[], paint: Paint): string[] {
  const counts = OUTCOMES.flatMap((outcome) => {
    const count = runs.filter((run) => run.outcome === outcome).length;
    return count === 0 ? [] : paint(`${MARKS[outcome]} ${count} ${outcome}`, outcome);
  });
  const lines = [counts.slice(0, LEGEND), counts.slice(LEGEND)];
  return lines.filter((line) => line.length > 0).map((line) => line.join('   '));
}

/** The merchants that the undisturbed run does not have. */
function othersOf(others: readonly OtherWorld[]): string[] {
  if (others.length === 0) return [];
  const lines = others.map(({ merchant, failure, bought }) => {
    const count = bought.reduce((sum, each) => sum + each.count, 0);
    return `  ${printable(merchant)}: ${counted(count, 'purchase')} under ${failure}`;
  });
  return [
    'Only in runs with failures, and not judged',
    ...shortened([...new Set(lines)]),
    '  A test that is tried again may have a merchant for each attempt.',
    '',
  ];
}

/** The failures that no run tried. */
function notTried(runs: readonly ChaosRun[]): string[] {
  const left = FAILURE_NAMES.filter((failure) => !runs.some((run) => run.failure === failure));
  return left.length === 0 ? [] : ['Not tried:', `  ${left.join(', ')}`];
}
