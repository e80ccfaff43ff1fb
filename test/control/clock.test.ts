import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox, sampleRequests } from '../../src/index.ts';
import { TOKEN_MINUTES } from '../../src/world/limits.ts';
import { createClient } from '../support/client.ts';
import { control } from '../support/control.ts';
import { initiate, initiateOf } from '../support/requests.ts';
import { ownSystemTime } from '../support/timers.ts';

/** Matches the error of a refusal with this status and message. */
const refusal = (status: number, message: RegExp) =>
  expect.objectContaining({ status, message: expect.stringMatching(message) });

test.each([
  ['PT15M', '2026-01-31T10:15:00.000Z'],
  ['PT0S', '2026-01-31T10:00:00.000Z'],
  ['P1D', '2026-02-01T10:00:00.000Z'],
  ['P1W', '2026-02-07T10:00:00.000Z'],
  ['P1M', '2026-02-28T10:00:00.000Z'],
  ['P1M1D', '2026-03-01T10:00:00.000Z'],
  ['P2Y1M', '2028-02-29T10:00:00.000Z'],
  ['P1Y2M3DT4H5M6.007S', '2027-04-03T14:05:06.007Z'],
  ['PT1.001S', '2026-01-31T10:00:01.001Z'],
  ['PT0.0006S', '2026-01-31T10:00:00.001Z'],
  ['PT0,5S', '2026-01-31T10:00:00.500Z'],
  ['PT1.5H', '2026-01-31T11:30:00.000Z'],
  ['PT1440M', '2026-02-01T10:00:00.000Z'],
])('a clock that advances by %s shows %s', (by, now) => {
  const { clock } = createClient().merchant;
  expect(clock.advance(by)).toEqual({ now, mode: 'frozen', effects: [], more: 0 });
  expect(clock.show()).toEqual({ now, mode: 'frozen' });
});

test.each([
  ['says no time', ['', 'PT', 'P', 'P1DT']],
  ['does not begin with P', ['15M', 'pt5m']],
  ['has a sign', ['PT-5M', '-PT5M', '+PT5M']],
  ['has other parts than a duration', ['P1.5M', 'PT1M1H', 'P1H', 'PT5M ', 'PT1.S']],
  ['has a fraction before its end', ['PT1.5H3M', 'PT1.5M3S', 'PT0,5H1S']],
  ['leads too far', ['P99999999999999999999Y', 'P300Y', `P${'1'.repeat(400)}D`]],
])('a clock refuses a duration that %s, and says what a duration is', (_, durations) => {
  const { merchant } = createClient();
  const before = merchant.snapshot();
  for (const by of durations) {
    expect(() => merchant.clock.advance(by)).toThrow(
      refusal(422, /^by (must be an ISO 8601 duration|goes past).{0,150}$/),
    );
  }
  expect(merchant.snapshot()).toEqual(before);
});

test.each([
  ['2026-01-31T10:00:00.001Z', '2026-01-31T10:00:00.001Z'],
  ['2026-01-31T12:00:00+01:30', '2026-01-31T10:30:00.000Z'],
  ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
  ['2286-11-20T17:46:39.999Z', '2286-11-20T17:46:39.999Z'],
])('a clock moves to %s', (to, now) => {
  const { clock } = createClient().merchant;
  expect(clock.advance({ to })).toMatchObject({ now });
  expect(clock.set({ now: to })).toMatchObject({ now });
});

test.each([
  ['no moment', 422, ['tomorrow', '2026-02-30', '2026-02-30T10:00:00Z', '2026-02-01T10:00:00', '']],
  ['what no clock can show', 422, ['2286-11-20T17:46:40.000Z', '+010000-01-01T00:00:00Z']],
  ['the past', 409, ['2026-01-31T09:59:59.999Z']],
])('a clock does not move to %s: %i', (_, status, moments) => {
  const { merchant } = createClient();
  const before = merchant.snapshot();
  const message =
    status === 422
      ? /^(to|now): expected a time like 2026-01-31T10:00:00Z or a day like 2026-01-31, from /
      : /forward only; a reset starts over\.$/;
  for (const to of moments) {
    const now = { now: to, mode: 'running' } as const;
    expect(() => merchant.clock.advance({ to })).toThrow(refusal(status, message));
    expect(() => merchant.clock.set(now)).toThrow(refusal(status, message));
  }
  expect(merchant.snapshot()).toEqual(before);
});

