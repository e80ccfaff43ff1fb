import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
// Types that openapi-typescript generates from the published document.
import type { paths } from './merchant-api.js';
import { ada, merchant, sandbox } from './typed-merchant.mjs';

const api = createClient<paths>({
  baseUrl: 'http://sandbox',
  headers: { authorization: `Bearer ${merchant.apiKey}` },
  fetch: sandbox.fetch,
});

const INITIATE = '/api/merchant/micro_health/initiate';
const VERIFY = '/api/merchant/micro_health/verify';

const { data: initiated } = await api.POST(INITIATE, { body: ada });
const body = { token: initiated?.data.token ?? '' };
const { data: verified } = await api.POST(VERIFY, { body });
assert.match(verified?.data.policy_no ?? '', /^\d{10}$/);
assert.equal(merchant.show().counts.micro_health, 1);

const { error, response } = await api.POST(VERIFY, { body: { token: 'XXXXXXXXXX' } });
assert.equal(response.status, 400);
assert.equal(error?.success, false);
