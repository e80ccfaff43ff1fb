import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { TOKEN_MINUTES } from '../../src/world/limits.ts';
import { buy, initiate, verifyOf } from '../support/requests.ts';
import { asKilled, linesOf, newStateFile, openKept, revive } from '../support/state.ts';
import { ownSystemTime } from '../support/timers.ts';

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;

const clocksOf = (sandbox: Sandbox) =>
  sandbox.merchants().map(({ apiKey, clock }) => `${apiKey} ${clock.show().now}`);

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
        // Some clocks are set, some were read, and some Worlds were never created.
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
      // A save reads all of them.
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
      // They wait until the system's time has caught up. A new World does not.
      systemTime.pass(59 * MINUTE);
      expect(clocksOf(again.sandbox).slice(0, 3)).toEqual(shown);
      systemTime.pass(2 * MINUTE);
      expect(next.clock.show().now).toBe('2031-01-01T01:01:00.000Z');
      expect(again.sandbox.merchants()[2]?.clock.show().now).toBe('2030-01-01T01:31:00.000Z');
    },
  );

  test.each(['kill', 'stop'] as const)(
    'goes on in each World from where that was, after a %s, if the time jumped ahead and back',
    async (how) => {
      const systemTime = ownSystemTime();
      const file = newStateFile();
      const running = { now: undefined, clock: 'running' } as const;
      const { sandbox, stop } = await openKept(file, running);
      const [ahead, other] = [sandbox.createMerchant(), sandbox.createMerchant()];
      other.clock.advance('PT1S');
      systemTime.pass(YEAR);
      ahead.clock.advance('PT1S');
      const reset = sandbox.createMerchant();
      reset.clock.advance('PT1S');
      systemTime.pass(MINUTE - YEAR);
      ahead.faults.clear();
      reset.reset();
      other.clock.advance('PT1S');
      const shown = clocksOf(sandbox);
      if (how === 'stop') await stop();
      const again = await openKept(how === 'stop' ? file : asKilled(file), running);
      expect(clocksOf(again.sandbox)).toEqual(shown);
      systemTime.pass(MINUTE);
      expect(clocksOf(again.sandbox)).toEqual(clocksOf(sandbox));
      const moved = (key: string) =>
        Date.parse(again.sandbox.merchant(key).clock.show().now) -
        Date.parse(shown.find((line) => line.startsWith(key))?.split(' ')[1] ?? '');
      expect([ahead, other, reset].map(({ apiKey }) => moved(apiKey))).toEqual([0, MINUTE, MINUTE]);
    },
  );
});

describe('a purchase after a kill', () => {
  test('has expired in the meantime if its clock ran on', async () => {
    const systemTime = ownSystemTime();
    const file = newStateFile();
    const { client, stop } = await openKept(file, { clock: 'running' });
    const token = await initiate(client, 'motor');
    const copy = asKilled(file);
    await stop();
    systemTime.pass(TOKEN_MINUTES * MINUTE);
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

test('what a rewind brought back is in its place after a kill', async () => {
  const file = newStateFile();
  const { client } = await openKept(file);
  const { merchant } = client;
  const first = await initiate(client, 'motor');
  await initiate(client, 'motor');
  await client.call('verifyMotorPolicy', { token: first });
  const [verify] = merchant.journal.list({ operation: 'verifyMotorPolicy' });
  merchant.rewind(verify?.id as string);
  const pending = merchant.purchases().map(({ token }) => token);
  expect(pending).toHaveLength(2);
  const again = (await openKept(asKilled(file))).client.merchant;
  expect(again.purchases().map(({ token }) => token)).toEqual(pending);
  expect(JSON.stringify(again.snapshot().world['motor.pending'])).toBe(
    JSON.stringify(merchant.snapshot().world['motor.pending']),
  );
});
