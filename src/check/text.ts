import { type Difference, differencesOf, type Report } from './report.ts';

/** A report for people: what agrees and differs by operation, then every decision. */
export function toText(report: Report): string {
  const { operations, decisions } = report;
  const width = Math.max(...operations.map(({ operation }) => operation.length));
  const lines = [
    `${report.url} held against the contract with ${report.requests} requests${report.read_only ? ', none of them a purchase' : ''}.`,
    '',
  ];
  for (const { operation, agrees, differs, skipped } of operations) {
    const counts = [`${agrees} agree`];
    if (differs > 0) counts.push(`${differs} differ`);
    if (skipped > 0) counts.push(`${skipped} not asked`);
    lines.push(`${differs > 0 ? '✗' : '✓'} ${operation.padEnd(width)}  ${counts.join(', ')}`);
    lines.push(...differenceLines(report, operation));
  }
  lines.push('', 'Decisions the contract leaves open:');
  const widest = Math.max(...decisions.map(({ id }) => id.length));
  for (const { id, outcome, reason } of decisions) {
    lines.push(`  ${id.padEnd(widest)}  ${outcome}${reason === undefined ? '' : `: ${reason}`}`);
  }
  const count = (outcome: string) => decisions.filter((each) => each.outcome === outcome).length;
  const differences = differencesOf(report).length;
  lines.push(
    '',
    `${differences === 0 ? 'No difference' : differences === 1 ? '1 difference' : `${differences} differences`}. Decisions: ${count('confirmed')} confirmed, ${count('contradicted')} contradicted, ${count('not observable')} not observable.`,
  );
  if (report.not_in_profile.length > 0) {
    lines.push(`No profile can make a sandbox differ in: ${report.not_in_profile.join(', ')}.`);
  }
  return `${lines.join('\n')}\n`;
}

/** The differences of an operation, those that are alike told once. */
function differenceLines({ probes }: Report, operation: string): string[] {
  const groups = new Map<string, { difference: Difference; names: string[] }>();
  for (const { name, differences, ...probe } of probes) {
    if (probe.operation !== operation) continue;
    for (const difference of differences) {
      const alike = `${difference.path}\n${difference.expected}\n${difference.seen}`;
      const group = groups.get(alike) ?? { difference, names: [] };
      group.names.push(name);
      groups.set(alike, group);
    }
  }
  return [...groups.values()].flatMap(
    ({ difference: { path, expected, seen, decisions }, names }) => {
      const more = names.length > 1 ? `, and ${names.length - 1} more` : '';
      const basis = decisions.length > 0 ? `decision ${decisions.join(', ')}` : 'the contract';
      return [
        `    ${path}`,
        `      expected  ${expected}`,
        `      seen      ${seen}`,
        `      where it ${names[0]}${more} (${basis})`,
      ];
    },
  );
}
