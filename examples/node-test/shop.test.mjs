import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sampleRequests } from 'micro-insurance-sandbox';
import { startSandbox } from 'micro-insurance-sandbox/node';
import { createShop } from './shop.mjs';

const ADA = sampleRequests.initiateMicroHealthSubscription;

/** One server for the file. Port 0 picks a free port. */
let server;
before(async () => {
  server = await startSandbox({ port: 0, now: '2026-01-31T10:00:00Z', clock: 'frozen' });
});
after(() => server.close());

/** A new merchant for each test, and a shop that sells for it. */
function setUp() {
  const merchant = server.sandbox.createMerchant();
  return { merchant, shop: createShop({ baseUrl: server.url, apiKey: merchant.apiKey }) };
}

test('a policy is sold', async () => {
  const { shop } = setUp();
  const { policy_no: policyNo } = await shop.sell(ADA);
  assert.match(policyNo, /^\d{10}$/);
});

test('a customer who pays after fifteen minutes has to begin again', async () => {
  const { merchant, shop } = setUp();
  const token = await shop.reserve(ADA);
  merchant.clock.advance('PT15M');
  await assert.rejects(shop.pay(token), /Token has expired/);
});

test('a policy whose response is lost is sold once', async () => {
  const { merchant, shop } = setUp();
  merchant.faults.add({
    match: { operation: 'verifyMicroHealthSubscription' },
    stage: 'after',
    effect: { kind: 'drop' },
  });
  await shop.sell(ADA);
  assert.equal(merchant.show().counts.micro_health, 1);
});
