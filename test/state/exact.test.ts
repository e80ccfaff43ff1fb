import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { BASE, type Client, clientOf, lists, requestOf } from '../support/client.ts';
import { control } from '../support/control.ts';
import { buy, initiate, verifyOf } from '../support/requests.ts';
import {
  asKilled,
  bytesOf,
  keptOf,
  linesOf,
  newStateFile,
  openKept,
  revive,
} from '../support/state.ts';
import { ownSystemTime } from '../support/timers.ts';

const MINUTE = 60_000;

const clocksOf = (sandbox: Sandbox) =>
  sandbox.merchants().map(({ apiKey, clock }) => `${apiKey} ${clock.show().now}`);

/** Everything that only looks, by every merchant. */
async function look(sandbox: Sandbox): Promise<void> {
  for (const merchant of sandbox.merchants()) {
    const client = clientOf(sandbox, merchant);
    for (const { operationId } of lists) await client.call(operationId);
    const key = merchant.apiKey;
    for (const call of ['getClock', 'listPurchases', 'listFaults', 'getSnapshot']) {
      expect((await control(sandbox, call, { key })).status).toBe(200);
    }
  }
  expect((await control(sandbox, 'listMerchants', {})).status).toBe(200);
}

describe('a clock after a kill', () => {
  test.each([1, 2, 500])(
    'shows the millisecond it stood at, or would have run to, with %i merchants',
    async (count) => {
      const systemTime = ownSystemTime();
      const file = newStateFile();
      const { sandbox } = await openKept(file);
      for (let made = 0; made < count; made++) {
        systemTime.pass(1);
        const mode = made % 2 ? 'running' : 'frozen';
        const { clock } = sandbox.createMerchant({ mode });
        // Some are set, some were looked at, and of some no World was ever needed.
        if (made % 3 === 0) clock.advance(`PT${made}.123S`);
        if (made % 3 === 1) clock.show();
      }
      const [copy, size] = [asKilled(file), sandbox.merchants().length];
      systemTime.pass(12_345);
      const again = await openKept(copy);
      expect(size).toBe(count + 2);
      expect(clocksOf(again.sandbox)).toEqual(clocksOf(sandbox));
      systemTime.pass(777);
      expect(clocksOf(again.sandbox)).toEqual(clocksOf(sandbox));
      // A save reads them all, at one moment or another.
      sandbox.resetAll();
      again.sandbox.resetAll();
      await expect.poll(() => linesOf(file).log).toHaveLength(1);
      systemTime.pass(MINUTE);
      expect(clocksOf((await revive(file)).sandbox)).toEqual(clocksOf(sandbox));
    },
  );

  test.each(['kill', 'stop'] as const)(
    'does not go back where the system’s was set back before the start after a %s',
    async (how) => {
      const systemTime = ownSystemTime();
      const file = newStateFile();
      const { sandbox, client, stop } = await openKept(file, { clock: 'running' });
      const merchants = [sandbox.createMerchant({ now: '2030-01-01T00:00:00Z' }), client.merchant];
      systemTime.pass(90 * MINUTE);
      await buy(client, 'motor');
      const shown = clocksOf(sandbox);
      expect(merchants[0]?.clock.show().now).toBe('2030-01-01T01:30:00.000Z');
      if (how === 'stop') await stop();
      systemTime.pass(-60 * MINUTE);
      const again = await openKept(how === 'stop' ? file : asKilled(file), { clock: 'running' });
      expect(clocksOf(again.sandbox)).toEqual(shown);
      const next = again.sandbox.createMerchant({ now: '2031-01-01T00:00:00Z' });
      // They wait until the system's time is there again.
      systemTime.pass(59 * MINUTE);
      expect(clocksOf(again.sandbox).slice(0, 3)).toEqual(shown);
      systemTime.pass(2 * MINUTE);
      expect(next.clock.show().now).toBe('2031-01-01T00:01:00.000Z');
      expect(again.sandbox.merchants()[2]?.clock.show().now).toBe('2030-01-01T01:31:00.000Z');
    },
  );

  test('goes by a time source of one’s own, and does not go back with it', async () => {
    const file = newStateFile();
    let now = Date.parse('2026-01-31T10:00:00Z');
    const options = { clock: () => now };
    const { client } = await openKept(file, options);
    now += 5 * MINUTE;
    await buy(client, 'motor');
    const shown = client.merchant.clock.show();
    now -= 10 * MINUTE;
    const again = await revive(file, options);
    expect(again.client.merchant.clock.show()).toEqual(shown);
    now += 11 * MINUTE;
    expect(Date.parse(again.client.merchant.clock.show().now)).toBe(Date.parse(shown.now) + MINUTE);
  });
});

