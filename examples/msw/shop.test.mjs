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
  http.all(`${REAL}/*`, ({ request }) =>
    // When a fault drops the response, the client sees a network error.
    sandbox.fetch(request).catch(() => HttpResponse.error()),
  ),
);
before(() => server.listen({ onUnhandledRequest: 'error' }));
after(() => server.close());

test('the real address sells a policy of the sandbox', async () => {
  const merchant = sandbox.createMerchant();
  const shop = createShop({ baseUrl: REAL, apiKey: merchant.apiKey });
  const { policy_no: policyNo } = await shop.sell(ADA);
  assert.equal((await shop.newest()).policy_no, policyNo);
});

test('a policy whose response is lost is sold once', async () => {
  const merchant = sandbox.createMerchant();
  const shop = createShop({ baseUrl: REAL, apiKey: merchant.apiKey });
  merchant.faults.add({
    match: { operation: 'verifyMicroHealthSubscription' },
    stage: 'after',
    effect: { kind: 'drop' },
  });
  await shop.sell(ADA);
  assert.equal(merchant.show().counts.micro_health, 1);
});
