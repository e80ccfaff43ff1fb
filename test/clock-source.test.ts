import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox } from '../src/index.ts';
import { startSandbox } from '../src/node.ts';
import { TOKEN_MINUTES } from '../src/world/limits.ts';
import {
  BASE,
  type Client,
  callOperation,
  createClient,
  everythingOf,
  fetchOver,
} from './support/client.ts';
import { initiate } from './support/requests.ts';

const MINUTE = 60_000;
const TEN = Date.UTC(2026, 0, 31, 10);

/** A client whose sandbox reads time from the test. */
function createTimedClient(options = {}) {
  const source = { now: TEN as number | Date };
  const client = createClient({ now: undefined as never, clock: () => source.now, ...options });
  return { ...client, source };
}

/** Calls over a connection, not from the program with the time source. */
const overConnection =
  ({ sandbox, merchant }: Pick<Client, 'sandbox' | 'merchant'>): Client['call'] =>
  (operationId, input, init) => {
    const fetch = (request: Request) => fetchOver(sandbox, {}, request);
    return callOperation(fetch, BASE, merchant.apiKey, operationId, input, init);
  };

describe('a sandbox that reads time from a function', () => {
  test('shows the time it returns, as a running clock', () => {
    const { merchant, source } = createTimedClient();
    expect(merchant.clock.show()).toEqual({ now: '2026-01-31T10:00:00.000Z', mode: 'running' });
    source.now = new Date(TEN + MINUTE);
    expect(merchant.clock.show().now).toBe('2026-01-31T10:01:00.000Z');
    source.now = TEN + 2 * MINUTE + 0.75;
    expect(merchant.clock.show().now).toBe('2026-01-31T10:02:00.000Z');
  });

  test('follows the fake timers of a test', async () => {
    vi.useFakeTimers({ now: TEN });
    onTestFinished(() => void vi.useRealTimers());
    const client = createClient({ now: undefined as never, clock: () => Date.now() });
    const token = await initiate(client, 'micro_health');
    vi.advanceTimersByTime(TOKEN_MINUTES * MINUTE);
    const verified = await client.call('verifyMicroHealthSubscription', { token });
    expect(verified.body.data.error).toEqual(['Token has expired']);
  });

  test('adds the offset of now and advance', () => {
    const { sandbox, merchant, source } = createTimedClient({ now: '2026-03-01T00:00:00Z' });
    expect(merchant.clock.show().now).toBe('2026-03-01T00:00:00.000Z');
    merchant.clock.advance('PT1H');
    source.now = TEN + MINUTE;
    expect(merchant.clock.show().now).toBe('2026-03-01T01:01:00.000Z');
    const [demo] = sandbox.merchants();
    expect(demo?.clock.show().now).toBe('2026-03-01T00:01:00.000Z');
    merchant.reset();
    expect(merchant.clock.show().now).toBe('2026-03-01T00:00:00.000Z');
  });

  test('stands still while it goes back, as with the system clock', () => {
    const { merchant, source } = createTimedClient();
    source.now = TEN - MINUTE;
    expect(merchant.clock.show().now).toBe('2026-01-31T10:00:00.000Z');
    source.now = TEN + 1000;
    expect(merchant.clock.show().now).toBe('2026-01-31T10:00:01.000Z');
  });

  test('holds back only the Worlds that saw a later time', async () => {
    const { sandbox, merchant, source } = createTimedClient();
    const seen = sandbox.createMerchant();
    source.now = TEN + 60 * MINUTE;
    const made = sandbox.createMerchant();
    expect([seen, made].map(({ clock }) => clock.show().now)).toEqual([
      '2026-01-31T11:00:00.000Z',
      '2026-01-31T11:00:00.000Z',
    ]);
    await sandbox.fetch('/api/merchant/motor_quote');
    source.now = TEN + MINUTE;
    expect(seen.clock.show().now).toBe('2026-01-31T11:00:00.000Z');
    expect(merchant.clock.show().now).toBe('2026-01-31T10:01:00.000Z');
    expect(sandbox.createMerchant().clock.show().now).toBe('2026-01-31T10:01:00.000Z');
    const snapshot = seen.snapshot();
    seen.reset();
    made.restore(snapshot);
    await sandbox.fetch('/api/merchant/motor_quote');
    expect(sandbox.journal()[0]?.at).toBe('2026-01-31T10:01:00.000Z');
    source.now = TEN + 2 * MINUTE;
    expect(seen.clock.show().now).toBe('2026-01-31T10:02:00.000Z');
    expect(made.clock.show().now).toBe('2026-01-31T11:01:00.000Z');
  });

  test('still waits for calls in real time', async () => {
    const { merchant } = createTimedClient();
    const waiting = merchant.journal.await({ timeout: 'PT0.01S' });
    await expect(waiting).rejects.toMatchObject({ status: 408 });
  });

  test('keeps its state across stops and never goes back', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'clock-source-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    let now = TEN;
    const options = { port: 0, state: join(folder, 'state.json'), clock: () => now };
    const first = await startSandbox(options);
    const { apiKey, clock } = first.sandbox.createMerchant();
    clock.advance('PT1H');
    await first.close();
    now = TEN - MINUTE;
    const second = await startSandbox(options);
    const merchant = second.sandbox.merchant(apiKey);
    expect(merchant.clock.show().now).toBe('2026-01-31T11:00:00.000Z');
    now = TEN + MINUTE;
    expect(merchant.clock.show()).toMatchObject({ mode: 'running' });
    await second.close();
  });
});

