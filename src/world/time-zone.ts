/* The time zone that a profile can set: the local time of a moment, and the moment of a local time. */

import { z } from '@hono/zod-openapi';
import { type Settings, setting } from './settings.ts';
import { DAY_MS, dateTime, day, type Instant, MINUTE_MS } from './time.ts';

/** The time zone. Timestamps with `Z` are in UTC whatever it is. */
export const TIME_ZONE = setting('time-zone', {
  published: 'UTC',
  allowed: 'an IANA time zone, such as Africa/Lagos',
  schema: () =>
    z.string().check(({ value, issues }) => {
      if (isTimeZone(value)) return;
      const options = Intl.supportedValuesOf('timeZone');
      issues.push({ code: 'custom', message: 'an IANA time zone', options, input: value });
    }),
});

/** Whether a text is the name of a zone that this platform knows. Offsets such as `+01:00` are no names. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Z]/i.test(name)) return false;
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/** A local date and time, as the moment at which UTC has the same. Functions for days and months in UTC fit every zone. */
export type WallTime = number;

/** Converts between moments and local times. */
interface Zone {
  wallTimeOf(at: Instant): WallTime;
  /** The first moment with this local time. If clocks skip it, the moment that the offset before the skip gives. */
  instantOf(wall: WallTime): Instant;
}

const UTC: Zone = { wallTimeOf: (at) => at, instantOf: (wall) => wall };

/** The zones in use, by name. */
const zones = new Map<string, Zone>([['UTC', UTC]]);

/** The zone of a sandbox with these settings. */
export function zoneOf(settings: Settings): Zone {
  const name = TIME_ZONE.in(settings);
  const known = zones.get(name);
  if (known) return known;
  const zone = createZone(name);
  zones.set(name, zone);
  return zone;
}

const clockOf = (name: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

/** The number of offsets that a zone remembers. */
const MAX_OFFSETS = 10_000;

/** A zone. Its clock takes long to make: `zoneOf` makes each once. */
export function createZone(name: string): Zone {
  const clock = clockOf(name);
  const readOffset = (at: Instant): number => {
    const [month = 0, date, year = 0, ...time] = (clock.format(at).match(/\d+/g) ?? []).map(Number);
    const [hours, minutes, seconds] = time;
    return Date.UTC(year, month - 1, date, hours, minutes, seconds) - at;
  };
  // Offsets change at whole minutes, and reading one takes longer than all else about a date.
  const offsets = new Map<number, number>();
  const offsetAt = (at: Instant): number => {
    const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
    const known = offsets.get(minute);
    if (known !== undefined) return known;
    if (offsets.size === MAX_OFFSETS) offsets.clear();
    const offset = readOffset(minute);
    offsets.set(minute, offset);
    return offset;
  };
  return {
    wallTimeOf: (at) => at + offsetAt(at),
    instantOf(wall) {
      const before = wall - offsetAt(wall - DAY_MS);
      const after = wall - offsetAt(wall + DAY_MS);
      const shown = [before, after].filter((at) => at + offsetAt(at) === wall);
      return shown.length === 0 ? before : Math.min(...shown);
    },
  };
}

/** Formats `Y-m-d` in the zone of these settings. */
export const localDay = (settings: Settings, at: Instant): string =>
  day(zoneOf(settings).wallTimeOf(at));

/** Formats `Y-m-d H:i:s` in the zone of these settings. */
export const localDateTime = (settings: Settings, at: Instant): string =>
  dateTime(zoneOf(settings).wallTimeOf(at));
