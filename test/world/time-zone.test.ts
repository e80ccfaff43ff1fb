import { describe, expect, test } from 'vitest';
import { profileOptions } from '../../src/control/profile.ts';
import { createSandbox } from '../../src/index.ts';
import { PUBLISHED } from '../../src/world/settings.ts';
import { createZone, localDateTime, localDay, zoneOf } from '../../src/world/time-zone.ts';

const at = (written: string) => Date.parse(written);
const iso = (instant: number) => new Date(instant).toISOString();
const inZone = (name: string) => profileOptions['time-zone']?.set(PUBLISHED, name) ?? PUBLISHED;

describe('clocks of a zone', () => {
  test.each([
    ['Africa/Lagos', '2026-01-31T23:30:00.000Z', '2026-02-01 00:30:00'],
    ['America/New_York', '2026-01-01T03:00:00.000Z', '2025-12-31 22:00:00'],
    ['America/New_York', '2026-07-01T03:00:00.000Z', '2026-06-30 23:00:00'],
    ['Asia/Kathmandu', '2026-01-31T18:15:00.000Z', '2026-02-01 00:00:00'],
    ['Pacific/Kiritimati', '2286-11-20T17:46:39.999Z', '2286-11-21 07:46:39'],
    ['America/New_York', '1970-01-01T00:00:00.000Z', '1969-12-31 19:00:00'],
  ])('in %s show at %s %s', (name, moment, shown) => {
    expect(localDateTime(inZone(name), at(moment))).toBe(shown);
    expect(localDay(inZone(name), at(moment))).toBe(shown.slice(0, 10));
  });

  test.each([
    ['in winter', 'America/New_York', '2026-01-15T12:00:00Z', '2026-01-15T17:00:00.000Z'],
    ['in summer', 'America/New_York', '2026-07-15T12:00:00Z', '2026-07-15T16:00:00.000Z'],
    ['before it skips', 'America/New_York', '2026-03-08T01:59:59Z', '2026-03-08T06:59:59.000Z'],
    ['that it skips', 'America/New_York', '2026-03-08T02:30:00Z', '2026-03-08T07:30:00.000Z'],
    ['shown twice', 'America/New_York', '2026-11-01T01:30:00Z', '2026-11-01T05:30:00.000Z'],
    ['of a midnight skipped', 'Africa/Cairo', '2026-04-24T00:00:00Z', '2026-04-23T22:00:00.000Z'],
    [
      'of a midnight shown twice',
      'America/Havana',
      '2026-11-01T00:00:00Z',
      '2026-11-01T04:00:00.000Z',
    ],
    ['of a day skipped', 'Pacific/Apia', '2011-12-30T12:00:00Z', '2011-12-30T22:00:00.000Z'],
    ['long ago', 'Africa/Lagos', '1900-01-01T00:00:00Z', '1899-12-31T23:46:25.000Z'],
    ['far away', 'Asia/Kathmandu', '9999-12-30T00:00:00Z', '9999-12-29T18:15:00.000Z'],
  ])('show a time %s first at its moment', (_what, name, wall, moment) => {
    expect(iso(createZone(name).instantOf(at(wall)))).toBe(moment);
  });

  test('show every hour of a year at its moment, unless they showed it before', () => {
    for (const name of ['America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca']) {
      const { wallTimeOf, instantOf } = createZone(name);
      const repeated: string[] = [];
      // How often clocks go back is the zone data's to say, and that differs between versions of Node.
      let timesBack = 0;
      let offset = Number.NEGATIVE_INFINITY;
      for (let hour = 0; hour < 365 * 24; hour++) {
        const moment = at('2026-01-01T00:15:00Z') + hour * 3_600_000;
        const first = instantOf(wallTimeOf(moment));
        if (first !== moment) repeated.push(iso(moment));
        expect(wallTimeOf(first), name).toBe(wallTimeOf(moment));
        expect(first, name).toBeLessThanOrEqual(moment);
        if (wallTimeOf(moment) - moment < offset) timesBack++;
        offset = wallTimeOf(moment) - moment;
      }
      expect(repeated.length, name).toBeLessThanOrEqual(timesBack);
    }
  });

  test('are those of UTC without a profile', () => {
    const moment = at('2026-01-31T23:30:00.999Z');
    expect(zoneOf(PUBLISHED).wallTimeOf(moment)).toBe(moment);
    expect(zoneOf(PUBLISHED).instantOf(moment)).toBe(moment);
  });
});

describe('a profile is refused', () => {
  const start = (zone: unknown) => () =>
    createSandbox({ profile: { version: 1, decisions: { 'time-zone': zone as string } } });

  test.each(['Mars/Olympus', '+01:00', '', '1'])('for the zone "%s"', (zone) => {
    expect(start(zone)).toThrow(
      `decisions.time-zone: expected an IANA time zone, got "${zone}"; allowed: "an IANA time zone, such as Africa/Lagos"`,
    );
  });

  test.each(['Africa/Lagso', 'Africa/Lagos ', 'Africa/Lag'])(
    'for "%s", with the zone that was meant',
    (zone) => {
      expect(start(zone)).toThrow('did you mean "Africa/Lagos"?');
    },
  );

  test('for a number', () => {
    expect(start(1)).toThrow('decisions.time-zone: expected a string, got 1');
  });

  test.each(['UTC', 'Etc/GMT-1', 'Africa/Lagos', 'Asia/Calcutta'])('not for %s', (zone) => {
    expect(start(zone)).not.toThrow();
  });
});
