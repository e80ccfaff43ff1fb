import { addMonths, day, instantOf, midnight, timestamp } from '../../core/time.ts';
import type { Finding } from '../finding.ts';
import { type Json, pathInside, valueAt } from '../json.ts';

/*
 * What records say of themselves: a proxy compares those that were bought before it listened with nothing else.
 */

const MONTHS: Readonly<Record<string, number>> = {
  monthly: 1,
  quarterly: 3,
  annually: 12,
  yearly: 12,
};

/** Dates of a record that do not follow from each other. */
export function recordFindings(data: Json, path: string): Finding[] {
  const [record, at] = data?.subscriptions?.start_date
    ? [data.subscriptions, pathInside(path, 'subscriptions')]
    : [data, path];
  const expected = endOf(record);
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

type EndRule = 'top-up-dates' | 'motor-dates' | 'group-life-dates';

/** The end of cover that follows from the rest of a record; undefined where nothing follows. */
function endOf(record: Json): readonly [end: string, rule: EndRule] | undefined {
  const { start_date: start, end_date: end } = record ?? {};
  if (typeof start !== 'string' || typeof end !== 'string') return undefined;
  const months = MONTHS[record.subscriptions_type ?? record.frequency_type];
  if (record.subscriptions_no !== undefined) {
    const isUnbroken = String(record.active_date).replace(' ', 'T') === start.slice(0, 19);
    if (!isUnbroken || months === undefined) return undefined;
    return later(start, months * Number(record.subscriptions_no), 'top-up-dates');
  }
  if (record.duration !== undefined && months !== undefined) {
    return later(start, months * Number(record.duration), 'motor-dates');
  }
  return record.group_name === undefined ? undefined : later(start, 12, 'group-life-dates');
}

function later(start: string, months: number, rule: EndRule) {
  const isDay = start.length === 10;
  const end = addMonths(instantOf(isDay ? midnight(start) : start), months);
  if (Number.isNaN(end)) return undefined;
  return [isDay ? day(end) : timestamp(end), rule] as const;
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
): Finding[] {
  const dayIn = (field: string) => /^\d{4}-\d\d-\d\d$/.exec(query[field] ?? '')?.[0];
  const [first, last] = [dayIn('start_date'), dayIn('end_date')];
  const findings = records.flatMap((record, position) =>
    recordFindings(record, pathInside(path, position)),
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
