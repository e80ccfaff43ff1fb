import type { AssumptionId } from '../world/assumptions.ts';
import { type Difference, timesOf } from './differences.ts';

/** A difference, and the profile value under which a sandbox answers alike. */
export interface ToldDifference extends Difference<string> {
  /** Tried on the twin; undefined where no profile explains it. */
  readonly profile?: Readonly<Record<string, unknown>>;
}

/** How many calls of an operation agree with the contract, differ, and were left out. */
export type OperationResult = { readonly operation: string } & Counts<'not_asked'>;

type Counts<LeftOut extends string> = { readonly agrees: number; readonly differs: number } & {
  readonly [key in LeftOut]?: number;
};

/** Calls that were not asked, for one reason. */
export interface NotAsked {
  readonly reason: string;
  readonly calls: number;
  /** What the first of them would have shown. */
  readonly example: string;
}

export interface AssumptionResult {
  readonly id: AssumptionId;
  readonly outcome: 'confirmed' | 'contradicted' | 'not asked';
}

/** A call that was compared, for those who read test results. */
export interface CallResult {
  readonly operation: string;
  readonly scenario: string;
  readonly shows: string;
  readonly outcome: 'agrees' | 'differs' | 'not asked';
  readonly reason?: string;
  readonly differences: readonly {
    readonly path: string;
    readonly expected: string;
    readonly seen: string;
  }[];
}

/** What a check found. Holds no key. */
export interface Report {
  readonly version: 2;
  readonly url: string;
  readonly families: readonly string[];
  /** Whether nothing was bought or renewed. */
  readonly read_only: boolean;
  /** Whether the server has the control plane of a sandbox, and so a clock that can be moved. */
  readonly control_plane: boolean;
  readonly requests: number;
  /** What there is to say that is no difference. */
  readonly notes: readonly string[];
  /** Each difference once; those that no profile explains first. */
  readonly differences: readonly ToldDifference[];
  readonly not_asked: readonly NotAsked[];
  readonly operations: readonly OperationResult[];
  readonly assumptions: readonly AssumptionResult[];
  readonly calls: readonly CallResult[];
  /** The profile under which a sandbox answers as this server does, as far as one can. */
  readonly profile: {
    readonly version: 1;
    readonly decisions: Readonly<Record<string, unknown>>;
  };
  /** The assumptions that the server contradicts and no profile can set so. */
  readonly not_in_profile: readonly AssumptionId[];
}

/** How many differences a short report tells in full. */
const MAX_IN_FULL = 10;
/** How many lines it has for the others, and for what was not asked. */
const MAX_LINES = 8;

/** A report for people: what differs first, then what was not asked; `all` adds every operation and assumption. */
export function toText(report: Report, all = false): string {
  const { differences, operations, requests, read_only } = report;
  const purchases = read_only ? ', none of them a purchase' : '';
  const inFull = all ? differences.length : MAX_IN_FULL;
  const rest = differences.slice(inFull);
  const lines = [
    `${report.url} compared with the contract in ${requests} requests${purchases}.`,
    ...report.notes.map((note) => `Note: ${note}`),
    '',
    ...differenceLines(differences, inFull),
    ...(rest.length > 0 ? ['', 'Also:'] : []),
    ...cut(rest.map(shortLine), all),
    '',
    ...cut(report.not_asked.map(notAskedLine), all),
    ...(all
      ? [
          ...operations.map(operationLine),
          '',
          'Assumptions:',
          ...report.assumptions.map(({ id, outcome }) => `  ${outcome.padEnd(12)}  ${id}`),
          '',
        ]
      : []),
    ...profileLines(report),
  ];
  return textOf(lines);
}

/** Lines as a text, with one empty line at most between two others. */
export const textOf = (lines: readonly string[]): string =>
  `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;

const cut = (lines: readonly string[], all: boolean): readonly string[] =>
  all || lines.length <= MAX_LINES
    ? lines
    : [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} more; --all shows them.`];

/** `1 difference`, `2 differences in 14 places`. */
function timesLine(differences: readonly Difference[]): string {
  const times = timesOf(differences);
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  return times === differences.length ? count : `${count}, seen ${times} times`;
}

