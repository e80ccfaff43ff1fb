import { expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { familyKeys, lifetimeOf } from '../support/requests.ts';
import { idsOf, KEY, runCheck, serve, withoutControl } from './support.ts';

const MINUTE = 60_000;
const LIFETIMES = familyKeys.map(lifetimeOf);

/** Time that passes only while a check waits, and faster for the server. */
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

test('--wait-expiry waits until the tokens of every family have expired, shows the remaining time, and sees tokens expire', async () => {
  const { fetch, time, waited } = passingTime();
  const told: string[] = [];
  const onProgress = (what: string) => told.push(what);
  const report = await runCheck(fetch, { waitExpiry: true, onProgress }, time);
  expect(report.differences).toEqual([]);
  expect(idsOf(report, 'confirmed')).toContain('token-expired');
  expect(waited()).toBeGreaterThan(Math.max(...LIFETIMES) * MINUTE);
  expect(waited()).toBeLessThan((Math.max(...LIFETIMES) + 1) * MINUTE);
  expect(told[0]).toBe('reading products and prices');
  expect(told[1]).toMatch(/^1 of \d+ {2}initiateGroupLifePolicy for a token$/);
  expect(told).toContain(`waiting ${Math.min(...LIFETIMES) - 1}:20 for tokens to expire`);
  expect(told.at(-1)).toBe('comparing the responses');
});

test.each([
  ['too long', 15 / 16.5, /^refused with 400 \(token expired\)$/],
  ['too short', 15 / 13.5, /^accepted shortly before 15 minutes$/],
])('--wait-expiry reports tokens that expire 90 seconds %s', async (_how, pace, expected) => {
  const { fetch, time } = passingTime(pace);
  const report = await runCheck(fetch, { waitExpiry: true }, time);
  const told = report.differences.find((difference) => expected.test(difference.expected));
  expect(told?.places.map(({ operation }) => operation)).toEqual(['verifyGroupLifePolicy']);
  expect(told).toMatchObject({ path: '$.success', assumptions: [] });
});

test('--wait-expiry does not wait if the clock can be moved', async () => {
  const { time, waited } = passingTime();
  const report = await runCheck(serve(), { waitExpiry: true }, time);
  expect(waited()).toBe(0);
  expect(report.notes).toEqual(['The check moved the clock of the sandbox instead of waiting.']);
});
