import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createClock,
  createTime,
  createWorldTime,
  isClockInstant,
  readClock,
  readWorldTime,
  systemNow,
  wait,
} from '../../src/world/clock.ts';
import { MAX_INSTANT } from '../../src/world/time.ts';

const REAL = Date.parse('2026-01-31T10:00:00Z');
const HOUR = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ now: REAL });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a frozen clock', () => {
  test('shows the same time however much real time passes', () => {
    const clock = createClock({ now: 5000, mode: 'frozen' }, systemNow());
    vi.advanceTimersByTime(HOUR);
    expect(readClock(clock, systemNow())).toBe(5000);
  });

  test('starts at real time by default', () => {
    const clock = createClock({ now: undefined, mode: 'frozen' }, systemNow());
    vi.advanceTimersByTime(HOUR);
    expect(readClock(clock, systemNow())).toBe(REAL);
  });
});

describe('a running clock', () => {
  test('starts at the given time and runs with real time', () => {
    const clock = createClock({ now: 5000, mode: 'running' }, systemNow());
    expect(readClock(clock, systemNow())).toBe(5000);
    vi.advanceTimersByTime(HOUR);
    expect(readClock(clock, systemNow())).toBe(5000 + HOUR);
  });

  test('shows real time by default', () => {
    const clock = createClock({ now: undefined, mode: 'running' }, systemNow());
    vi.advanceTimersByTime(HOUR);
    expect(readClock(clock, systemNow())).toBe(REAL + HOUR);
  });

  test('waits when the system clock is set back, until that has caught up', () => {
    const time = createWorldTime(createTime());
    const clock = createClock({ now: REAL, mode: 'running' }, readWorldTime(time));
    vi.setSystemTime(REAL + 2 * HOUR);
    expect(readClock(clock, readWorldTime(time))).toBe(REAL + 2 * HOUR);
    vi.setSystemTime(REAL + HOUR);
    expect(readClock(clock, readWorldTime(time))).toBe(REAL + 2 * HOUR);
    vi.setSystemTime(REAL + 3 * HOUR);
    expect(readClock(clock, readWorldTime(time))).toBe(REAL + 3 * HOUR);
  });

  test('never shows less than it was set to, even if the system clock is set back before the first read', () => {
    const clock = createClock({ now: REAL, mode: 'running' }, systemNow());
    vi.setSystemTime(REAL - HOUR);
    expect(readClock(clock, systemNow())).toBe(REAL);
  });

  test('stops at the last time that tokens have digits for', () => {
    const clock = createClock({ now: MAX_INSTANT - 1, mode: 'running' }, systemNow());
    vi.advanceTimersByTime(HOUR);
    expect(readClock(clock, systemNow())).toBe(MAX_INSTANT);
  });
});

test('a clock shows times from 1970 to the last with ten digits of epoch seconds', () => {
  expect([-1, 0, MAX_INSTANT, MAX_INSTANT + 1, Number.NaN].map(isClockInstant)).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});

describe('waiting', () => {
  const track = (waiting: Promise<void>) => {
    const seen = { over: false };
    void waiting.then(() => {
      seen.over = true;
    });
    return seen;
  };

  test('ends after the given real milliseconds', async () => {
    const seen = track(wait(2000));
    await vi.advanceTimersByTimeAsync(1999);
    expect(seen.over).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.over).toBe(true);
  });

  test('ends when the caller gives up, and leaves no timer', async () => {
    const caller = new AbortController();
    const seen = track(wait(2000, caller.signal));
    caller.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.over).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
