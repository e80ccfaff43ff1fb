import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient, everythingOf, START } from '../support/client.ts';
import { control } from '../support/control.ts';
import { readEvents } from '../support/events.ts';
import { buy, familyKeys, initiate, purchaseOf, verifyOf } from '../support/requests.ts';

const match = { operation: 'verifyMotorPolicy' } as const;
const effect = { kind: 'advance', by: 'PT20M' } as const;
const rule = { match, stage: 'before', effect } as const;
const LATER = '2026-01-31T10:20:00.000Z';
const headers = { 'sandbox-fault': 'before; advance; by=PT20M' };

describe('a fault that lets time pass before a call', () => {
  test.each(familyKeys)(
    'has the token of a %s purchase expire, as a move of the clock does',
    async (key) => {
      const outcomes = [];
      for (const moved of [true, false]) {
        const client = createClient();
        const token = await initiate(client, key);
        await initiate(client, key);
        if (moved) client.merchant.clock.advance('PT20M');
        const init = moved ? {} : { headers };
        const { status, body } = await client.call(verifyOf[key], { token }, init);
        // What has expired leaves with the next call.
        await client.call('listMotorPolicies');
        const { journal: _, ...world } = client.merchant.snapshot().world;
        outcomes.push({ status, body, world });
      }
      const [expected, got] = outcomes;
      expect(got).toEqual(expected);
      expect(got?.status).not.toBe(200);
    },
  );

  test('is done with before the call, which is handled at the new time', async () => {
    const client = createClient();
    const { merchant, call } = client;
    merchant.faults.add({ ...rule, match: { operation: 'initiateMotorPolicy' } });
    const token = await initiate(client, 'motor');
    expect(merchant.clock.show()).toEqual({ now: LATER, mode: 'frozen' });
    expect(merchant.faults.list()).toEqual([]);
    const [entry] = merchant.journal.list();
    expect(entry).toMatchObject({
      status: 200,
      at: '2026-01-31T10:00:00.000Z',
      duration_ms: 20 * 60_000,
      fault: { id: 'fault-1', stage: 'before', effect },
      response: { headers: { 'sandbox-fault': 'before; advance; by=PT20M' } },
    });
    expect((await call('verifyMotorPolicy', { token })).status).toBe(200);
  });

  test('moves a running clock on from where it is, and leaves it running', async () => {
    let now = Date.parse(START);
    const { call, merchant } = createClient({ now: undefined, clock: () => now });
    now += 1000;
    await call('listMotorPolicies', {}, { headers });
    now += 1000;
    expect(merchant.clock.show()).toEqual({ now: '2026-01-31T10:20:02.000Z', mode: 'running' });
  });

  test('shows among the changes of a call what the call changed, not what expired', async () => {
    const client = createClient();
    await initiate(client, 'group_life');
    const { body } = await client.call('initiateMotorPolicy', purchaseOf('motor'), { headers });
    expect(client.merchant.journal.list()[0]?.changes).toEqual([
      { change: 'added', table: 'motor.pending', key: body.data.token },
    ]);
    expect(client.merchant.show().counts.pending).toBe(1);
  });

  test('passes before a call that is refused, reads only, or has no operation', async () => {
    const { call, sandbox, merchant } = createClient();
    const calls = [
      () => call('verifyMotorPolicy', { token: 'unknown' }, { headers }),
      () => call('verifyMotorPolicy', {}, { headers }),
      () => call('listMotorPolicies', {}, { headers }),
      () => call('getMotorQuote', {}, { headers, method: 'DELETE' }),
      () =>
        sandbox.fetch('/nowhere', {
          headers: { ...headers, authorization: `Bearer ${merchant.apiKey}` },
        }),
    ];
    for (const [place, send] of calls.entries()) {
      expect((await send()).headers.get('sandbox-fault')).toBe(headers['sandbox-fault']);
      const passed = Date.parse(merchant.clock.show().now) - Date.parse(START);
      expect(passed).toBe((place + 1) * 20 * 60_000);
    }
  });

  test('passes once for each of several calls at the same time', async () => {
    const { call, merchant } = createClient();
    merchant.faults.add({ ...rule, match: {}, times: 3 });
    const times = Array.from({ length: 4 }, () => call('listMotorPolicies'));
    await Promise.all(times);
    expect(merchant.clock.show().now).toBe('2026-01-31T11:00:00.000Z');
  });

  test('is the time of all calls at the same time that are handled after it', async () => {
    const { call, merchant } = createClient();
    merchant.faults.add({ stage: 'before', effect, skip: 1 });
    const buy = () => call('initiateMotorPolicy', purchaseOf('motor'));
    await Promise.all([buy(), buy(), buy(), buy()]);
    const moments = merchant.purchases().map(({ initiated_at }) => initiated_at);
    expect(moments).toEqual(moments.toSorted());
    expect(new Set(moments).size).toBe(1);
    merchant.restore(merchant.snapshot());
  });

  test('is an event before that of the call, as a move of the clock is', async () => {
    const { sandbox, call, merchant } = createClient();
    const events = readEvents(await sandbox.fetch('/_sandbox/events'));
    onTestFinished(() => events.cancel());
    await call('listMotorPolicies', {}, { headers });
    expect(await events.take(2)).toMatchObject([
      { event: 'world', data: { merchant: { id: merchant.id }, kind: 'clock', at: LATER } },
      { event: 'entry', data: { operation: 'listMotorPolicies', status: 200 } },
    ]);
  });

  test('is in a snapshot and its rules, and survives a restore', async () => {
    const client = createClient();
    const { merchant } = client;
    await buy(client, 'motor');
    merchant.faults.add(rule);
    const before = everythingOf(client.sandbox);
    merchant.restore(merchant.snapshot());
    expect(everythingOf(client.sandbox)).toEqual(before);
  });

  test('stops where clocks end, if the clock has moved since the rule was made', async () => {
    const { call, merchant } = createClient();
    merchant.faults.add({ stage: 'before', effect: { kind: 'advance', by: 'P250Y' } });
    merchant.clock.advance('P20Y');
    expect((await call('listMotorPolicies')).status).toBe(200);
    expect(merchant.clock.show().now).toBe('2286-11-20T17:46:39.999Z');
  });
});

