import { beforeAll, describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { ASSUMPTIONS } from '../../src/products/world.ts';
import type { Report } from '../../src/tools/check/report.ts';
import { operations } from '../support/client.ts';
import { idsOf, KEY, runCheck, serve, watched, withoutControl } from './support.ts';

const ALL = { families: ['micro_health', 'motor', 'group_life'] };

describe('a check of a sandbox in the last millisecond of a leap day', () => {
  const now = '2024-02-29T23:59:59.999Z';
  const sandbox = createSandbox({ now, clock: 'frozen' });
  const server = watched((request) => sandbox.fetch(request));
  let report: Report;
  beforeAll(async () => {
    report = await runCheck(server.fetch, ALL);
  });

  test('finds no difference and confirms every assumption', () => {
    expect(report.differences).toEqual([]);
    const confirmed = idsOf(report, 'confirmed');
    const missing = Object.keys(ASSUMPTIONS).filter((id) => !confirmed.includes(id));
    expect(missing, 'no scenario shows these: add a call that does to src/scenarios').toEqual([]);
    expect(confirmed).toEqual(Object.keys(ASSUMPTIONS));
    expect(report.profile).toEqual({ version: 1, decisions: {} });
    expect(report.operations.map(({ operation }) => operation).toSorted()).toEqual(
      [...operations.map(({ operationId }) => operationId), 'unknownRoute'].toSorted(),
    );
  });

  test("does not move the merchant's clock, and removes its own merchants", () => {
    expect(sandbox.merchants().map(({ id }) => id)).toEqual([1, 2]);
    expect(sandbox.merchant(KEY).clock.show().now).toBe(now);
  });

  test('sends PUT and DELETE to the control plane only', () => {
    const others = server.sent.filter(({ method }) => method !== 'GET' && method !== 'POST');
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter((request) => !server.toControl().includes(request))).toEqual([]);
  });

  test('buys with reserved phone numbers and e-mail addresses', () => {
    const text = server
      .bought()
      .map(({ body }) => body)
      .join('\n');
    expect([...new Set(text.match(/(?<!\d)\d{11}(?!\d)/g))].toSorted()).toEqual([
      '09990000000',
      '09990000001',
      '99900000000',
      '99999999999',
    ]);
    const addresses = text.match(/(?<=[\s"])[\w.-]+@[\w.-]+/g) ?? [];
    expect(addresses.length).toBeGreaterThan(0);
    expect(addresses.filter((address) => !/@(example\.com|a\.b)$/.test(address))).toEqual([]);
  });
});

describe('a check without a control plane', () => {
  const sandbox = createSandbox();
  const server = watched(withoutControl((request) => sandbox.fetch(request)));
  let report: Report;
  beforeAll(async () => {
    report = await runCheck(server.fetch, { families: ['micro_health', 'group_life'] });
  });

  test('finds no difference and says which assumptions it could not observe, and why', () => {
    expect(report.differences).toEqual([]);
    expect(report.control_plane).toBe(false);
    expect(idsOf(report, 'remaining')).toEqual([]);
    expect(idsOf(report, 'not asked')).toEqual(
      expect.arrayContaining([
        'key-issue',
        'foreign-policy',
        'token-boundary',
        'token-expired',
        'no-expiry-transition',
      ]),
    );
    expect(report.not_asked.map(({ reason }) => reason)).toContain(
      'the server has no control plane to move the clock',
    );
  });

  test('sends no PUT and no DELETE, and no wrong method that could change something', () => {
    expect(server.methods()).toEqual(new Set(['GET', 'POST']));
    expect(new Set(server.toControl().map(({ method }) => method))).toEqual(new Set(['GET']));
    const lists = server.sent.filter(({ path }) => path.endsWith('/all_subscriptions'));
    expect(new Set(lists.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  test('buys for customers that are named Sandbox Check', () => {
    const { length } =
      JSON.stringify(sandbox.merchant(KEY).snapshot()).match(/"surname":"Sandbox Check"/g) ?? [];
    expect(length).toBeGreaterThanOrEqual(4);
  });
});

test('a check finds no difference for a merchant without records', async () => {
  const sandbox = createSandbox();
  const key = sandbox.createMerchant().apiKey;
  const report = await runCheck((request) => sandbox.fetch(request), { key });
  expect(report.differences).toEqual([]);
});

test('without records and purchases, a check confirms nothing about records, their order and isolation', async () => {
  const sandbox = createSandbox();
  const [key, otherKey] = [sandbox.createMerchant().apiKey, sandbox.createMerchant().apiKey];
  const server = withoutControl((request) => sandbox.fetch(request));
  const report = await runCheck(server, { ...ALL, key, otherKey, readOnly: true });
  expect(report.differences).toEqual([]);
  const confirmed = idsOf(report, 'confirmed');
  expect(confirmed).toEqual(expect.arrayContaining(['page-out-of-range', 'auth-failure']));
  for (const id of [
    'list-order',
    'motor-list',
    'subscriber-defaults',
    'subscriptions-key',
    'group-life-items',
    'foreign-policy',
  ])
    expect(confirmed).not.toContain(id);
});

test('a check whose clock cannot be moved says nothing of what a renewal is added to', async () => {
  const report = await runCheck(withoutControl(serve()), { families: ['micro_health'] });
  expect(report.differences).toEqual([]);
  expect(idsOf(report, 'not asked')).toContain('top-up-anchor');
});

test('a check learns on any day that renewals are added to the end before', async () => {
  const profile = { version: 1, decisions: { 'top-up-anchor': 'end' } };
  const server = serve({ profile, now: '2026-02-10T10:00:00Z', clock: 'frozen' });
  const report = await runCheck(server, { families: ['micro_health'] });
  expect(report.profile).toEqual(profile);
});

test('among many records, a check tells what only shows once lists have their order', async () => {
  const decisions = { 'list-order': 'newest-first', 'subscriptions-key': 'array' };
  const sandbox = createSandbox({ profile: { version: 1, decisions } });
  const merchant = sandbox.createMerchant();
  for (let bought = 0; bought < 110; bought += 1) await merchant.buy('micro_health');
  const server = withoutControl((request) => sandbox.fetch(request));
  const report = await runCheck(server, { key: merchant.apiKey, families: ['micro_health'] });
  expect(report.profile.decisions).toEqual(decisions);
  expect(report.differences.flatMap(({ profile }) => Object.keys(profile ?? {}))).toEqual(
    expect.arrayContaining(Object.keys(decisions)),
  );
  expect(idsOf(report, 'explained').toSorted()).toEqual(Object.keys(decisions));
});

test('without a second merchant, a check moves the clock of its own merchant, which runs on afterwards', async () => {
  const sandbox = createSandbox({ adminToken: 'secret' });
  const report = await runCheck((request) => sandbox.fetch(request));
  expect(report.differences).toEqual([]);
  expect(idsOf(report, 'confirmed')).toContain('token-expired');
  expect(sandbox.merchant(KEY).clock.show().mode).toBe('running');
});

test('a read-only check buys and renews nothing and changes nothing', async () => {
  const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });
  const counts = () => ({ ...sandbox.merchant(KEY).show().counts, exchanges: 0 });
  const before = counts();
  const server = watched((request) => sandbox.fetch(request));
  const report = await runCheck(server.fetch, { ...ALL, readOnly: true });
  expect(report.differences).toEqual([]);
  expect(server.bought()).toEqual([]);
  expect(server.toControl().map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /_sandbox/clock',
    'GET /_sandbox/journal',
  ]);
  expect(counts()).toEqual(before);
  expect(idsOf(report, 'confirmed').length).toBeGreaterThan(20);
});

test('a request without a response is reported, and the check goes on', async () => {
  const sandbox = serve();
  const report = await runCheck(async (request) => {
    const { size } = await request.clone().blob();
    if (size > 1_000_000) throw new TypeError('other side closed');
    return sandbox(request);
  });
  expect(report.differences).toEqual([]);
  expect(report.not_asked).toEqual([
    {
      reason: 'the server cut the connection',
      calls: 1,
      example: 'initiateGroupLifePolicy with a body of more than 1 MiB',
    },
  ]);
});

test('a server error confirms no assumption', async () => {
  const sandbox = serve();
  const fetch = async (request: Request) =>
    request.url.endsWith('/get_quote')
      ? Response.json({ title: 'Bad Gateway' }, { status: 502 })
      : sandbox(request);
  const { differences } = await runCheck(fetch, { families: ['micro_health'], readOnly: true });
  const ofQuotes = differences.filter(({ example }) => example.operation === 'getMicroHealthQuote');
  expect(ofQuotes).not.toEqual([]);
  for (const { path, seen, assumptions } of ofQuotes) {
    expect([path, assumptions]).toEqual(['status', ['http-status']]);
    expect(seen).toContain('502');
  }
});

test.each([
  [4, 250],
  [undefined, undefined],
])('with --rps %s, the wait between requests is %s ms', async (rps, apart) => {
  let at = Date.parse('2026-02-01T12:00:00Z');
  const waits: number[] = [];
  const time = {
    now: () => at,
    wait: async (ms: number, signal?: AbortSignal) => {
      // The timeout of a response.
      if (signal) return new Promise<void>(() => undefined);
      waits.push(ms);
      at += ms;
    },
  };
  const { requests } = await runCheck(serve(), { rps, readOnly: true }, time);
  expect(waits).toEqual(apart === undefined ? [] : Array(requests - 1).fill(apart));
});
