import type { AssumptionId } from '../core/assumptions.ts';

/** A place where the server does not do what was expected. */
export interface Difference {
  readonly operation: string;
  /** A JSON path into the body, or `status`, or `header` and its name. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
  /** The assumptions it contradicts; none where the contract itself is not kept. */
  readonly decisions: readonly AssumptionId[];
  /** How often it was seen, where it stands for several of its kind. */
  readonly times?: number;
}

/** Differences that are one and the same, seen in several records or answers. */
export interface DifferenceGroup<D extends Difference = Difference> {
  /** Where it was seen first. */
  readonly first: D;
  readonly all: readonly D[];
}

/** What stands in `data` belongs to a record: it is another in each one. */
const IN_DATA = /^\$\.data\b/;

const isValue = (text: string): boolean => /^(["[{\d-]|(true|false|null|nothing)$)/.test(text);

/**
 * What makes two differences one: operation, place (whatever its position in a list), the assumptions, and what
 * is expected and seen there, apart from the values of single records.
 */
export function kindOf({ operation, path, expected, seen, decisions }: Difference): string {
  const place = path.replace(/\[\d+\]/g, '[]');
  const rule = isValue(expected) ? 'a value' : expected;
  const values = IN_DATA.test(path) ? [rule] : [expected, seen];
  return JSON.stringify([operation, place, decisions, ...values]);
}

/** Each difference once, with all the places it was seen in; in the order they were seen first. */
export function groupDifferences<D extends Difference>(
  differences: readonly D[],
): DifferenceGroup<D>[] {
  const groups = new Map<string, { first: D; all: D[] }>();
  for (const difference of differences) {
    const kind = kindOf(difference);
    const group = groups.get(kind);
    if (group) group.all.push(difference);
    else groups.set(kind, { first: difference, all: [difference] });
  }
  return [...groups.values()];
}

/** How an operation fared. */
export interface OperationCounts {
  readonly operation: string;
  readonly agrees: number;
  readonly differs: number;
  /** What neither agrees nor differs, and what is to be said of it: `[2, 'not asked']`. */
  readonly rest: readonly [count: number, what: string];
}

/** What differs, most important first: by assumption, then by operation. */
export function summaryLines(
  differences: readonly Difference[],
  operations: readonly OperationCounts[],
): string[] {
  const groups = groupDifferences(differences);
  return [
    ...(groups.length === 0 ? ['No difference.'] : [`${timesOf(groups)}.`, '', ...byBasis(groups)]),
    '',
    'By operation:',
    ...byOperation(groups, operations),
  ];
}

/** What is told of a difference that contradicts no assumption. */
export const CONTRACT = 'the contract';

function byBasis(groups: readonly DifferenceGroup[]): string[] {
  const bases = new Map<string, DifferenceGroup[]>();
  for (const group of groups) {
    const { decisions } = group.first;
    for (const basis of decisions.length > 0 ? decisions : [CONTRACT]) {
      bases.set(basis, [...(bases.get(basis) ?? []), group]);
    }
  }
  const rows = [...bases].map(([basis, all]) => [basis, timesOf(all), all[0]] as const);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => String(row[column]).length)));
  return [
    'By decision:',
    ...rows.map(([basis, times, group]) => {
      const { operation, path, expected, seen } = (group as DifferenceGroup).first;
      const place = `${basis.padEnd(widths[0] as number)}  ${times.padEnd(widths[1] as number)}`;
      return `  ${place}  ${operation} ${path}: expected ${expected}, seen ${seen}`;
    }),
  ];
}

function byOperation(
  groups: readonly DifferenceGroup[],
  operations: readonly OperationCounts[],
): string[] {
  const width = Math.max(0, ...operations.map(({ operation }) => operation.length));
  return operations.map(({ operation, agrees, differs, rest: [left, what] }) => {
    const own = groups.filter(({ first }) => first.operation === operation);
    const counts = [`${agrees} agree`];
    if (differs > 0) counts.push(`${differs} differ`);
    if (left > 0) counts.push(`${left} ${what}`);
    const more = own.length > 0 ? `; ${timesOf(own)}` : '';
    // Of what was not asked or judged nothing is known.
    const mark = own.length > 0 ? '✗' : agrees + differs === 0 ? '–' : '✓';
    return `  ${mark} ${operation.padEnd(width)}  ${counts.join(', ')}${more}`;
  });
}

/** What a profile can't express of what was seen, as a line; none where it can all. */
export const profileLimits = (ids: readonly AssumptionId[]): string[] =>
  ids.length === 0 ? [] : [`No profile can make a sandbox differ in: ${ids.join(', ')}.`];

/** `1 difference`, `2 differences, 14 times`. */
export function timesOf(groups: readonly DifferenceGroup[]): string {
  const times = groups
    .flatMap(({ all }) => all)
    .reduce((sum, { times: seen = 1 }) => sum + seen, 0);
  const each = groups.length === 1 ? '1 difference' : `${groups.length} differences`;
  return times === groups.length ? each : `${each}, ${times} times`;
}
