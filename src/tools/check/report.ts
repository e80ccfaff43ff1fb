/* The report of a check: its type, and how it reads as text and as JUnit XML. */

import { counted } from '../../world/grouped.ts';
import { printable } from '../../world/printable.ts';
import { groupBy } from '../reports.ts';
import { showValue } from './mask.ts';
import { HEADINGS } from './probe.ts';
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

const withOutcome = ({ probes }: Report, outcome: ProbeResult['outcome']) =>
  probes.filter((probe) => probe.outcome === outcome);

/** Whether everything that was asked is as the contract says. */
export const isClean = (report: Report): boolean =>
  withOutcome(report, 'differs').length === 0 && report.violations.length === 0;

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
  const ok = withOutcome(report, 'ok');
  const differs = withOutcome(report, 'differs').toSorted((a, b) => rankOf(a) - rankOf(b));
  const left = withOutcome(report, 'not_asked');
  const counts = [
    `${ok.length} ✓  ${differs.length} ✗`,
    ...(left.length > 0 ? [`${left.length} not asked`] : []),
  ];
  const fields = counted(new Set(violations.map(fieldProblem)).size, 'field');
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['AGAINST THE SCHEMAS', schemaLines(violations, all)],
    ['DECIDED OTHERWISE', decisionLines(report)],
    ['NOT ASKED', leftLines(left, all)],
    ['AS THE CONTRACT SAYS', all ? ok.map(({ id, title }) => `  ✓ ${id}  ${title}`) : []],
  ];
  const lines = [
    `${url}, ${counted(requests, 'request')}`,
    `${counted(probes.length, 'probe')}: ${counts.join('  ')}${violations.length > 0 ? `, ${fields} against the schemas` : ''}`,
    ...differs.flatMap((probe) => ['', ...differenceLines(probe)]),
    ...sections.flatMap(([title, own]) => (own.length > 0 ? ['', title, ...own] : [])),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

/** What sells twice or hides policies first, then what is not there, then the rest in their order. */
const rankOf = ({ isSerious, id }: ProbeResult): number =>
  isSerious ? 0 : id.startsWith('works.') ? 1 : 2;

function differenceLines(probe: ProbeResult): string[] {
  const { id, title, about, expected, seen, call, deviation } = probe;
  const shown = call && [call.method, call.path, call.fields, call.what].filter(Boolean).join(' ');
  return [
    `✗ ${title}`,
    `    probe     ${id} (${about})`,
    `    expected  ${expected}`,
    `    seen      ${seen}`,
    `    call      ${shown}`,
    ...(deviation === undefined ? [] : [`    profile   ${showValue({ [about]: deviation })}`]),
  ];
}

const fieldOf = ({ path }: CheckViolation): string =>
  path === '$' ? 'the body' : (path.split('.').at(-1) as string);

const fieldProblem = (violation: CheckViolation): string =>
  `${fieldOf(violation)}: expected ${violation.expected}`;

const MISSING = 'missing';
const UNKNOWN = 'not in the schema';

/** Fields that are missing or too many are told together, and the others each. */
function groupOf(violation: CheckViolation): string {
  if (violation.expected === 'no such field') return UNKNOWN;
  return violation.seen === 'missing' && violation.path !== '$' ? MISSING : fieldProblem(violation);
}

function schemaLines(violations: readonly CheckViolation[], all: boolean): string[] {
  const groups = groupBy(violations, groupOf);
  const last = [MISSING, UNKNOWN];
  const sorted = [...groups].toSorted(([a], [b]) => last.indexOf(a) - last.indexOf(b));
  return sorted.flatMap(([group, places]) => {
    const times = places.reduce((sum, place) => sum + place.count, 0);
    const often = times > 1 ? ` (${times} times)` : '';
    const told = last.includes(group)
      ? `: ${[...new Set(places.map(fieldOf))].join(', ')}`
      : `, seen ${places[0]?.seen}${often}`;
    const shown = places.map(({ operation, path }) => `    ${operation} ${path}`);
    const others = counted(places.length - 1, 'other place');
    const more = places.length > 1 ? ` and ${others}` : '';
    return [`✗ ${group}${told}`, ...(all ? shown : [`${shown[0]}${more}`])];
  });
}

/** The assumptions where the server decides otherwise, with the value that a profile takes. */
function decisionLines(report: Report): string[] {
  const { decisions } = report.profile;
  const isAssumption = (about: string) => !HEADINGS.some((heading) => heading === about);
  const abouts = withOutcome(report, 'differs')
    .filter(({ setting }) => setting === undefined)
    .map(({ about }) => about);
  const none = [...new Set(abouts)].filter((each) => isAssumption(each) && !(each in decisions));
  return [
    ...Object.entries(decisions).map(([about, value]) => `  ${about}  ${showValue(value)}`),
    ...(none.length > 0 ? [`  no profile value: ${none.join(', ')}`] : []),
  ];
}

/** The probes that were not asked, by reason; the reason of most first. */
function leftLines(left: readonly ProbeResult[], all: boolean): string[] {
  const reasons = groupBy(left, ({ why = '' }) => why);
  const sorted = [...reasons].toSorted(([, a], [, b]) => b.length - a.length);
  return sorted.flatMap(([why, own]) => [
    `  ${counted(own.length, 'probe')}: ${why}`,
    ...(all ? own.map(({ id }) => `    ${id}`) : []),
  ]);
}

/** A report as JUnit XML: a suite for each heading and assumption, and one for the schemas. */
export function toJUnit({ url, probes, violations }: Report): string {
  const told = ({ expected, seen }: Pick<ProbeResult, 'expected' | 'seen'>) =>
    `<failure message="${attribute(`expected ${expected}, seen ${seen}`)}"/>`;
  const cases = [
    ...probes.map((probe) => ({
      ...{ suite: probe.about, operation: probe.operation, outcome: probe.outcome },
      name: `${probe.id}: ${probe.title}`,
      told: {
        ok: '',
        differs: told(probe),
        not_asked: `<skipped message="${attribute(probe.why ?? '')}"/>`,
      }[probe.outcome],
    })),
    ...violations.map((violation) => ({
      ...{ suite: 'Schemas', operation: violation.operation, outcome: 'differs' },
      ...{ name: violation.path, told: told(violation) },
    })),
  ];
  const suites = [...groupBy(cases, ({ suite }) => suite)].map(([suite, own]) => {
    const number = (outcome: string) => own.filter((each) => each.outcome === outcome).length;
    return `  <testsuite name="${attribute(suite)}" tests="${own.length}" failures="${number('differs')}" skipped="${number('not_asked')}">
${own
  .map(
    (each) =>
      `    <testcase classname="${attribute(each.operation)}" name="${attribute(each.name)}">${each.told}</testcase>`,
  )
  .join('\n')}
  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${attribute(`check ${url}`)}">
${suites.join('\n')}
</testsuites>
`;
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
