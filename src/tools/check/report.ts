/* The report of a check: its type, and how it reads as text and as JUnit XML. */

import { printable } from '../../world/printable.ts';
import { count } from '../violations.ts';
import { showValue } from './text.ts';
import type { CheckViolation } from './violations.ts';

/** What a probe found. */
export interface ProbeResult {
  readonly id: string;
  /** A heading of the specification, or the id of an assumption. */
  readonly about: string;
  /** That of the call which shows it. */
  readonly operation: string;
  readonly title: string;
  readonly outcome: 'ok' | 'differs' | 'not_asked';
  readonly expected?: string;
  readonly seen?: string;
  /** Why it was not asked. */
  readonly why?: string;
  /** The value that was read, as a profile sets it. */
  readonly setting?: unknown;
  /** The parts of it that are not as expected. */
  readonly deviation?: unknown;
  /** Sells twice, or hides a policy. */
  readonly isSerious?: boolean;
  /** A call that shows it. */
  readonly call?: {
    readonly method: string;
    readonly path: string;
    readonly what: string;
    /** The fields that matter, as JSON on a line. */
    readonly fields: string;
  };
}

/** What a check found. Contains no key. */
export interface Report {
  readonly url: string;
  readonly requests: number;
  readonly probes: readonly ProbeResult[];
  readonly violations: readonly CheckViolation[];
  /** The values that were read and are not as published. */
  readonly profile: { readonly version: 1; readonly decisions: Readonly<Record<string, unknown>> };
}

const of = ({ probes }: Report, outcome: ProbeResult['outcome']): readonly ProbeResult[] =>
  probes.filter((probe) => probe.outcome === outcome);

/** Whether everything that was asked is as the contract says. */
export const isClean = (report: Report): boolean =>
  of(report, 'differs').length === 0 && report.violations.length === 0;

/** The report for programs: the form of its page in the documentation. */
export const toJson = ({ url, requests, probes, violations, profile }: Report): string =>
  JSON.stringify(
    {
      ...{ url, requests },
      probes: probes.map(({ setting: _, deviation: __, isSerious: ___, call, ...probe }) => ({
        ...probe,
        ...(call && { call: { method: call.method, path: call.path } }),
      })),
      ...{ violations, profile },
    },
    null,
    2,
  );

/** A report for people, like a test run. `all` adds the probes that passed. */
export function toText(report: Report, all = false): string {
  const { probes, requests, url, violations } = report;
  const [ok, differs, left] = (['ok', 'differs', 'not_asked'] as const).map((each) =>
    of(report, each),
  ) as [readonly ProbeResult[], readonly ProbeResult[], readonly ProbeResult[]];
  const fields = byField(violations);
  const counts = [
    `${ok.length} ✓`,
    `${differs.length} ✗`,
    ...(left.length > 0 ? [`${left.length} not asked`] : []),
  ];
  const schemas =
    violations.length > 0 ? `, ${count(fields.length, 'field')} against the schemas` : '';
  const sorted = differs.toSorted((a, b) => rankOf(a) - rankOf(b));
  const lines = [
    `${url}, ${count(requests, 'request')}`,
    `${count(probes.length, 'probe')}: ${counts.join('  ')}${schemas}`,
    ...sorted.flatMap((probe) => ['', ...differenceLines(probe)]),
    ...(fields.length > 0 ? ['', 'AGAINST THE SCHEMAS'] : []),
    ...schemaLines(fields, all),
    ...decisionLines(report),
    ...leftLines(left, all),
    ...(all
      ? ['', 'AS THE CONTRACT SAYS', ...ok.map(({ id, title }) => `  ✓ ${id}  ${title}`)]
      : []),
  ];
  return `${lines.map(printable).join('\n').trimEnd()}\n`;
}

/** What sells twice or hides policies first, then what is not there, then the rest in their order. */
const rankOf = ({ isSerious, id }: ProbeResult): number =>
  isSerious ? 0 : id.startsWith('works.') ? 1 : 2;

function differenceLines({
  id,
  title,
  about,
  expected,
  seen,
  call,
  deviation,
}: ProbeResult): string[] {
  return [
    `✗ ${title}`,
    `    probe     ${id} (${about})`,
    `    expected  ${expected}`,
    `    seen      ${seen}`,
    ...(call
      ? [
          `    call      ${[call.method, call.path, call.fields, call.what].filter(Boolean).join(' ')}`,
        ]
      : []),
    ...(deviation === undefined ? [] : [`    profile   ${showValue({ [about]: deviation })}`]),
  ];
}

/** The places of one field with one problem. */
type FieldViolations = readonly [CheckViolation, ...CheckViolation[]];

const fieldOf = ({ path }: CheckViolation): string =>
  path === '$' ? 'the body' : (path.split('.').at(-1) as string);

/** Violations by field and by what is expected of it. */
function byField(violations: readonly CheckViolation[]): readonly FieldViolations[] {
  const fields = new Map<string, FieldViolations>();
  for (const violation of violations) {
    const key = JSON.stringify([fieldOf(violation), violation.expected]);
    const known = fields.get(key);
    fields.set(key, known ? [...known, violation] : [violation]);
  }
  return [...fields.values()];
}

