import assert from 'node:assert/strict';
// Functions that hey-api generates from the published document.
import { createClient } from './hey-api/client/index.js';
import {
  initiateMicroHealthSubscription,
  verifyMicroHealthSubscription,
} from './hey-api/sdk.gen.js';
import { ada, merchant, sandbox } from './typed-merchant.mjs';

const client = createClient({
  baseUrl: 'http://sandbox',
  auth: merchant.apiKey,
  fetch: sandbox.fetch,
});

const { data: initiated } = await initiateMicroHealthSubscription({ client, body: ada });
assert.ok(initiated);
const body = { token: initiated.data.token };
const { data: verified } = await verifyMicroHealthSubscription({ client, body });
assert.match(verified?.data.policy_no ?? '', /^\d{10}$/);
assert.equal(merchant.show().counts.micro_health, 1);

const { error, response } = await verifyMicroHealthSubscription({ client, body });
assert.equal(response?.status, 400);
assert.deepEqual(error?.data.error, ['Token has already been used']);