describe('time that cannot pass', () => {
  const duration = 'expected an ISO 8601 duration like PT15M, P1D or P1M and not negative, got';
  const end = 'goes past 2286-11-20T17:46:39.999Z, where clocks end.';
  const stage =
    'advance is possible only at the stage before, because the time passes before the call is handled.';

  test.each([
    ['before', '-PT5M', `effect.by: ${duration} "-PT5M"`],
    ['before', `P${'0'.repeat(100)}1D`, 'effect.by: expected at most 100 characters'],
    ['before', 'soon', `effect.by: ${duration} "soon"`],
    ['before', 'P300Y', `effect.by ${end}`],
    ['before', `P${'9'.repeat(90)}Y`, `effect.by ${end}`],
    ['after', 'PT5M', `effect.kind: ${stage}`],
  ] as const)('%s by %s is refused as a rule, with 422', async (stage, by, told) => {
    const { sandbox, merchant } = createClient();
    const body = { stage, effect: { kind: 'advance', by } } as const;
    const refused = await control(sandbox, 'addFault', { key: merchant.apiKey, body });
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toContain(told);
    expect(() => merchant.faults.add(body)).toThrow(told);
    expect(merchant.faults.list()).toEqual([]);
  });

  test.each([
    ['before; advance; by=-PT5M', `by: ${duration} "-PT5M".`],
    ['before; advance; by=P300Y', `by ${end}`],
    ['before; advance', 'Write, for example,'],
    ['after; advance; by=PT5M', stage],
  ])('"%s" is refused as a header, with 400', async (fault, told) => {
    const client = createClient();
    const token = await initiate(client, 'motor');
    const refused = await client.call(
      'verifyMotorPolicy',
      { token },
      { headers: { 'sandbox-fault': fault } },
    );
    expect(refused.status).toBe(400);
    expect(refused.body.data.error[0]).toContain(told);
    expect(client.merchant.clock.show().now).toBe('2026-01-31T10:00:00.000Z');
    expect(client.merchant.show().counts).toMatchObject({ motor: 0, pending: 1 });
  });

  test.each([
    [{ stage: 'after' }, `world.faults.0.effect.kind: ${stage}`],
    [{ effect: { ...effect, by: 'PT-1M' } }, `world.faults.0.effect.by: ${duration} "PT-1M"`],
  ])('is refused in a snapshot: %j', (changed, told) => {
    const { merchant } = createClient();
    merchant.faults.add(rule);
    const saved = merchant.snapshot();
    const faults = merchant.faults.list().map((each) => ({ ...each, ...changed }));
    const broken = { ...saved, world: { ...saved.world, faults } };
    expect(() => merchant.restore(broken)).toThrow(told);
  });
});