describe('a clock function that returns no time', () => {
  const WRONG: [unknown, string][] = [
    [Number.NaN, 'returned NaN'],
    [Number.POSITIVE_INFINITY, 'returned Infinity'],
    [new Date(Number.NaN), 'returned an invalid Date'],
    ['2026-01-31T10:00:00Z', 'returned "2026-01-31T10:00:00Z"'],
    [undefined, 'returned nothing'],
    [null, 'returned null'],
    [Promise.resolve(TEN), 'returned a Promise'],
    [BigInt(TEN), 'returned 1769853600000'],
    [TEN * 1000, 'returned 1769853600000000'],
    [-1, 'returned -1'],
  ];

  test.each(WRONG)(
    'throws at the call that needs the time, and nothing changes: %s',
    (wrong, what) => {
      const { sandbox, merchant, source } = createTimedClient();
      const before = everythingOf(sandbox);
      source.now = wrong as number;
      const changes = [
        () => merchant.clock.show(),
        () => merchant.clock.advance('PT1M'),
        () => merchant.reset(),
        () => merchant.snapshot(),
        () => merchant.faults.clear(),
        () => sandbox.createMerchant(),
        () => sandbox.resetAll(),
      ];
      for (const change of changes) {
        expect(change).toThrow(TypeError);
        expect(change).toThrow(
          `The clock function of this sandbox must return a Date or milliseconds since 1970, up to the year 2286; it ${what}.`,
        );
      }
      source.now = TEN;
      expect(everythingOf(sandbox)).toEqual(before);
      expect(() => createSandbox({ clock: () => wrong as number })).toThrow(what);
    },
  );

  test('makes fetch reject with a TypeError at the line of the call', async () => {
    const { sandbox, merchant, source } = createTimedClient();
    const before = merchant.snapshot();
    source.now = Number.NaN;
    const headers = { authorization: `Bearer ${merchant.apiKey}` };
    for (const path of ['/api/merchant/micro_health/all_subscriptions', '/_sandbox/clock']) {
      const error = await sandbox.fetch(path, { headers }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toMatchObject({ message: expect.stringMatching(/it returned NaN\.$/) });
      expect((error as Error).stack?.split('\n')[1]).toContain('clock-source.test.ts');
    }
    expect((await sandbox.fetch('/livez')).status).toBe(200);
    source.now = TEN;
    expect(merchant.snapshot()).toEqual(before);
  });

  test('returns 500 in the envelope of the operation and leaves the World unchanged', async () => {
    const client = createTimedClient({ autoMerchants: true });
    const { sandbox, merchant, source } = client;
    const call = overConnection(client);
    await call('listMotorPolicies');
    const before = merchant.snapshot();
    source.now = Number.NaN;
    for (const headers of [{}, { authorization: 'Bearer worker-7' }]) {
      const answer = await call('initiateMotorPolicy', {}, { headers });
      expect(answer.status).toBe(500);
      expect(answer.body).toMatchObject({ success: false });
      expect(answer.body.data.error[0]).toMatch(/^The clock function .* it returned NaN\.$/);
    }
    source.now = TEN;
    expect(merchant.snapshot()).toEqual(before);
    expect(sandbox.merchants()).toHaveLength(3);
    expect(sandbox.journal({ status: 500 })).toHaveLength(2);
  });
});
