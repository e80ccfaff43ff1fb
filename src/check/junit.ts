import type { DecisionResult, Difference, ProbeResult, Report } from './report.ts';

/** A report as JUnit XML: a suite for each operation, and one for the decisions. */
export function toJUnit(report: Report): string {
  const { operations, probes, decisions } = report;
  const suites = operations.map(({ operation }) =>
    suite(operation, probes.filter((probe) => probe.operation === operation).map(probeCase)),
  );
  suites.push(suite('decisions', decisions.map(decisionCase)));
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
  const [first] = differences as [Difference];
  const told = differences.map(line);
  return { name, failure: { message: line(first), text: told.join('\n') } };
}

// A contradicted decision fails where it was seen; here it would fail a second time.
function decisionCase({ id, outcome, reason }: DecisionResult): Case {
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
