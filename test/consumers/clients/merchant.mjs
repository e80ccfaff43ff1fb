/* The in-process merchant for the tests of all clients. The examples are copied next to this file. */
import assert from 'node:assert/strict';
import { createSandbox, sampleRequests } from 'micro-insurance-sandbox';

export const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });
const merchant = sandbox.createMerchant();
export const baseUrl = 'http://sandbox/api/merchant/micro_health';
export const headers = { authorization: `Bearer ${merchant.apiKey}` };

/** Buys a policy with a function that posts, and expects the refusal of an unknown token. */
export async function tryClient(post, isRefusal) {
  const { token } = (await post('initiate', sampleRequests.initiateMicroHealthSubscription)).data;
  const policy = (await post('verify', { token })).data;
  assert.match(policy.policy_no, /^\d{10}$/);
  assert.equal(merchant.show().counts.micro_health, 1);
  await assert.rejects(post('verify', { token: 'XXXXXXXXXX' }), isRefusal);
}