/** First the fields of another type, then those that are missing and those that are too many, by their names. */
function schemaLines(fields: readonly FieldViolations[], all: boolean): string[] {
  const isMissing = ([{ seen, path }]: FieldViolations) => seen === 'missing' && path !== '$';
  const isMore = ([{ expected }]: FieldViolations) => expected === 'no such field';
  const groups = [
    ['missing', fields.filter(isMissing)],
    ['not in the schema', fields.filter((each) => isMore(each))],
  ] as const;
  return [
    ...fields
      .filter((each) => !isMissing(each) && !isMore(each))
      .flatMap((places) => {
        const [{ expected, seen }] = places;
        const times = places.reduce((sum, { count }) => sum + count, 0);
        const often = times > 1 ? ` (${times} times)` : '';
        return [
          `✗ ${fieldOf(places[0])}: expected ${expected}, seen ${seen}${often}`,
          ...placeLines(places, all),
        ];
      }),
    ...groups.flatMap(([what, group]) =>
      group.length === 0
        ? []
        : [
            `✗ ${what}: ${[...new Set(group.map(([first]) => fieldOf(first)))].join(', ')}`,
            ...(all
              ? group.flatMap((places) => placeLines(places, all))
              : placeLines(group.flat(), all)),
          ],
    ),
  ];
}

function placeLines(places: readonly CheckViolation[], all: boolean): string[] {
  if (all) return places.map(({ operation, path }) => `    ${operation} ${path}`);
  const [first, ...others] = places as FieldViolations;
  const more = others.length === 0 ? '' : ` and ${count(others.length, 'other place')}`;
  return [`    ${first.operation} ${first.path}${more}`];
}

/** The assumptions where the server decides otherwise, with the value that a profile takes. */
function decisionLines(report: Report): string[] {
  const { decisions } = report.profile;
  const others = of(report, 'differs').filter(
    ({ about, setting }) => setting === undefined && /^[a-z-]+$/.test(about),
  );
  const none = [...new Set(others.map(({ about }) => about))].filter(
    (about) => !(about in decisions),
  );
  const lines = [
    ...Object.entries(decisions).map(([about, value]) => `  ${about}  ${showValue(value)}`),
    ...(none.length > 0 ? [`  no profile value: ${none.join(', ')}`] : []),
  ];
  return lines.length === 0 ? [] : ['', 'DECIDED OTHERWISE', ...lines];
}

/** The probes that were not asked, by reason; the reason of most first. */
function leftLines(left: readonly ProbeResult[], all: boolean): string[] {
  const reasons = new Map<string, string[]>();
  for (const { why = '', id } of left) reasons.set(why, [...(reasons.get(why) ?? []), id]);
  const sorted = [...reasons].toSorted(([, a], [, b]) => b.length - a.length);
  const lines = sorted.flatMap(([why, ids]) => [
    `  ${count(ids.length, 'probe')}: ${why}`,
    ...(all ? ids.map((id) => `    ${id}`) : []),
  ]);
  return lines.length === 0 ? [] : ['', 'NOT ASKED', ...lines];
}

/** A report as JUnit XML: a suite for each heading and assumption, and one for the schemas. */
export function toJUnit({ url, probes, violations }: Report): string {
  const abouts = [...new Set(probes.map(({ about }) => about))];
  const suites = abouts.map((about) => {
    const own = probes.filter((probe) => probe.about === about);
    const count = (outcome: ProbeResult['outcome']) =>
      own.filter((probe) => probe.outcome === outcome).length;
    return suite(about, own.map(testCase), count('differs'), count('not_asked'));
  });
  const places = violations.map(({ operation, path, expected, seen }) =>
    failed(operation, path, `expected ${expected}, seen ${seen}`),
  );
  if (places.length > 0) suites.push(suite('Schemas', places, places.length, 0));
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${attribute(`check ${url}`)}">
${suites.join('\n')}
</testsuites>
`;
}

const suite = (name: string, cases: readonly string[], failures: number, skipped: number): string =>
  [
    `  <testsuite name="${attribute(name)}" tests="${cases.length}" failures="${failures}" skipped="${skipped}">`,
    ...cases,
    '  </testsuite>',
  ].join('\n');

const head = (group: string, name: string): string =>
  `    <testcase classname="${attribute(group)}" name="${attribute(name)}"`;

const failed = (group: string, name: string, message: string): string =>
  `${head(group, name)}><failure message="${attribute(message)}"/></testcase>`;

function testCase({ id, title, operation, outcome, why, expected, seen }: ProbeResult): string {
  const [group, name] = [operation, `${id}: ${title}`];
  if (outcome === 'ok') return `${head(group, name)}/>`;
  if (outcome === 'differs') return failed(group, name, `expected ${expected}, seen ${seen}`);
  return `${head(group, name)}><skipped message="${attribute(why ?? '')}"/></testcase>`;
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
