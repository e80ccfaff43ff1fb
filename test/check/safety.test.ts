/* What a check may do to a server: where it buys, which methods it sends, which hosts it asks, how long it waits. */
import { describe, expect, test } from 'vitest';
import { isThisMachine } from '../../src/control/access.ts';
import { createSandbox } from '../../src/index.ts';
import { toText } from '../../src/tools/check/report.ts';
import {
  idsOf,
  KEY,
  OTHER_KEY,
  reasonsIn,
  runCheck,
  serve,
  told,
  watched,
  withHeader,
  withOutcome,
  withoutControl,
} from './support.ts';

const ELSEWHERE = 'https://provider.example';
const BUYING = /initiate|verify|top_up/;
const bought = ({ sent }: ReturnType<typeof watched>) =>
  sent.filter(({ path, authorization }) => BUYING.test(path) && authorization?.endsWith(KEY));

describe('on another machine', () => {
  test('a check buys nothing, and says how to allow it', async () => {
    const server = watched(withoutControl(serve()));
    const report = await runCheck(server.fetch, { url: ELSEWHERE });
    // Calls with another method carry no body and buy nothing.
    expect(bought(server).filter(({ method }) => method === 'POST')).toEqual([]);
    expect(new Set(server.sent.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']));
    expect(told(report)).toEqual([]);
    expect(reasonsIn(report)).toContain('purchases at provider.example require --buy');
  });

  test('a check of a sandbox only reads its control plane', async () => {
    const server = watched(serve());
    await runCheck(server.fetch, { url: 'http://sandbox:4015' });
    expect(bought(server).filter(({ method }) => method === 'POST')).toEqual([]);
    const control = server.sent.filter(({ path }) => path.startsWith('/_sandbox'));
    expect(new Set(control.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  test.each([
    [ELSEWHERE, 0],
    ['http://127.0.0.1:4015', 1],
  ])('a proxy on this machine counts as its target: %s', async (target, least) => {
    const sandbox = withoutControl(serve());
    const server = watched(async (request) =>
      new URL(request.url).pathname === '/_sandbox/journal'
        ? Response.json({ target, data: [] })
        : sandbox(request),
    );
    await runCheck(server.fetch, { url: 'http://localhost:4016' });
    const count = bought(server).filter(({ method }) => method === 'POST').length;
    expect(count > 0).toBe(least > 0);
  });

  test('--buy buys, with GET and POST only', async () => {
    const server = watched(withoutControl(serve()));
    const report = await runCheck(server.fetch, { url: ELSEWHERE, buy: true });
    expect(bought(server).length).toBeGreaterThan(20);
    expect(new Set(server.sent.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']));
    expect(told(report)).toEqual([]);
  });
});

test('a server that returns JSON for every path does not count as a sandbox', async () => {
  const sandbox = serve();
  const journal = { data: [{ id: 'req-1', operation: 'listMotorPolicies', status: 200 }] };
  const server = watched(async (request) =>
    request.url.includes('/_sandbox') ? Response.json(journal) : sandbox(request),
  );
  await runCheck(server.fetch);
  const control = server.sent.filter(({ path }) => path.startsWith('/_sandbox'));
  expect(new Set(control.map(({ method }) => method))).toEqual(new Set(['GET']));
});

test.each([
  ['http://127.9.8.7:4015', true],
  ['http://127.1', true],
  ['http://0x7f000001', true],
  ['http://[::1]:4015', true],
  ['http://api.localhost', true],
  ['http://sandbox:4015', false],
  ['http://0.0.0.0', false],
  ['http://[::ffff:10.0.0.1]', false],
  ['http://localhost.example', false],
  ['http://127.0.0.1.nip.example', false],
  ['http://notlocalhost', false],
])('%s is this machine: %s', (url, expected) => {
  expect(isThisMachine(new URL(url).host)).toBe(expected);
});

test('pages of another host are not asked for', async () => {
  const hosts = new Set<string>();
  const sandbox = createSandbox({ publicUrl: 'https://elsewhere.example/base' });
  const report = await runCheck((request) => {
    hosts.add(new URL(request.url).host);
    return sandbox.fetch(request);
  });
  expect([...hosts]).toEqual(['localhost']);
  expect(reasonsIn(report)).toContain('the URLs of pages are those of another server');
});

test('merchants who see each other come first in the report', async () => {
  const sandbox = withoutControl(serve());
  const report = await runCheck(
    (request) => {
      const isOther = request.headers.get('authorization') === `Bearer ${OTHER_KEY}`;
      return sandbox(isOther ? withHeader(request, 'authorization', `Bearer ${KEY}`) : request);
    },
    { otherKey: OTHER_KEY },
  );
  const ids = idsOf(report, 'differs');
  expect(ids).toEqual(expect.arrayContaining(['foreign-policy', 'own-list']));
  expect(toText(report).split('\n')[3]).toMatch(/^✗ .+ of another merchant /);
});

test('a merchant who can complete the waiting purchase of another one is told first', async () => {
  const sandbox = withoutControl(serve());
  const verified = new Set<string>();
  const report = await runCheck(
    async (request) => {
      const isVerify = request.url.endsWith('comprehensive_motor_verify_policy');
      const body = isVerify ? await request.clone().text() : '';
      // This server looks for a waiting purchase by its token alone.
      const isAnyones = isVerify && !verified.has(body);
      const answer = await sandbox(
        isAnyones ? withHeader(request, 'authorization', `Bearer ${KEY}`) : request,
      );
      if (answer.ok) verified.add(body);
      return answer;
    },
    { otherKey: OTHER_KEY },
  );
  expect(toText(report).split('\n')[4]).toBe('    probe     foreign-token (foreign-policy)');
});

/** Time that passes only while a check waits, and faster for the server. */
function passingTime(pace = 1) {
  const now = '2026-01-31T10:00:00.250Z';
  let waited = 0;
  const sandbox = createSandbox({ now, clock: 'frozen' });
  return {
    waited: () => waited,
    fetch: withoutControl((request) => sandbox.fetch(request)),
    time: {
      now: () => Date.parse(now) + waited,
      wait: async (ms: number, signal?: AbortSignal) => {
        if (signal) return new Promise<void>(() => undefined);
        waited += ms;
        const to = new Date(Date.parse(now) + waited * pace).toISOString();
        sandbox.merchant(KEY).clock.advance({ to });
      },
    },
  };
}

const MINUTE = 60_000;

test('--wait-expiry waits fifteen minutes in all, and sees tokens expire', async () => {
  const { fetch, time, waited } = passingTime();
  const report = await runCheck(fetch, { waitExpiry: true }, time);
  expect(told(report)).toEqual([]);
  const ok = idsOf(report, 'ok');
  expect(ok).toEqual(expect.arrayContaining(['token-expired', 'expired-token', 'token-used-late']));
  expect(waited()).toBeGreaterThan(15 * MINUTE);
  expect(waited()).toBeLessThan(16 * MINUTE);
});

test('--wait-expiry tells of tokens that live longer', async () => {
  const { fetch, time } = passingTime(15 / 16.5);
  const report = await runCheck(fetch, { waitExpiry: true }, time);
  expect(idsOf(report, 'differs')).toContain('token-lifetime');
});

test('--wait-expiry tells of tokens that expire early', async () => {
  const { fetch, time } = passingTime(15 / 14.5);
  const report = await runCheck(fetch, { waitExpiry: true }, time);
  expect(idsOf(report, 'differs')).toContain('token-lifetime');
  expect(withOutcome(report, 'not_asked')).toContainEqual(
    expect.objectContaining({ why: 'only a clock that can be moved shows it' }),
  );
  expect(reasonsIn(report)).not.toContain('no answer shows it');
});

test('without --wait-expiry a check waits for nothing, and a sandbox needs no waiting', async () => {
  const { fetch, time, waited } = passingTime();
  const report = await runCheck(fetch, {}, time);
  expect(waited()).toBe(0);
  expect(reasonsIn(report)).toContain('time has to pass; --wait-expiry waits 15 minutes');
  await runCheck(serve(), { waitExpiry: true }, time);
  expect(waited()).toBe(0);
});