/** Who shows a difference: `verifyMotorPolicy`, or `verifyMotorPolicy and 3 others`. */
function operationsOf({ places }: Difference): string {
  const [first = '', ...others] = new Set(places.map(({ operation }) => operation));
  if (others.length === 0) return first;
  return `${first} and ${others.length} other${others.length === 1 ? '' : 's'}`;
}

const basisOf = ({ assumptions }: Difference): string =>
  assumptions.length === 0 ? 'the specification' : `assumption ${assumptions.join(', ')}`;

const fullLines = (difference: ToldDifference): string[] => {
  const { path, expected, seen, example, profile } = difference;
  const times = timesOf([difference]);
  return [
    '',
    `✗ ${operationsOf(difference)}  ${path}  (${basisOf(difference)})`,
    `    expected  ${expected}`,
    `    seen      ${seen}${times > 1 ? `  (${times} times)` : ''}`,
    `    for       ${example.operation} ${example.shows}`,
    ...(profile ? [`    profile   ${JSON.stringify(profile)} answers alike`] : []),
  ];
};

const shortLine = (difference: ToldDifference): string => {
  const { path, expected, seen } = difference;
  return `✗ ${operationsOf(difference)} ${path}: expected ${expected}, seen ${seen}`;
};

const notAskedLine = ({ calls, reason, example }: NotAsked): string =>
  `NOT ASKED  ${calls === 1 ? example : `${calls} calls, such as ${example}`}: ${reason}`;

const SKIPPED = { not_asked: 'not asked', not_judged: 'not judged' };

/** How an operation fared, in a line. */
export function operationLine({
  operation,
  agrees,
  differs,
  ...skipped
}: { readonly operation: string } & Counts<'not_asked' | 'not_judged'>): string {
  const mark = differs > 0 ? '✗' : agrees > 0 ? '✓' : '–';
  const counts = [`${agrees} agree`];
  if (differs > 0) counts.push(`${differs} differ`);
  for (const key of ['not_asked', 'not_judged'] as const) {
    if (skipped[key]) counts.push(`${skipped[key]} ${SKIPPED[key]}`);
  }
  return `  ${mark} ${operation}: ${counts.join(', ')}`;
}

/** The lines that tell of differences in full. */
export const differenceLines = (
  differences: readonly ToldDifference[],
  inFull = differences.length,
): string[] => [
  differences.length === 0 ? 'No difference.' : `${timesLine(differences)}.`,
  ...differences.slice(0, inFull).flatMap(fullLines),
];

export function profileLines({
  profile,
  not_in_profile: rest,
}: Pick<Report, 'profile' | 'not_in_profile'>): string[] {
  return [
    '',
    ...(Object.keys(profile.decisions).length > 0
      ? [`A sandbox answers alike with this profile: ${JSON.stringify(profile.decisions)}`]
      : []),
    ...(rest.length > 0 ? [`No profile sets what was seen of: ${rest.join(', ')}.`] : []),
  ];
}

/** A report as JUnit XML: a suite for each operation. */
export function toJUnit({ url, operations, calls }: Report): string {
  const suites = operations.map(({ operation }) => {
    const own = calls.filter((call) => call.operation === operation);
    const count = (outcome: CallResult['outcome']) =>
      own.filter((call) => call.outcome === outcome).length;
    return [
      `  <testsuite name="${attribute(operation)}" tests="${own.length}" failures="${count('differs')}" skipped="${count('not asked')}">`,
      ...own.map(testCase),
      '  </testsuite>',
    ].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${attribute(`check ${url}`)}">
${suites.join('\n')}
</testsuites>
`;
}

function testCase({
  operation,
  scenario,
  shows,
  outcome,
  reason,
  differences,
}: CallResult): string {
  const head = `    <testcase classname="${attribute(operation)}" name="${attribute(`${scenario}: ${shows}`)}"`;
  if (outcome === 'agrees') return `${head}/>`;
  if (outcome === 'not asked')
    return `${head}><skipped message="${attribute(reason ?? '')}"/></testcase>`;
  const told = differences.map(
    ({ path, expected, seen }) => `${path}: expected ${expected}, seen ${seen}`,
  );
  return `${head}><failure message="${attribute(told[0] ?? '')}">${attribute(told.join('\n'))}</failure></testcase>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const attribute = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no place for them
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => ESCAPES[character] as string);
