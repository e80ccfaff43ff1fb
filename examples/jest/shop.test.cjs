const { createSandbox, sampleRequests } = require('micro-insurance-sandbox');
const { createShop } = require('./shop.cjs');

const ADA = sampleRequests.initiateMicroHealthSubscription;

/** One sandbox for the file, in this process, with the clock frozen at 31 January. */
const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });

/** A new merchant for each test, so parallel tests cannot interfere. */
let merchant;
let shop;
beforeEach(() => {
  merchant = sandbox.createMerchant();
  const { fetch } = sandbox;
  shop = createShop({ baseUrl: 'http://sandbox', apiKey: merchant.apiKey, fetch });
});
afterEach(() => merchant.remove());

test('a policy is sold', async () => {
  const policy = await shop.sell(ADA);
  expect(policy.policy_no).toMatch(/^\d{10}$/);
  expect(merchant.show().counts.micro_health).toBe(1);
});

test('a customer who pays after fifteen minutes has to begin again', async () => {
  const token = await shop.reserve(ADA);
  const { effects } = merchant.clock.advance('PT15M');
  expect(effects).toMatchObject([{ kind: 'purchase_expired', token }]);
  await expect(shop.pay(token)).rejects.toThrow('Token has expired');
});

test('a policy whose response is lost is sold once', async () => {
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
