import assert from 'node:assert/strict';
import { createSandbox } from 'micro-insurance-sandbox';
import createClient from 'openapi-fetch';
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
const ada = {
  ...{ first_name: 'Ada', surname: 'Obi', email: 'ada@example.com', phone_no: '08031234567' },
  ...{
    date_of_birth: '1990-04-12',
    nin_number: '12345678901',
    first_beneficiary_full_name: 'Bola Ade',
  },
  ...{ product_id: 1, subscription_type: 'monthly' as const, amount: 700 },
  id_url: 'https://files.example.com/id.png',
};

const { data: initiated } = await api.POST(INITIATE, { body: ada });
assert.ok(initiated);
const { data: verified } = await api.POST(VERIFY, { body: { token: initiated.data.token } });
assert.match(verified?.data.policy_no ?? '', /^\d{10}$/);
assert.equal(merchant.show().counts.micro_health, 1);

const { error, response } = await api.POST(VERIFY, { body: { token: 'XXXXXXXXXX' } });
assert.equal(response.status, 400);
assert.equal(error?.success, false);