describe('a purchase after a kill', () => {
  test('is there though its verify was answered a millisecond before its token’s end', async () => {
    const systemTime = ownSystemTime();
    const file = newStateFile();
    const { sandbox, client } = await openKept(file, { clock: 'running' });
    const token = await initiate(client, 'motor');
    const late = await initiate(client, 'micro_health');
    systemTime.pass(15 * MINUTE - 1);
    const { body } = await client.call(verifyOf.motor, { token });
    const copy = asKilled(file);
    systemTime.pass(1000);
    const again = await openKept(copy, { clock: 'running' });
    const number = body.data.policy_number;
    const details = await again.client.call('getMotorPolicyDetails', { Policy_number: number });
    expect(details.body.data).toMatchObject({ policy_number: number });
    const used = await again.client.call(verifyOf.motor, { token });
    expect(used.body).toMatchObject({ response_message: 'Token has already been used' });
    const expired = await again.client.call(verifyOf.micro_health, { token: late });
    expect(JSON.stringify(expired.body)).toContain('Token has expired');
    await client.call(verifyOf.micro_health, { token: late });
    await client.call(verifyOf.motor, { token });
    expect(keptOf(again.sandbox)).toEqual(keptOf(sandbox));
  });

  test('that was pending has expired meanwhile, where its clock has run on', async () => {
    const systemTime = ownSystemTime();
    const file = newStateFile();
    const { client, stop } = await openKept(file, { clock: 'running' });
    const token = await initiate(client, 'motor');
    const copy = asKilled(file);
    await stop();
    systemTime.pass(15 * MINUTE);
    for (const path of [copy, file]) {
      const again = await openKept(path, { clock: 'running' });
      const verified = await again.client.call(verifyOf.motor, { token });
      expect(verified.body).toMatchObject({
        success: false,
        response_message: 'Token has expired',
      });
    }
  });
});

describe('a second kill', () => {
  test('after a start that only looked changes nothing', async () => {
    const systemTime = ownSystemTime();
    const file = newStateFile();
    const { sandbox, client } = await openKept(file);
    await buy(client, 'motor');
    await initiate(client, 'group_life');
    sandbox.createMerchant({ mode: 'running' });
    systemTime.pass(8000);
    const copy = asKilled(file);
    const second = await openKept(copy);
    const started = bytesOf(copy);
    await look(second.sandbox);
    systemTime.pass(8000);
    expect(bytesOf(copy)).toEqual(started);
    const third = await revive(copy);
    await look(third.sandbox);
    expect(keptOf(third.sandbox)).toEqual(keptOf(sandbox));
    expect(keptOf((await revive(copy)).sandbox)).toEqual(keptOf(sandbox));
  });
});

describe('request ids', () => {
  const idsOf = async (client: Client): Promise<string[]> => {
    const ids: (string | null)[] = [];
    for (const { operationId } of lists) {
      ids.push((await client.call(operationId)).headers.get('sandbox-request-id'));
    }
    const list = requestOf(lists[0] as (typeof lists)[number], BASE, 'nobody');
    ids.push((await client.sandbox.fetch(list)).headers.get('sandbox-request-id'));
    return ids as string[];
  };

  test('never repeat: not after kills that followed on looks alone, on changes, or on a stop', async () => {
    let file = newStateFile();
    const ids: string[] = [];
    const live = async (how: 'look' | 'change' | 'stop' | 'save') => {
      const { client, stop } = await openKept(file);
      ids.push(...(await idsOf(client)));
      if (how === 'change') await buy(client, 'motor');
      if (how === 'save') {
        client.merchant.restore(client.merchant.snapshot());
        await expect.poll(() => linesOf(file).log).toHaveLength(1);
        ids.push(...(await idsOf(client)));
      }
      if (how === 'stop') await stop();
      else file = asKilled(file);
    };
    await live('look');
    expect(ids).toEqual(['req-1-1', 'req-1-2', 'req-1-3', 'req-0-1']);
    for (const how of ['look', 'look', 'change', 'stop', 'look', 'save', 'look', 'stop'] as const) {
      await live(how);
    }
    await live('look');
    expect(new Set(ids).size).toBe(ids.length);
  });
});
