const { createSandbox, sampleRequests } = require('micro-insurance-sandbox');
const { createShop } = require('./shop.cjs');

const ADA = sampleRequests.initiateMicroHealthSubscription;

/** One sandbox for the file, in this process, with the clock frozen at 31 January. */
const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });

/** A new merchant for each test, so parallel tests cannot interfere, and a shop that sells for it. */
let merchant;
let shop;
beforeEach(() => {
  merchant = sandbox.createMerchant();
  shop = openShop();
});
afterEach(() => merchant.remove());

/** Opens a shop without orders. Its clock is that of the merchant. */
function openShop() {
  const { fetch } = sandbox;
  const now = () => new Date(merchant.clock.show().now);
  return createShop({ baseUrl: 'http://sandbox', apiKey: merchant.apiKey, fetch, now });
}

test('a policy is sold', async () => {
  expect(await shop.sell(ADA)).toMatch(/^\d{10}$/);
  expect(merchant.show().counts.micro_health).toBe(1);
});

test('a customer who pays after fifteen minutes gets a new token', async () => {
  const order = shop.order(ADA);
  order.token = await shop.reserve(ADA);
  merchant.clock.advance('PT15M');
  await expect(shop.pay(order.token)).rejects.toThrow('Token has expired');
  expect(await shop.complete(order)).toMatch(/^\d{10}$/);
});

const LOST = {
  match: { operation: 'verifyMicroHealthSubscription' },
  stage: 'after',
  effect: { kind: 'drop' },
};
/** The numbers of the policies that the merchant has, newest first. */
const policies = () =>
  merchant.records({ family: 'micro_health' }).data.map((policy) => policy.policy_no);

test('a policy whose response is lost is sold once', async () => {
  merchant.faults.add(LOST);
  const policyNo = await shop.sell(ADA);
  expect(policies()).toEqual([policyNo]);
});

test('a returning customer gets the new policy, although its response is lost', async () => {
  // The table of orders does not have the first: another shop sold it.
  const first = await openShop().sell(ADA);
  merchant.clock.advance('PT1H');
  merchant.faults.add(LOST);
  const second = await shop.sell(ADA);
  expect(policies()).toEqual([second, first]);
});

test('the sixteenth sale of a day, whose response is lost, is found on the second page', async () => {
  for (let sale = 1; sale <= 15; sale++) await shop.sell(ADA);
  merchant.faults.add(LOST);
  const policyNo = await shop.sell(ADA);
  expect(merchant.show().counts.micro_health).toBe(16);
  expect(policies()[0]).toBe(policyNo);
});

test('two sales to one customer at once, whose responses are lost, are two policies', async () => {
  const bola = { ...ADA, first_name: 'Bola', email: 'bola@example.com' };
  // Each response is lost, that of the second attempt too.
  merchant.faults.add({ ...LOST, times: 6 });
  const orders = [ADA, ADA, bola].map(shop.order);
  await Promise.allSettled(orders.map(shop.complete));
  // In another order than they were made in.
  const sold = await Promise.all(orders.reverse().map(shop.complete));
  expect(new Set(sold).size).toBe(3);
  const { data } = merchant.records({ family: 'micro_health' });
  expect(data).toHaveLength(3);
  expect(data.find((policy) => policy.email === bola.email).policy_no).toBe(sold[0]);
});
