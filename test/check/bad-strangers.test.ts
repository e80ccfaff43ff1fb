/* Checks servers that are bad as a whole: each gets a clear report, or ends the check with one line. */
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../src/tools/check/report.ts';
import { systemNow, wait } from '../../src/world/clock.ts';
import { startLaravel } from '../strangers/laravel.ts';
import type { Stranger, StrangerOptions } from '../strangers/shared.ts';
import { idsOf, runCheck } from './support.ts';

async function stranger(options: StrangerOptions): Promise<Stranger> {
  const started = await startLaravel(options);
  onTestFinished(() => started.close());
  return started;
}

/** Checks group life with a clock on which waiting takes no time. */
async function checkGroups({ url, key, otherKey }: Stranger, patience?: number) {
  const waits: number[] = [];
  const time = {
    now: systemNow,
    wait: (ms: number, signal?: AbortSignal) => {
      // A timeout ends with its request, and waits in real time.
      if (signal) return wait(ms, signal);
      waits.push(ms);
      return Promise.resolve();
    },
  };
  const products = new Map([['group_life', 21]]);
  const access = { url, key, otherKey, products, patience, families: ['group_life'] };
  const report = await runCheck(fetch, access, time).catch((error: Error) => error.message);
  return { report, waits };
}

const kinds = ({ differences }: Report) =>
  differences.map(({ path, assumptions }) => [path, assumptions].join());

test('a server that limits every request ends the check after a minute of waiting, with one line', async () => {
  const { report, waits } = await checkGroups(await stranger({ always429: true }));
  expect(report).toMatch(/returned 429 and asks to wait 1 s; the check waited 60 s in all/);
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(60_000);
  const impatient = await checkGroups(await stranger({ always429: true }), 500);
  expect(impatient).toMatchObject({
    waits: [],
    report: expect.stringMatching(/waited 0 s in all/),
  });
});

test('a server that answers success: false to everything ends the check with its message', async () => {
  const { report } = await checkGroups(await stranger({ always200Failure: true }));
  expect(report).toMatch(/returned no list: "Service temporarily disabled"/);
});

test('a server that keeps no purchase has that as one difference', async () => {
  const { report } = await checkGroups(await stranger({ forgetsPurchases: true }));
  const lost = (report as Report).differences.filter(({ seen }) => /not kept/.test(seen));
  expect(lost).toMatchObject([{ path: '$.data', expected: 'the policy that was bought' }]);
});

test('a server that accepts everything confirms no refusal', async () => {
  const { report } = await checkGroups(await stranger({ acceptsEverything: true }));
  expect(idsOf(report as Report, 'confirmed')).not.toContain('auth-failure');
  expect(idsOf(report as Report, 'confirmed')).not.toContain('token-unknown');
  expect(
    (report as Report).differences.some(({ expected }) => /refused with 401/.test(expected)),
  ).toBe(true);
});

test('a server that answers HTML to other programs answers the check in JSON', async () => {
  const plain = await checkGroups(await stranger({}));
  const html = await checkGroups(await stranger({ htmlWithoutAccept: true }));
  expect(kinds(html.report as Report)).toEqual(kinds(plain.report as Report));
});

test('with records before, and at a second run, a check learns the same profile', async () => {
  const server = await stranger({ records: 120 });
  const first = (await checkGroups(server)).report as Report;
  const second = (await checkGroups(server)).report as Report;
  expect(second.profile).toEqual(first.profile);
  expect(first.profile.decisions).toMatchObject({
    'text-trim': 'trim',
    'list-order': 'newest-first',
  });
  expect(kinds(second).length).toBe(kinds(first).length);
});
