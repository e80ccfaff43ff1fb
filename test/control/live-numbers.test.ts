import { describe, expect, test } from 'vitest';
import motor from '../../fixtures/motor.json' with { type: 'json' };
import { liveNumbers } from '../../src/control/merchants.ts';
import { openSandbox } from '../../src/open-sandbox.ts';

const open = (options = {}) => openSandbox({ seed: 7, ...options });

describe('how much a sandbox holds', () => {
  test('is counted without making a World', () => {
    const { sandbox, store } = open({ maxMerchants: 10_000 });
    for (let made = 2; made < 10_000; made++) sandbox.createMerchant();
    expect(liveNumbers(store)).toEqual({ merchants: 10_000, policies: 54, calls: 0 });
    expect([...store.byId.values()].filter(({ hasWorld }) => hasWorld)).toEqual([]);
  });

  test('is the same once the Worlds are made', () => {
    const { sandbox, store } = open();
    sandbox.createMerchant({ records: 'demo' });
    sandbox.createMerchant();
    const before = liveNumbers(store);
    for (const merchant of sandbox.merchants()) merchant.snapshot();
    expect(liveNumbers(store)).toEqual(before);
    expect(before).toEqual({ merchants: 4, policies: 108, calls: 0 });
  });

  test('follows the fixtures it was started with', () => {
    const files = { 'motor.json': { ...motor, policies: [] } };
    const without = liveNumbers(open({ fixtures: files }).store);
    expect(without.policies).toBe(54 - motor.policies.length);
  });

  test('has the calls without a valid key in it, and none of the control plane', async () => {
    const { sandbox, store } = open();
    const ask = (path: string, key: string) =>
      sandbox.fetch(
        new Request(`http://sandbox${path}`, { headers: { authorization: `Bearer ${key}` } }),
      );
    await ask('/api/merchant/nothing', 'sk_sandbox_demo');
    await ask('/api/merchant/nothing', 'sk_of_nobody');
    await ask('/_sandbox/clock', 'sk_sandbox_demo');
    expect(liveNumbers(store).calls).toBe(2);
  });
});
