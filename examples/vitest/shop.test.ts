import { sampleRequests } from 'micro-insurance-sandbox';
import { describe, expect } from 'vitest';
import { test } from './merchant.js';

const ADA = sampleRequests.initiateMicroHealthSubscription;

test('a policy is sold', async ({ shop, merchant }) => {
  expect(await shop.sell(ADA)).toMatch(/^\d{10}$/);
  expect(merchant.show().counts.micro_health).toBe(1);
});

test('a refusal names every problem', async ({ shop }) => {
  await expect(shop.sell({ ...ADA, phone_no: '0803', email: 'ada' })).rejects.toMatchObject({
    problems: [
      'The email field must be an e-mail address.',
      'The phone_no field must be 11 digits.',
    ],
  });
});

test('a customer who pays after fifteen minutes gets a new token', async ({ shop, merchant }) => {
  const order = shop.order(ADA);
  order.token = await shop.reserve(ADA);
  const { effects } = merchant.clock.advance('PT15M');
  expect(effects.map((effect) => effect.kind)).toContain('purchase_expired');
  await expect(shop.pay(order.token)).rejects.toThrow('Token has expired');
  expect(await shop.complete(order)).toMatch(/^\d{10}$/);
});

describe('when the response of verify is lost', () => {
  const LOST = {
    match: { operation: 'verifyMicroHealthSubscription' },
    stage: 'after',
    effect: { kind: 'drop' },
  } as const;

  test('the policy is sold once', async ({ shop, merchant }) => {
    merchant.faults.add(LOST);
    const policyNo = await shop.sell(ADA);
    const { data } = merchant.records({ family: 'micro_health' });
    expect(data.map((sold) => sold.policy_no)).toEqual([policyNo]);
  });

  test('a returning customer gets the new policy', async ({ openShop, merchant }) => {
    // The table of orders does not have the first: another shop sold it.
    const first = await openShop().sell(ADA);
    const shop = openShop();
    merchant.clock.advance('PT1H');
    merchant.faults.add(LOST);
    const second = await shop.sell(ADA);
    const { data } = merchant.records({ family: 'micro_health' });
    expect(data.map((sold) => sold.policy_no)).toEqual([second, first]);
  });

  test('the sixteenth sale of a day is found on the second page', async ({ shop, merchant }) => {
    for (let sale = 1; sale <= 15; sale++) await shop.sell(ADA);
    merchant.faults.add(LOST);
    const policyNo = await shop.sell(ADA);
    expect(merchant.show().counts.micro_health).toBe(16);
    expect(merchant.records({ family: 'micro_health' }).data[0]?.policy_no).toBe(policyNo);
  });

  test('two sales to one customer at once are two policies', async ({ shop, merchant }) => {
    const bola = { ...ADA, first_name: 'Bola', email: 'bola@example.com' };
    // Each response is lost, that of the second attempt too.
    merchant.faults.add({ ...LOST, times: 6 });
    const orders = [ADA, ADA, bola].map(shop.order);
    await Promise.allSettled(orders.map(shop.complete));
    // In another order than they were made in.
    const policies = await Promise.all(orders.reverse().map(shop.complete));
    expect(new Set(policies).size).toBe(3);
    const { data } = merchant.records({ family: 'micro_health' });
    expect(data).toHaveLength(3);
    expect(data.find((sold) => sold.email === bola.email)?.policy_no).toBe(policies[0]);
  });
});
