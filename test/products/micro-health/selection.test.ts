import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { selectSubscribers } from '../../../src/products/micro-health/policies.ts';
import type { MicroHealthListRequest } from '../../../src/products/micro-health/requests.ts';
import type { MicroHealthSubscriber } from '../../../src/products/micro-health/schemas.ts';
import { at, createTestWorld, FIXTURE, refusalOf } from './world.ts';

const [model] = FIXTURE.subscribers;
if (!model) throw new Error('The fixture has no subscriber');

/** A subscriber whose subscription was made at that moment. */
const subscribed = (created_at: string, position: number): MicroHealthSubscriber => ({
  ...model,
  policy_no: String(position).padStart(10, '0'),
  created_at,
  subscriptions: { ...model.subscriptions, created_at },
});

/** The moments of those selected, out of subscribers made at the given moments, oldest first. */
function select(
  moments: readonly string[],
  input: MicroHealthListRequest,
  now = '2026-05-14T15:30:00.500Z',
) {
  const written = moments.map((moment) => `${moment.slice(0, 19)}.000000Z`);
  const world = createTestWorld({ subscribers: written.map(subscribed) });
  const { start, end } = selectSubscribers(world, input, at(now));
  return moments.slice(start, end);
}

/** The last second before a period, its first and last, and the first one after. */
const around = (first: string, last: string) => {
  const shifted = (moment: string, seconds: number) =>
    new Date(at(moment) + seconds * 1000).toISOString();
  return [shifted(first, -1), first, last, shifted(last, 1)];
};

const PERIODS = [
  ['day', '2026-05-14T00:00:00Z', '2026-05-14T23:59:59Z'],
  ['week', '2026-05-11T00:00:00Z', '2026-05-17T23:59:59Z'],
  ['month', '2026-05-01T00:00:00Z', '2026-05-31T23:59:59Z'],
  ['quarter', '2026-04-01T00:00:00Z', '2026-06-30T23:59:59Z'],
  ['year', '2026-01-01T00:00:00Z', '2026-12-31T23:59:59Z'],
] as const;

describe('a period is the current one in UTC, from its first second to its last', () => {
  test.each(PERIODS)('%s, on Thursday 14 May 2026', (period, first, last) => {
    expect(select(around(first, last), { period })).toEqual([first, last]);
  });

  test.each([
    ['2026-05-11T00:00:00Z', 'Monday, its first moment'],
    ['2026-05-17T23:59:59.999Z', 'Sunday, its last moment'],
  ])('the week runs from Monday to Sunday: %s is %s', (now) => {
    const [first, last] = ['2026-05-11T00:00:00Z', '2026-05-17T23:59:59Z'];
    expect(select(around(first, last), { period: 'week' }, now)).toEqual([first, last]);
  });

  test('a week may span two years', () => {
    const [first, last] = ['2025-12-29T00:00:00Z', '2026-01-04T23:59:59Z'];
    const now = '2026-01-01T00:00:00Z';
    expect(select(around(first, last), { period: 'week' }, now)).toEqual([first, last]);
  });

  test('February has its leap day', () => {
    const [first, last] = ['2024-02-01T00:00:00Z', '2024-02-29T23:59:59Z'];
    const now = '2024-02-10T00:00:00Z';
    expect(select(around(first, last), { period: 'month' }, now)).toEqual([first, last]);
  });

  test.each([
    ['2026-01-01T00:00:00Z', '2026-03-31T23:59:59Z'],
    ['2026-04-01T00:00:00Z', '2026-06-30T23:59:59Z'],
    ['2026-07-01T00:00:00Z', '2026-09-30T23:59:59Z'],
    ['2026-10-01T00:00:00Z', '2026-12-31T23:59:59Z'],
  ])('the quarter from %s to %s is that of both its ends', (first, last) => {
    for (const now of [first, last]) {
      expect(select(around(first, last), { period: 'quarter' }, now)).toEqual([first, last]);
    }
  });
});

describe('in another time zone', () => {
  const own = process.env.TZ;
  afterEach(() => {
    process.env.TZ = own ?? 'UTC';
  });

  test.each(['America/New_York', 'Pacific/Kiritimati'])(
    '%s, a period is still that of UTC',
    (zone) => {
      process.env.TZ = zone;
      for (const [period, first, last] of PERIODS) {
        for (const now of [first, last]) {
          expect(select(around(first, last), { period }, now)).toEqual([first, last]);
        }
      }
    },
  );
});

describe('dates', () => {
  const moments = around('2026-03-01T00:00:00Z', '2026-03-31T23:59:59Z');

  test('are inclusive on both sides', () => {
    const input = { start_date: '2026-03-01', end_date: '2026-03-31' };
    expect(select(moments, input)).toEqual(moments.slice(1, 3));
  });

  test('may be one and the same day', () => {
    const input = { start_date: '2026-03-31', end_date: '2026-03-31' };
    expect(select(moments, input)).toEqual(moments.slice(2, 3));
  });

  test('may be given alone: from a day on, or up to one', () => {
    expect(select(moments, { start_date: '2026-03-01' })).toEqual(moments.slice(1));
    expect(select(moments, { end_date: '2026-03-31' })).toEqual(moments.slice(0, 3));
  });

  test('may be missing: everybody is selected', () => {
    expect(select(moments, {})).toEqual(moments);
    expect(select([], {})).toEqual([]);
  });

  test('may be the first and the last there are', () => {
    expect(select(moments, { start_date: '0000-01-01', end_date: '9999-12-31' })).toEqual(moments);
  });

  test('outside of all records select nobody', () => {
    expect(select(moments, { start_date: '2027-01-01' })).toEqual([]);
    expect(select(moments, { end_date: '2025-12-31' })).toEqual([]);
  });

  test('select what a filter would', () => {
    const day = fc
      .integer({ min: 0, max: 40 })
      .map((days) => new Date(Date.UTC(2026, 1, 1 + days)));
    const dates = fc.tuple(day, day).map(([a, b]) => (a <= b ? [a, b] : [b, a]) as [Date, Date]);
    const text = (date: Date) => date.toISOString().slice(0, 10);
    fc.assert(
      fc.property(fc.array(day, { maxLength: 30 }), dates, (days, [from, to]) => {
        const made = days.map((date) => date.toISOString()).toSorted();
        const [start_date, end_date] = [text(from), text(to)];
        expect(select(made, { start_date, end_date })).toEqual(
          made.filter(
            (moment) => moment.slice(0, 10) >= start_date && moment.slice(0, 10) <= end_date,
          ),
        );
      }),
    );
  });
});

describe('a selection is refused', () => {
  test('that names a period and a date', () => {
    for (const dates of [{ start_date: '2026-01-01' }, { end_date: '2026-01-01' }]) {
      expect(refusalOf(() => select([], { period: 'day', ...dates }))).toEqual({
        code: 'invalid',
        messages: ['The period field can not be combined with start_date or end_date.'],
      });
    }
  });

  test('that ends before it starts', () => {
    const input = { start_date: '2026-03-02', end_date: '2026-03-01' };
    expect(refusalOf(() => select([], input)).messages).toEqual([
      'The end_date field must not be before start_date.',
    ]);
  });
});
