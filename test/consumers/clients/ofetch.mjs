import assert from 'node:assert/strict';
import { createFetch, FetchError } from 'ofetch';
import { ADA, baseUrl, headers, merchant, sandbox, UNKNOWN_TOKEN } from './merchant.mjs';

const api = createFetch({
  fetch: sandbox.fetch,
  defaults: { baseURL: baseUrl, headers, retry: 0 },
});

const { token } = (await api('/initiate', { method: 'POST', body: ADA })).data;
const policy = (await api('/verify', { method: 'POST', body: { token } })).data;
assert.match(policy.policy_no, /^\d{10}$/);
assert.equal(merchant.show().counts.micro_health, 1);

await assert.rejects(
  api('/verify', { method: 'POST', body: { token: UNKNOWN_TOKEN } }),
  (error) => {
    assert.ok(error instanceof FetchError);
    assert.equal(error.status, 400);
    assert.equal(error.data.success, false);
    return true;
  },
);
