import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  addMonths,
  dateTime,
  day,
  instantOf,
  isCalendarDay,
  MAX_TIMESTAMP,
  midnight,
  monthsBetween,
  startOfDay,
  timestamp,
} from '../../src/world/time.ts';

const at = (written: string) => Date.parse(written);
const later = (written: string, months: number) =>
  new Date(addMonths(at(written), months)).toISOString();
const instants = fc.integer({ min: 0, max: Date.UTC(2200, 0) });

describe('calendar months', () => {
  test.each([
    ['2026-01-31T10:00:00.000Z', 1, '2026-02-28T10:00:00.000Z'],
    ['2026-01-31T10:00:00.000Z', 2, '2026-03-31T10:00:00.000Z'],
    ['2024-01-31T10:00:00.000Z', 1, '2024-02-29T10:00:00.000Z'],
    ['2024-02-29T00:00:00.000Z', 12, '2025-02-28T00:00:00.000Z'],
    ['2024-02-29T00:00:00.000Z', 48, '2028-02-29T00:00:00.000Z'],
    ['2026-11-30T23:59:59.999Z', 3, '2027-02-28T23:59:59.999Z'],
    ['2026-12-31T00:00:00.000Z', 1, '2027-01-31T00:00:00.000Z'],
  ])('%s plus %i is %s', (start, months, end) => {
    expect(later(start, months)).toBe(end);
  });

  test('keep day and time, clamped to the end of a shorter month', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: 0, max: 600 }), (start, months) => {
        const [from, to] = [new Date(start), new Date(addMonths(start, months))];
        const month = from.getUTCMonth() + months;
        const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
        expect(to.getUTCMonth()).toBe(month % 12);
        expect(to.getUTCFullYear()).toBe(from.getUTCFullYear() + Math.floor(month / 12));
        expect(to.getUTCDate()).toBe(Math.min(from.getUTCDate(), lastDay));
        expect(to.toISOString().slice(11)).toBe(from.toISOString().slice(11));
      }),
    );
  });

  test('are counted by monthsBetween, even if the day was clamped', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: 0, max: 600 }), (start, months) => {
        expect(monthsBetween(start, addMonths(start, months))).toBe(months);
      }),
    );
  });

  test('beyond the calendar give NaN', () => {
    expect(addMonths(8.64e15, 1)).toBeNaN();
  });
});

describe('a time is formatted', () => {
  const moment = at('2026-01-31T10:00:57.999Z');

  test('as a timestamp in whole seconds, truncated, with six zeros', () => {
    expect(timestamp(moment)).toBe('2026-01-31T10:00:57.000000Z');
    expect(timestamp(MAX_TIMESTAMP)).toBe('9999-12-31T23:59:59.000000Z');
  });

  test('as Y-m-d H:i:s and as Y-m-d, in UTC', () => {
    expect(dateTime(moment)).toBe('2026-01-31 10:00:57');
    expect(day(at('2026-01-31T23:59:59.999Z'))).toBe('2026-01-31');
  });

  test('and parsed to the second', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        const second = Math.floor(instant / 1000) * 1000;
        expect(instantOf(timestamp(instant))).toBe(second);
        expect(instantOf(dateTime(instant).replace(' ', 'T'))).toBe(second);
        expect(startOfDay(day(instant))).toBe(instantOf(midnight(day(instant))));
      }),
    );
  });

  test('in an order that texts keep', () => {
    fc.assert(
      fc.property(instants, instants, (a, b) => {
        fc.pre(a <= b);
        expect(timestamp(a) <= timestamp(b)).toBe(true);
      }),
    );
  });
});

describe('a calendar day', () => {
  test.each(['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('%s exists', (date) => {
    expect(isCalendarDay(date)).toBe(true);
  });

  test.each([
    '2023-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-32',
  ])('%s does not', (date) => {
    expect(isCalendarDay(date)).toBe(false);
  });
});

describe('in another time zone', () => {
  const own = process.env.TZ;
  afterEach(() => {
    process.env.TZ = own ?? 'UTC';
  });

  test.each(['America/New_York', 'Pacific/Kiritimati'])('%s, everything is still UTC', (zone) => {
    process.env.TZ = zone;
    expect(new Date(0).getTimezoneOffset()).not.toBe(0);
    expect(later('2026-01-31T00:30:00.000Z', 1)).toBe('2026-02-28T00:30:00.000Z');
    expect(later('2026-02-28T23:30:00.000Z', 1)).toBe('2026-03-28T23:30:00.000Z');
    expect(monthsBetween(at('2026-01-31T23:30:00Z'), at('2026-03-01T00:30:00Z'))).toBe(2);
    expect(day(at('2026-01-31T23:59:59Z'))).toBe('2026-01-31');
    expect(dateTime(at('2026-01-31T00:00:00Z'))).toBe('2026-01-31 00:00:00');
    expect(startOfDay('2026-01-31')).toBe(at('2026-01-31T00:00:00Z'));
    expect(isCalendarDay('2026-01-31')).toBe(true);
  });
});
