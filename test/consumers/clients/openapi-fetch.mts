import assert from 'node:assert/strict';
import { createSandbox } from 'micro-insurance-sandbox';
import createClient from 'openapi-fetch';
import { ada } from './ada.mjs';
// What openapi-typescript makes of the document that the package publishes.
import type { paths } from './merchant-api.js';

const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });
const merchant = sandbox.createMerchant();
const api = createClient<paths>({
  baseUrl: 'http://sandbox',
  headers: { authorization: `Bearer ${merchant.apiKey}` },
  fetch: sandbox.fetch,
});

const INITIATE = '/api/merchant/micro_health/initiate';
const VERIFY = '/api/merchant/micro_health/verify';

const { data: initiated } = await api.POST(INITIATE, { body: ada });
assert.ok(initiated);
const { data: verified } = await api.POST(VERIFY, { body: { token: initiated.data.token } });
assert.match(verified?.data.policy_no ?? '', /^\d{10}$/);
assert.equal(merchant.show().counts.micro_health, 1);

const { error, response } = await api.POST(VERIFY, { body: { token: 'XXXXXXXXXX' } });
assert.equal(response.status, 400);
assert.equal(error?.success, false);
