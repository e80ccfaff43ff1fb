import type { AssumptionId } from '../core/assumptions.ts';
import {
  CONTRACT,
  type Difference,
  groupDifferences,
  profileLimits,
  summaryLines,
  timesOf,
} from './differences.ts';

export interface ProbeResult {
  readonly name: string;
  readonly operation: string;
  readonly outcome: 'agrees' | 'differs' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
  readonly differences: readonly Difference[];
}

interface SummedDifference extends Difference {
  /** The probe that saw it first. */
  readonly probe: string;
  readonly count: number;
}

interface OperationResult {
  readonly operation: string;
  readonly agrees: number;
  readonly differs: number;
  readonly skipped: number;
}

export interface AssumptionResult {
  readonly id: AssumptionId;
  readonly outcome: 'confirmed' | 'contradicted' | 'not observable';
  /** Observations that agreed and that did not. */
  readonly agreed: number;
  readonly differed: number;
  /** Why it could not be observed. */
  readonly reason?: string;
}

/** What a check found. Holds no key. Reports and profiles call the assumptions decisions. */
export interface Report {
  readonly version: 1;
  readonly url: string;
  readonly families: readonly string[];
  /** Whether nothing was bought or renewed. */
  readonly read_only: boolean;
  /** Whether the server has the control plane of a sandbox, and so a clock that can be moved. */
  readonly control_plane: boolean;
  readonly requests: number;
  /** What there is to say that is no difference. */
  readonly notes: readonly string[];
  /** What differs: each difference once, where it was seen first. */
  readonly summary: readonly SummedDifference[];
  readonly operations: readonly OperationResult[];
  readonly probes: readonly ProbeResult[];
  readonly decisions: readonly AssumptionResult[];
  /** The assumptions that the server takes otherwise: the content of a profile. */
  readonly profile: {
    readonly version: 1;
    readonly decisions: Readonly<Record<string, unknown>>;
  };
  /** What the server does otherwise and no profile can express. */
  readonly not_in_profile: readonly AssumptionId[];
}

export const differencesOf = ({ probes }: Pick<Report, 'probes'>): Difference[] =>
  probes.flatMap(({ differences }) => differences);

/** Each difference once, with the probe that saw it first and how often it was seen. */
export function summaryOf(probes: readonly ProbeResult[]): SummedDifference[] {
  const seen = probes.flatMap(({ name, differences }) =>
    differences.map((difference) => ({ ...difference, probe: name })),
  );
  return groupDifferences(seen).map(({ first, all }) => ({ ...first, count: all.length }));
}

/** How each operation fared, in the order they were asked first. */
export function operationResults(probes: readonly ProbeResult[]): OperationResult[] {
  const results = new Map<string, { agrees: number; differs: number; skipped: number }>();
  for (const { operation, outcome } of probes) {
    const counts = results.get(operation) ?? { agrees: 0, differs: 0, skipped: 0 };
    counts[outcome] += 1;
    results.set(operation, counts);
  }
  return [...results].map(([operation, counts]) => ({ operation, ...counts }));
}

const MAX_CHARACTERS = 160;

/** A value as a report shows it. Hide secrets first: what is cut could hide half of one. */
export const showValue = (value: unknown): string =>
  value === undefined ? 'nothing' : truncateLine(JSON.stringify(value) ?? String(value));