test('a day means its midnight UTC, wherever a moment is asked for', () => {
  const now = '2026-03-01T00:00:00.000Z';
  expect(createClient().merchant.clock.set({ now: '2026-03-01' })).toMatchObject({ now });
  expect(createClient().merchant.clock.advance({ to: '2026-03-01' })).toMatchObject({ now });
  const sandbox = createSandbox({ now: '2026-02-01', clock: 'frozen' });
  expect(sandbox.createMerchant().clock.show().now).toBe('2026-02-01T00:00:00.000Z');
  expect(sandbox.createMerchant({ now: '2026-03-01' }).clock.show().now).toBe(now);
});

test('over HTTP, a refusal to go back says the same', async () => {
  const { sandbox, merchant } = createClient();
  const body = { to: '2026-01-31T09:59:59.999Z' };
  const refused = await control(sandbox, 'advanceClock', { key: merchant.apiKey, body });
  expect(refused.status).toBe(409);
  expect(refused.body.detail).toMatch(/forward only; a reset starts over\.$/);
});

test('a frozen clock stops at its time and continues from there', () => {
  const systemTime = ownSystemTime();
  const { clock } = createClient({ clock: 'running' }).merchant;
  const frozen = clock.set({ mode: 'frozen' });
  expect(frozen).toEqual({ now: '2026-01-31T10:00:00.000Z', mode: 'frozen' });
  systemTime.pass(60_000);
  expect(clock.show()).toEqual(frozen);
  expect(clock.set({ mode: 'running' })).toEqual({ ...frozen, mode: 'running' });
  systemTime.pass(60_000);
  expect(clock.show().now).toBe('2026-01-31T10:01:00.000Z');
});

test('a running clock forgets the fake timers of an earlier test at the next reset', async () => {
  const sandbox = createSandbox();
  const merchant = sandbox.createMerchant();
  vi.useFakeTimers({ now: Date.UTC(2031, 0, 1) });
  onTestFinished(() => void vi.useRealTimers());
  expect(merchant.clock.show().now).toBe('2031-01-01T00:00:00.000Z');
  vi.useRealTimers();
  const start = Date.now();
  merchant.reset();
  for (const { clock } of [merchant, sandbox.createMerchant(), ...sandbox.merchants()]) {
    expect(Math.abs(Date.parse(clock.show().now) - start)).toBeLessThan(60_000);
  }
});

test('purchases that expire while a clock advances are returned in order, across the families', async () => {
  const client = createClient();
  const { clock } = client.merchant;
  const expiring: { readonly at: string }[] = [];
  for (const family of ['motor', 'micro_health', 'group_life', 'motor'] as const) {
    const at = Date.parse(clock.show().now) + TOKEN_MINUTES * 60_000;
    const expiry = {
      kind: 'purchase_expired',
      operation: initiateOf[family],
      token: await initiate(client, family),
      at: new Date(at).toISOString(),
    };
    expiring.push(expiry);
    clock.advance('PT1M');
  }
  const [last, ...others] = expiring.toSorted((a, b) => b.at.localeCompare(a.at));
  const end = Date.parse(String(last?.at));
  const { effects } = clock.advance({ to: new Date(end - 1).toISOString() });
  expect(effects).toEqual(others.toReversed());
  expect(clock.advance('PT1S').effects).toEqual([last]);
  expect(clock.advance('P1Y').effects).toEqual([]);
});

