import { anyFamilies } from '../../products/world.ts';
import type { Finding } from '../finding.ts';
import { type Json, pathInside, valueAt } from '../json.ts';
import { familyScenarios } from '../scenarios/index.ts';

/*
 * What records say of themselves: a proxy compares those that were bought before it listened with nothing else.
 */

/** Dates of a record that do not follow from each other. */
export function recordFindings(data: Json, path: string, operationId: string): Finding[] {
  const [record, at] = data?.subscriptions?.start_date
    ? [data.subscriptions, pathInside(path, 'subscriptions')]
    : [data, path];
  const family = anyFamilies.find(({ operations }) =>
    operations.some((own) => own.operationId === operationId),
  );
  const isDated = typeof record?.start_date === 'string' && typeof record.end_date === 'string';
  const own = familyScenarios.find((each) => each.family === family?.key);
  const expected = isDated ? own?.endOf(record) : undefined;
  if (expected === undefined || record.end_date === expected[0]) return [];
  const [end, assumption] = expected;
  return [
    {
      path: pathInside(at, 'end_date'),
      expected: JSON.stringify(end),
      seen: record.end_date,
      assumptions: [assumption],
    },
  ];
}

/** The moment a record of a list was created. */
const createdAt = (record: Json): string | undefined =>
  valueAt(record, 'subscriptions.created_at') ?? valueAt(record, 'created_at');

/** What is wrong with a list as a whole: its order, and records of other days than were asked for. */
export function listFindings(
  records: readonly Json[],
  path: string,
  query: Readonly<Record<string, string>>,
  listOrder: 'oldest-first' | 'newest-first',
  operationId: string,
): Finding[] {
  const dayIn = (field: string) => /^\d{4}-\d\d-\d\d$/.exec(query[field] ?? '')?.[0];
  const [first, last] = [dayIn('start_date'), dayIn('end_date')];
  const findings = records.flatMap((record, position) =>
    recordFindings(record, pathInside(path, position), operationId),
  );
  const created = records.map(createdAt);
  const isInOrder = created.every((at, place) => {
    const before = created[place - 1];
    if (at === undefined || before === undefined) return true;
    return listOrder === 'oldest-first' ? before <= at : before >= at;
  });
  if (!isInOrder) {
    findings.push({
      path,
      expected: listOrder,
      seen: created.join(', '),
      assumptions: ['list-order'],
    });
  }
  const others = created.filter((at) => {
    const made = String(at).slice(0, 10);
    return at !== undefined && ((first && made < first) || (last && made > last));
  });
  if (others.length > 0) {
    const days = [first && `from ${first} on`, last && `up to ${last}`].filter(Boolean).join(' ');
    const expected = `subscriptions ${days}`;
    findings.push({ path, expected, seen: others.join(', '), assumptions: ['list-selection'] });
  }
  return findings;
}
