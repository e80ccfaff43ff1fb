import { sampleRequests } from 'micro-insurance-sandbox';
import { expect } from 'vitest';
import { test } from './merchant.js';

const ADA = sampleRequests.initiateMicroHealthSubscription;

test('a policy is sold', async ({ shop, merchant }) => {
  const policy = await shop.sell(ADA);
  expect(policy.policy_no).toMatch(/^\d{10}$/);
  expect(merchant.show().counts.micro_health).toBe(1);
});

test('a customer who pays after fifteen minutes has to begin again', async ({ shop, merchant }) => {
  const token = await shop.reserve(ADA);
  const { effects } = merchant.clock.advance('PT15M');
  expect(effects).toMatchObject([{ kind: 'purchase_expired', token }]);
  await expect(shop.pay(token)).rejects.toThrow('Token has expired');
});

test('a policy whose response is lost is sold once', async ({ shop, merchant }) => {
  merchant.faults.add({
    match: { operation: 'verifyMicroHealthSubscription' },
    stage: 'after',
    effect: { kind: 'drop' },
  });
  await shop.sell(ADA);
  expect(merchant.show().counts.micro_health).toBe(1);
  const [verify, ...again] = merchant.journal.list({ operation: 'verifyMicroHealthSubscription' });
  expect(verify).toMatchObject({
    status: 200,
    fault: { stage: 'after', effect: { kind: 'drop' } },
  });
  expect(again).toEqual([]);
});