/** A text on one line, cut where it is long. */
export function truncateLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a server's text must not steer a terminal
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS)}…`;
}

/** A report for people: what differs in short, by assumption and by operation; then each difference, and every assumption. */
export function toText(report: Report): string {
  const { decisions, operations } = report;
  const differences = differencesOf(report);
  const lines = [
    `${report.url} held against the contract with ${report.requests} requests${report.read_only ? ', none of them a purchase' : ''}.`,
    ...report.notes.map((note) => `Note: ${note}`),
    '',
    ...summaryLines(
      differences,
      operations.map(({ skipped, ...counts }) => ({ ...counts, rest: [skipped, 'not asked'] })),
    ),
    ...operations.flatMap(({ operation }) => differenceLines(report, operation)),
    '',
    'Decisions the contract leaves open:',
  ];
  const widest = Math.max(...decisions.map(({ id }) => id.length));
  for (const { id, outcome, reason } of decisions) {
    lines.push(`  ${id.padEnd(widest)}  ${outcome}${reason === undefined ? '' : `: ${reason}`}`);
  }
  const count = (outcome: string) => decisions.filter((each) => each.outcome === outcome).length;
  const groups = groupDifferences(differences);
  lines.push(
    '',
    `${groups.length === 0 ? 'No difference' : timesOf(groups)}. Decisions: ${count('confirmed')} confirmed, ${count('contradicted')} contradicted, ${count('not observable')} not observable.`,
  );
  lines.push(...profileLimits(report.not_in_profile));
  return `${lines.join('\n')}\n`;
}

/** The differences of an operation, each once, with the probe that saw it first. */
function differenceLines({ summary }: Report, operation: string): string[] {
  const own = summary.filter((difference) => difference.operation === operation);
  if (own.length === 0) return [];
  return [
    '',
    `${operation}:`,
    ...own.flatMap(({ path, expected, seen, decisions, probe, count }) => {
      const more = count > 1 ? `, and ${count - 1} more of the kind` : '';
      const basis = decisions.length > 0 ? `decision ${decisions.join(', ')}` : CONTRACT;
      return [
        `    ${path}`,
        `      expected  ${expected}`,
        `      seen      ${seen}`,
        `      where it ${probe}${more} (${basis})`,
      ];
    }),
  ];
}

/** A report as JUnit XML: a suite for each operation, and one for the assumptions. */
export function toJUnit(report: Report): string {
  const { operations, probes, decisions } = report;
  const suites = operations.map(({ operation }) =>
    suite(operation, probes.filter((probe) => probe.operation === operation).map(probeCase)),
  );
  suites.push(suite('decisions', decisions.map(assumptionCase)));
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${attribute(`check ${report.url}`)}">
${suites.join('\n')}
</testsuites>
`;
}

interface Case {
  readonly name: string;
  readonly failure?: { readonly message: string; readonly text: string };
  readonly skipped?: string;
}

function suite(name: string, cases: readonly Case[]): string {
  const failures = cases.filter(({ failure }) => failure).length;
  const skipped = cases.filter(({ skipped }) => skipped !== undefined).length;
  const lines = cases.map((each) => testCase(name, each));
  return `  <testsuite name="${attribute(name)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}">
${lines.join('\n')}
  </testsuite>`;
}

function testCase(suiteName: string, { name, failure, skipped }: Case): string {
  const head = `    <testcase classname="${attribute(suiteName)}" name="${attribute(name)}"`;
  if (failure) {
    return `${head}>\n      <failure message="${attribute(failure.message)}">${escaped(failure.text)}</failure>\n    </testcase>`;
  }
  if (skipped !== undefined) {
    return `${head}>\n      <skipped message="${attribute(skipped)}"/>\n    </testcase>`;
  }
  return `${head}/>`;
}

function probeCase({ name, outcome, reason, differences }: ProbeResult): Case {
  if (outcome === 'agrees') return { name };
  if (outcome === 'skipped') return { name, skipped: reason ?? '' };
  const lines = groupDifferences(differences).map(({ first, all }) =>
    all.length === 1 ? line(first) : `${line(first)} (${all.length} times)`,
  );
  return { name, failure: { message: lines[0] as string, text: lines.join('\n') } };
}

// A contradicted assumption fails where it was seen; here it would fail a second time.
function assumptionCase({ id, outcome, reason }: AssumptionResult): Case {
  if (outcome === 'confirmed') return { name: id };
  return { name: id, skipped: reason === undefined ? outcome : `${outcome}: ${reason}` };
}

const line = ({ path, expected, seen }: Difference): string =>
  `${path}: expected ${expected}, seen ${seen}`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

// XML 1.0 has no way at all to write most control characters.
const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what this removes
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] as string);

const attribute = (text: string): string => escaped(text).replace(/[\t\r\n]+/g, ' ');
