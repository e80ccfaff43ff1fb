import { expect, test } from 'vitest';
import motor from '../../fixtures/motor.json' with { type: 'json' };
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';

test('counts are the same before and after Worlds are created, and create none', async () => {
  const fixtures = { 'motor.json': { premium_rates: motor.premium_rates, policies: [] } };
  const { sandbox, store } = openSandbox({ fixtures });
  sandbox.createMerchant({ records: 'demo' });
  sandbox.createMerchant();
  const ask = (path: string, headers: Record<string, string>) => sandbox.fetch(path, { headers });
  const live = async () => (await (await ask('/', { accept: 'application/json' })).json()).live;
  const policies = 2 * (61 - motor.policies.length - motor.purchases.length);
  expect(await live()).toEqual({ merchants: 4, policies, calls: 0 });
  expect([...store.byId.values()].filter(({ hasWorld }) => hasWorld)).toEqual([]);
  for (const merchant of sandbox.merchants()) merchant.snapshot();
  // Calls without a valid key count, control calls do not.
  await ask('/api/merchant/nothing', { authorization: 'Bearer sk_sandbox_demo' });
  await ask('/api/merchant/nothing', { authorization: 'Bearer sk_of_nobody' });
  await ask('/_sandbox/clock', { authorization: 'Bearer sk_sandbox_demo' });
  expect(await live()).toEqual({ merchants: 4, policies, calls: 2 });
});
