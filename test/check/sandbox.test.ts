import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { ASSUMPTIONS } from '../../src/products/world.ts';
import { operations } from '../support/client.ts';
import { idsOf, KEY, runCheck, serve, withoutControl } from './support.ts';

describe('against the sandbox', () => {
  test('a check finds no difference and confirms every assumption', async () => {
    const report = await runCheck(serve());
    expect(report.differences).toEqual([]);
    expect(idsOf(report, 'confirmed')).toEqual(Object.keys(ASSUMPTIONS));
    expect(report.profile).toEqual({ version: 1, decisions: {} });
    expect(report.operations.map(({ operation }) => operation).toSorted()).toEqual(
      [...operations.map(({ operationId }) => operationId), 'unknownRoute'].toSorted(),
    );
  });

  test('a check finds no difference in the last millisecond of a leap day', async () => {
    const sandbox = serve({ now: '2024-02-29T23:59:59.999Z', clock: 'frozen' });
    expect((await runCheck(sandbox)).differences).toEqual([]);
  });

  test('a check finds no difference for a merchant without records', async () => {
    const sandbox = createSandbox();
    const key = sandbox.createMerchant().apiKey;
    const wishes = { key, families: ['motor'] };
    const report = await runCheck((request) => sandbox.fetch(request), wishes);
    expect(report.differences).toEqual([]);
  });

  test('a check leaves the clock of the merchant alone and no second merchant behind', async () => {
    const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });
    await runCheck((request) => sandbox.fetch(request), { families: ['motor'] });
    expect(sandbox.merchants().map(({ id }) => id)).toEqual([1, 2]);
    expect(sandbox.merchant(KEY).clock.show().now).toBe('2026-01-31T10:00:00.000Z');
  });

  test('where no second merchant may be made, the own clock shows what expires, and runs on after', async () => {
    const sandbox = createSandbox({ adminToken: 'secret' });
    const wishes = { families: ['motor'] };
    const report = await runCheck((request) => sandbox.fetch(request), wishes);
    expect(report.differences).toEqual([]);
    expect(idsOf(report, 'confirmed')).toContain('token-expired');
    expect(sandbox.merchant(KEY).clock.show().mode).toBe('running');
  });
});

describe('without a control plane', () => {
  test('a check finds no difference and says which assumptions it could not observe, and why', async () => {
    const report = await runCheck(withoutControl(serve()));
    expect(report.differences).toEqual([]);
    expect(report.control_plane).toBe(false);
    expect(idsOf(report, 'contradicted')).toEqual([]);
    expect(idsOf(report, 'not asked')).toEqual([
      'key-issue',
      'foreign-policy',
      'token-boundary',
      'token-expired',
      'no-expiry-transition',
    ]);
    const reasons = report.not_asked.map(({ reason }) => reason);
    expect(reasons).toContain('no clock can be moved: the server has no control plane');
  });
});

describe('read-only', () => {
  test('a check sends nothing that buys or renews, and leaves the World as it was', async () => {
    const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });
    const sent: string[] = [];
    const before = sandbox.merchant(KEY).show().counts;
    const report = await runCheck(
      (request) => {
        sent.push(`${request.method} ${new URL(request.url).pathname}`);
        return sandbox.fetch(request);
      },
      { readOnly: true },
    );
    expect(report.differences).toEqual([]);
    expect(sent.filter((line) => /initiate|verify|top_up/.test(line))).toEqual([]);
    expect(sent.filter((line) => /_sandbox/.test(line))).toEqual([
      'GET /_sandbox/clock',
      'GET /_sandbox/journal',
    ]);
    const { exchanges: _after, ...counts } = sandbox.merchant(KEY).show().counts;
    const { exchanges: _before, ...same } = before;
    expect(counts).toEqual(same);
    expect(idsOf(report, 'confirmed').length).toBeGreaterThan(20);
  });
});

test('what a check buys is for customers who say where they come from', async () => {
  const sandbox = createSandbox();
  const fetch = withoutControl((request) => sandbox.fetch(request));
  await runCheck(fetch, { families: ['micro_health'] });
  const bought = JSON.stringify(sandbox.merchant(KEY).snapshot()).match(
    /"surname":"Sandbox Check"/g,
  );
  expect(bought?.length).toBeGreaterThanOrEqual(4);
});

test('a server that fails has neither accepted nor refused, which confirms nothing', async () => {
  const sandbox = serve();
  const report = await runCheck(
    async (request) => {
      const response = await sandbox(request);
      return request.url.endsWith('/get_quote')
        ? Response.json({ title: 'Bad Gateway' }, { status: 502 })
        : response;
    },
    { families: ['micro_health'] },
  );
  const ofQuotes = report.differences.filter(({ example }) => example.operation === QUOTE);
  expect(ofQuotes.flatMap(({ places }) => places.map(({ times }) => times))).not.toEqual([]);
  for (const { path, seen, assumptions } of ofQuotes) {
    expect([path, assumptions]).toEqual(['status', ['http-status']]);
    expect(seen).toContain('502');
  }
});

const QUOTE = 'getMicroHealthQuote';
