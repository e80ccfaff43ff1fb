import { describe, expect, test } from 'vitest';
import { check } from '../../src/contract/check.ts';
import { createSandbox } from '../../src/index.ts';
import { idsOf, KEY, serve, withoutControl } from './support.ts';

/** Time that passes only while a check waits; for the server it goes so many times as fast. */
function passingTime(pace = 1) {
  const now = '2026-01-31T10:00:00.250Z';
  let at = Date.parse(now);
  let waited = 0;
  const sandbox = createSandbox({ now, clock: 'frozen' });
  return {
    waited: () => waited,
    fetch: withoutControl((request) => sandbox.fetch(request)),
    time: {
      now: () => at,
      wait: async (ms: number, signal?: AbortSignal) => {
        if (signal) return new Promise<void>(() => undefined);
        at += ms;
        waited += ms;
        const to = new Date(Date.parse(now) + waited * pace).toISOString();
        sandbox.merchant(KEY).clock.advance({ to });
      },
    },
  };
}

const OPTIONS = { url: 'http://localhost', key: KEY, waitExpiry: true } as const;
const MINUTE = 60_000;

describe('where nothing can move the clock', () => {
  test('--wait-expiry waits a good 15 minutes in all, and sees tokens expire', async () => {
    const { fetch, time, waited } = passingTime();
    const report = await check(OPTIONS, fetch, time);
    expect(report.differences).toEqual([]);
    expect(idsOf(report, 'confirmed')).toContain('token-expired');
    expect(waited()).toBeGreaterThan(15 * MINUTE);
    expect(waited()).toBeLessThan(16 * MINUTE);
  });

  test.each([
    ['a minute and a half too long', 15 / 16.5, /^refused with 400 \(token expired\)$/],
    ['a minute and a half too short', 15 / 13.5, /^true$/],
  ])('tokens that live %s are told', async (_name, pace, expected) => {
    const { fetch, time } = passingTime(pace);
    const report = await check({ ...OPTIONS, families: ['motor'] }, fetch, time);
    const told = report.differences.find((difference) => expected.test(difference.expected));
    expect(told?.places.map(({ operation }) => operation)).toEqual(['verifyMotorPolicy']);
    expect(told?.path).toBe('$.success');
  });

  test('progress says how long it still waits', async () => {
    const { fetch, time } = passingTime();
    const told: string[] = [];
    const onProgress = (what: string) => told.push(what);
    await check({ ...OPTIONS, families: ['motor'], onProgress }, fetch, time);
    expect(told[0]).toBe('learns products and prices');
    expect(told[1]).toMatch(/^1 of \d+ {2}initiateMotorPolicy for a token to try$/);
    expect(told).toContain('waits 14:20 more for tokens to expire');
    expect(told.at(-1)).toBe('compares the answers');
  });
});

test('nothing is waited for where the clock can be moved', async () => {
  const { time, waited } = passingTime();
  const report = await check({ ...OPTIONS, families: ['motor'] }, serve(), time);
  expect(waited()).toBe(0);
  expect(report.notes).toEqual(['Nothing was waited for: the clock of the sandbox was moved.']);
});

test.each([
  [{ readOnly: true }, /--wait-expiry waits for purchases to expire; --read-only makes none/],
  [{ url: 'https://provider.example' }, /off this machine that takes --buy/],
])('--wait-expiry needs purchases: %j', async (options, message) => {
  const { fetch, time } = passingTime();
  await expect(check({ ...OPTIONS, ...options }, fetch, time)).rejects.toThrow(message);
});