describe('the next event', () => {
  test('is the next expiry of a purchase or end of a cover; without one, advance is 409 and moves nothing', async () => {
    const { merchant } = createClient();
    const { clock } = merchant;
    await merchant.buy('micro_health');
    await merchant.data('initiateMotorPolicy', sampleRequests.initiateMotorPolicy);
    expect(clock.advance({ to: 'next' })).toMatchObject({
      now: '2026-01-31T10:15:00.000Z',
      effects: [{ kind: 'purchase_expired' }],
    });
    const after = clock.advance({ to: 'next' });
    expect(after).toMatchObject({
      now: '2026-02-28T10:00:00.000Z',
      effects: [{ kind: 'cover_ended' }],
    });
    expect(() => clock.advance({ to: 'next' })).toThrow(
      'This World has no next event: no purchase is pending, and no cover ends.',
    );
    expect(clock.show().now).toBe(after.now);
  });

  test('lies just past the lifetime of a token that is valid at its end', async () => {
    const profile = { version: 1, decisions: { 'token-boundary': 'inclusive' } } as const;
    const { merchant } = createClient({ profile });
    await merchant.data('initiateMotorPolicy', sampleRequests.initiateMotorPolicy);
    const { now, effects } = merchant.clock.advance({ to: 'next' });
    expect([now, effects.length]).toEqual(['2026-01-31T10:15:00.001Z', 1]);
  });
});

describe('covers that end while a clock advances', () => {
  test('are returned among the purchases that expire, in order of time', async () => {
    const { merchant } = createClient();
    const { policy_no } = await merchant.buy('micro_health');
    const request = sampleRequests.initiateMotorPolicy;
    merchant.clock.advance('P27D');
    const { token } = await merchant.data('initiateMotorPolicy', request);
    expect(merchant.clock.advance('P1M')).toEqual({
      now: '2026-03-27T10:00:00.000Z',
      mode: 'frozen',
      effects: [
        {
          kind: 'purchase_expired',
          operation: 'initiateMotorPolicy',
          token,
          at: '2026-02-27T10:15:00.000Z',
        },
        {
          kind: 'cover_ended',
          family: 'micro_health',
          policy_number: policy_no,
          at: '2026-02-28T10:00:00.000Z',
        },
      ],
      more: 0,
    });
    expect(merchant.clock.advance('P1Y').effects).toEqual([]);
  });

  test('are those of every family: motor and group life end at midnight', async () => {
    const { merchant } = createClient();
    const car = await merchant.buy('motor', { start_date: '2026-02-01', duration: 1 });
    const group = await merchant.buy('group_life', { start_date: '2026-02-01' });
    const ends = '2027-02-01T00:00:00.000Z';
    expect(merchant.clock.advance({ to: '2027-01-31T23:59:59Z' }).effects).toEqual([]);
    expect(merchant.clock.advance('PT1S').effects).toEqual([
      { kind: 'cover_ended', family: 'motor', policy_number: car.policy_number, at: ends },
      { kind: 'cover_ended', family: 'group_life', policy_number: group.policy_number, at: ends },
    ]);
  });

  test('end at the moment at which a renewal is late', async () => {
    const { merchant } = createClient();
    const { policy_no } = await merchant.buy('micro_health');
    const renew = () =>
      merchant.data('topUpMicroHealthSubscription', {
        policy_no,
        subscription_type: 'monthly',
        amount: 700,
      });
    const end = '2026-02-28T10:00:00.000Z';
    expect(merchant.clock.advance({ to: '2026-02-28T09:59:59Z' }).effects).toEqual([]);
    expect(merchant.clock.advance({ to: end }).effects).toMatchObject([
      { policy_number: policy_no, at: end },
    ]);
    await renew();
    expect(merchant.clock.advance({ to: '2026-03-27T10:00:00Z' }).effects).toEqual([]);
    await renew();
    expect(merchant.clock.advance('P1M').effects).toEqual([]);
    expect(merchant.clock.advance('P1D').effects).toMatchObject([
      { at: '2026-04-28T10:00:00.000Z' },
    ]);
  });

  test('are a hundred at most, with the number of the others', () => {
    const { sandbox } = createClient();
    const records = { micro_health: 80, motor: 30, group_life: 50 };
    const merchant = sandbox.createMerchant({ records });
    const ended = (families: readonly ('micro_health' | 'motor' | 'group_life')[]) =>
      families.flatMap((family) => merchant.records({ family, per_page: 100 }).data);
    const before = new Date(merchant.clock.show().now).toISOString();
    const running = ended(['micro_health', 'motor', 'group_life']).filter((policy) => {
      const end = 'subscriptions' in policy ? policy.subscriptions.end_date : policy.end_date;
      return String(end) > before;
    });
    const { effects, more } = merchant.clock.advance('P5Y');
    expect(effects).toHaveLength(100);
    expect(effects.length + more).toBe(running.length);
    const times = effects.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
  });
});
