import { describe, expect, onTestFinished, test } from 'vitest';
import { openStateFile } from '../../src/node/state-file.ts';
import { openSandbox } from '../../src/open-sandbox.ts';
import type { SandboxOptions } from '../../src/public.ts';
import { keepState } from '../../src/state/keep.ts';
import { clientOf } from '../support/client.ts';
import { buy, exampleOf } from '../support/requests.ts';
import { asKilled, newStateFile } from '../support/state.ts';
import { ownSystemTime } from '../support/timers.ts';

const DEMO = 'sk_sandbox_demo';

/** A sandbox that goes on while no program runs it, as one in the object of a Worker does. */
async function keepIn(file: string, options: SandboxOptions = {}) {
  const opened = openSandbox({ now: '2026-01-31T10:00:00Z', clock: 'running', ...options });
  const place = { ...openStateFile(file), outlivesProgram: true };
  onTestFinished(() => place.close());
  const warned: string[] = [];
  const kept = await keepState(opened, place, (line) => warned.push(line));
  const merchant = opened.sandbox.merchant(DEMO);
  return { ...opened, kept, place, warned, merchant, client: clientOf(opened.sandbox, merchant) };
}

describe('a sandbox that outlives its programs', () => {
  test.each([
    ['its log is folded', true],
    ['there are lines in its log', false],
  ])('has clocks that ran on meanwhile, where %s', async (_, isFolded) => {
    const systemTime = ownSystemTime();
    const file = newStateFile();
    const { merchant, client, kept } = await keepIn(file);
    await buy(client, 'motor');
    if (isFolded) await kept.fold();
    const before = Date.parse(merchant.clock.show().now);
    systemTime.pass(3_600_000);
    const again = await keepIn(asKilled(file));
    expect(Date.parse(again.merchant.clock.show().now)).toBe(before + 3_600_000);
  });

  test('has a pending purchase that expired meanwhile', async () => {
    const systemTime = ownSystemTime();
    const file = newStateFile();
    const { client, kept } = await keepIn(file);
    const { body } = await client.call('initiateMotorPolicy', exampleOf('initiateMotorPolicy'));
    await kept.fold();
    systemTime.pass(15 * 60_000);
    const again = await keepIn(asKilled(file));
    const verified = await again.client.call('verifyMotorPolicy', { token: body.data.token });
    expect(verified.body).toMatchObject({ success: false, response_message: 'Token has expired' });
  });

  test('is taken by another program, which does the lines of its log again, says so and folds them', async () => {
    ownSystemTime();
    const file = newStateFile();
    const { client, sandbox } = await keepIn(file);
    await buy(client, 'motor');
    const before = sandbox.dump();
    const again = await keepIn(asKilled(file), { amountCheck: 'ignore' });
    expect(again.warned).toEqual([
      'it was made with another profile than now; what it says is made again as things are now',
    ]);
    expect(again.place.logSize()).toBe(0);
    expect(again.sandbox.dump()).toEqual(before);
  });

  test('asks for nothing new where only the options of new merchants are others', async () => {
    ownSystemTime();
    const file = newStateFile();
    const { client } = await keepIn(file);
    await buy(client, 'motor');
    const again = await keepIn(asKilled(file), { seed: 9, maxMerchants: 5 });
    expect(again.warned).toEqual([]);
  });
});
