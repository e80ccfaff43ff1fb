/* The report of a check: its types, and how it reads as text and as JUnit XML. */

import { truncateLine } from '../../scenarios/json.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import { printable } from '../../world/printable.ts';
import { type Difference, timesOf } from './differences.ts';

/** A difference, and the profile value that makes a sandbox respond the same way. */
export interface ToldDifference extends Difference<string> {
  /** Tested on the twin; undefined if no profile explains the difference. */
  readonly profile?: Readonly<Record<string, unknown>>;
}

/** How many requests to an operation agree with the contract, differ, and were not sent. */
export type OperationResult = { readonly operation: string } & Counts<'not_asked'>;

type Counts<LeftOut extends string> = { readonly agrees: number; readonly differs: number } & {
  readonly [key in LeftOut]?: number;
};

/** Requests that were not sent, for one reason. */
export interface NotAsked {
  readonly reason: string;
  readonly calls: number;
  /** The first of these requests. */
  readonly example: string;
}

export interface AssumptionResult {
  readonly id: AssumptionId;
  /** Explained by the profile, contradicted and remaining with it, confirmed by a response, or not asked about. */
  readonly outcome: 'explained' | 'remaining' | 'confirmed' | 'not asked';
}

/** The result of one request, for test reports. */
export interface CheckedCall {
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

/** What a check found. Contains no key. */
export interface Report {
  readonly version: 3;
  readonly url: string;
  readonly families: readonly string[];
  /** Whether the check bought and renewed nothing. */
  readonly read_only: boolean;
  /** Whether the server has the control plane of a sandbox, so that its clock can be moved. */
  readonly control_plane: boolean;
  readonly requests: number;
  /** Remarks that are not differences. */
  readonly notes: readonly string[];
  /** Each difference once: first those that hide others, then by the number of places. */
  readonly differences: readonly ToldDifference[];
  readonly not_asked: readonly NotAsked[];
  readonly operations: readonly OperationResult[];
  readonly assumptions: readonly AssumptionResult[];
  readonly calls: readonly CheckedCall[];
  /** The profile that makes a sandbox respond like this server, as far as possible. */
  readonly profile: {
    readonly version: 1;
    readonly decisions: Readonly<Record<string, unknown>>;
  };
  /** Assumptions that are still contradicted with the profile. */
  readonly not_in_profile: readonly AssumptionId[];
}

/** Differences that a short report shows in full. */
const MAX_IN_FULL = 5;
/** Lines of a short report for the other differences. */
const MAX_LINES = 11;
/** Lines of a short report for requests that were not sent. */
const MAX_NOT_ASKED = 3;

/** A report for people that fits a screen: a summary, then differences. `all` adds the rest, operations and assumptions. */
export function toText(report: Report, all = false): string {
  const { differences, operations, requests, read_only } = report;
  const purchases = read_only ? ', without purchases' : '';
  const inFull = all ? differences.length : MAX_IN_FULL;
  const rest = differences.slice(inFull);
  const lines = [
    `Compared ${report.url} with the contract in ${requests} requests${purchases}.`,
    ...report.notes.map((note) => `Note: ${note}`),
    '',
    differences.length === 0 ? 'No differences.' : `${timesLine(differences)}.`,
    ...profileLines(report),
    '',
    ...differences
      .slice(0, inFull)
      .flatMap((each) => (all ? ['', ...fullLines(each)] : fullLines(each, false))),
    ...(rest.length > 0 ? ['', 'More differences:'] : []),
    ...cut(rest.map(shortLine), MAX_LINES, all),
    '',
    ...cut(report.not_asked.map(notAskedLine), MAX_NOT_ASKED, all),
    ...(all
      ? [
          ...operations.map(operationLine),
          '',
          'Assumptions:',
          ...report.assumptions.map(({ id, outcome }) => `  ${outcome.padEnd(12)}  ${id}`),
        ]
      : []),
  ];
  return textOf(lines);
}

/** Joins lines, with at most one empty line in a row. What a server or a client wrote stays on its line. */
export const textOf = (lines: readonly string[]): string =>
  `${lines
    .map(printable)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;

const cut = (lines: readonly string[], max: number, all: boolean): readonly string[] =>
  all || lines.length <= max
    ? lines
    : [...lines.slice(0, max), `… ${lines.length - max} more; use --all to see them.`];

/** `1 difference`, `2 differences, seen 14 times`. */
function timesLine(differences: readonly Difference[]): string {
  const times = timesOf(differences);
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  return times === differences.length ? count : `${count}, seen ${times} times`;
}

/** The operations with a difference: `verifyMotorPolicy`, or `verifyMotorPolicy and 3 others`. */
function operationsOf({ places }: Difference): string {
  const [first = '', ...others] = new Set(places.map(({ operation }) => operation));
  if (others.length === 0) return first;
  return `${first} and ${others.length} other${others.length === 1 ? '' : 's'}`;
}

const basisOf = ({ assumptions }: Difference): string =>
  assumptions.length === 0 ? 'the specification' : `assumption ${assumptions.join(', ')}`;

const fullLines = (difference: ToldDifference, withRequest = true): string[] => {
  const { path, expected, seen, example, profile } = difference;
  const times = timesOf([difference]);
  return [
    `✗ ${operationsOf(difference)}  ${path}  (${basisOf(difference)})`,
    `    expected  ${expected}`,
    `    seen      ${seen}${times > 1 ? `  (${times} times)` : ''}`,
    ...(withRequest ? [`    request   ${example.operation} ${example.shows}`] : []),
    ...(profile ? [`    profile   ${truncateLine(JSON.stringify(profile))} matches`] : []),
  ];
};

const shortLine = (difference: ToldDifference): string => {
  const { path, expected, seen, profile } = difference;
  const matched = profile ? `  (profile ${truncateLine(JSON.stringify(profile))})` : '';
  return `✗ ${operationsOf(difference)} ${path}: expected ${expected}, seen ${seen}${matched}`;
};

const notAskedLine = ({ calls, reason, example }: NotAsked): string =>
  `NOT ASKED  ${calls === 1 ? example : `${calls} requests, such as ${example}`}: ${reason}`;

const SKIPPED = { not_asked: 'not asked', not_judged: 'not compared' };

/** The result of an operation, in one line. */
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

/** The lines that show differences in full. */
export const differenceLines = (differences: readonly ToldDifference[]): string[] => [
  differences.length === 0 ? 'No differences.' : `${timesLine(differences)}.`,
  ...differences.flatMap((each) => ['', ...fullLines(each)]),
];

/** What a profile explains, and how much remains with it. */
function profileLines({ profile: { decisions }, differences }: Report): string[] {
  if (Object.keys(decisions).length === 0) return [];
  const remaining = differences.filter(({ profile }) => profile === undefined).length;
  const words = JSON.stringify(decisions);
  if (remaining === 0) return [`This profile makes a sandbox respond the same way: ${words}`];
  const rest = remaining === 1 ? '1 difference remains' : `${remaining} differences remain`;
  return [`With this profile ${rest}: ${words}`];
}

/** A report as JUnit XML: a suite for each operation. */
export function toJUnit({ url, operations, calls }: Report): string {
  const suites = operations.map(({ operation }) => {
    const own = calls.filter((call) => call.operation === operation);
    const count = (outcome: CheckedCall['outcome']) =>
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
}: CheckedCall): string {
  const head = `    <testcase classname="${attribute(operation)}" name="${attribute(`${scenario}: ${shows}`)}"`;
  if (outcome === 'agrees') return `${head}/>`;
  if (outcome === 'not asked')
    return `${head}><skipped message="${attribute(reason ?? '')}"/></testcase>`;
  const lines = differences.map(
    ({ path, expected, seen }) => `${path}: expected ${expected}, seen ${seen}`,
  );
  return `${head}><failure message="${attribute(lines[0] ?? '')}">${attribute(lines.join('\n'))}</failure></testcase>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const attribute = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow them
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => ESCAPES[character] as string);
