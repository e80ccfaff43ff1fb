import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createSandbox, sampleRequests } from 'micro-insurance-sandbox';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { createShop } from './shop.mjs';

const ADA = sampleRequests.initiateMicroHealthSubscription;

/*
 * For code whose base URL cannot be changed: msw passes its requests to the sandbox. The code under test calls the
 * real address with the global fetch, and nothing leaves this process.
 */
const REAL = 'https://insurance.example';

const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });
const server = setupServer(
  http.all(`${REAL}/*`, ({ request }) => sandbox.fetch(request).catch(networkError)),
);

/** What the client gets when a fault drops the response: an error whose `cause.code` is that of the sandbox's. */
function networkError({ cause }) {
  return Object.assign(HttpResponse.error(), { code: cause?.code });
}

before(() => server.listen({ onUnhandledRequest: 'error' }));
after(() => server.close());

/** A new merchant for each test, and shops that sell for it at the real address. Their clock is that of the merchant. */
function setUp() {
  const merchant = sandbox.createMerchant();
  const now = () => new Date(merchant.clock.show().now);
  const openShop = () => createShop({ baseUrl: REAL, apiKey: merchant.apiKey, now });
  return { merchant, shop: openShop(), openShop };
}

test('a policy is sold', async () => {
  const { merchant, shop } = setUp();
  assert.match(await shop.sell(ADA), /^\d{10}$/);
  assert.equal(merchant.show().counts.micro_health, 1);
});

test('a customer who pays after fifteen minutes gets a new token', async () => {
  const { merchant, shop } = setUp();
  const order = shop.order(ADA);
  order.token = await shop.reserve(ADA);
  merchant.clock.advance('PT15M');
  await assert.rejects(shop.pay(order.token), /Token has expired/);
  assert.match(await shop.complete(order), /^\d{10}$/);
});

const LOST = {
  match: { operation: 'verifyMicroHealthSubscription' },
  stage: 'after',
  effect: { kind: 'drop' },
};
/** The numbers of the policies that the merchant has, newest first. */
const policiesOf = (merchant) =>
  merchant.records({ family: 'micro_health' }).data.map((sold) => sold.policy_no);

test('a policy whose response is lost is sold once', async () => {
  const { merchant, shop } = setUp();
  merchant.faults.add(LOST);
  const policyNo = await shop.sell(ADA);
  assert.deepEqual(policiesOf(merchant), [policyNo]);
});

test('a returning customer gets the new policy, although its response is lost', async () => {
  const { merchant, shop, openShop } = setUp();
  // The table of orders does not have the first: another shop sold it.
  const first = await openShop().sell(ADA);
  merchant.clock.advance('PT1H');
  merchant.faults.add(LOST);
  const second = await shop.sell(ADA);
  assert.deepEqual(policiesOf(merchant), [second, first]);
});

test('the sixteenth sale of a day, whose response is lost, is found on the second page', async () => {
  const { merchant, shop } = setUp();
  for (let sale = 1; sale <= 15; sale++) await shop.sell(ADA);
  merchant.faults.add(LOST);
  const policyNo = await shop.sell(ADA);
  assert.equal(merchant.show().counts.micro_health, 16);
  assert.equal(policiesOf(merchant)[0], policyNo);
});

test('two sales to one customer at once, whose responses are lost, are two policies', async () => {
  const { merchant, shop } = setUp();
  const bola = { ...ADA, first_name: 'Bola', email: 'bola@example.com' };
  // Each response is lost, that of the second attempt too.
  merchant.faults.add({ ...LOST, times: 6 });
  const orders = [ADA, ADA, bola].map(shop.order);
  await Promise.allSettled(orders.map(shop.complete));
  // In another order than they were made in.
  const policies = await Promise.all(orders.reverse().map(shop.complete));
  assert.equal(new Set(policies).size, 3);
  const { data } = merchant.records({ family: 'micro_health' });
  assert.equal(data.length, 3);
  assert.equal(data.find((sold) => sold.email === bola.email)?.policy_no, policies[0]);
});

test('a lost response is a network error with the code of the platform', async () => {
  const { merchant, shop } = setUp();
  // Twice, because the shop tries twice.
  merchant.faults.add({ stage: 'before', effect: { kind: 'drop' }, times: 2 });
  const { cause } = await shop.reserve(ADA).catch((lost) => lost);
  assert(cause instanceof TypeError);
  assert.equal(cause.cause.code, 'ECONNRESET');
});
