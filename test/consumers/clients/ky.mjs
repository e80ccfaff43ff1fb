import assert from 'node:assert/strict';
import ky, { HTTPError } from 'ky';
import { ADA, baseUrl, headers, merchant, sandbox, UNKNOWN_TOKEN } from './merchant.mjs';

const api = ky.create({ prefixUrl: baseUrl, headers, retry: 0, fetch: sandbox.fetch });

const { token } = (await api.post('initiate', { json: ADA }).json()).data;
const policy = (await api.post('verify', { json: { token } }).json()).data;
assert.match(policy.policy_no, /^\d{10}$/);
assert.equal(merchant.show().counts.micro_health, 1);

const refused = api.post('verify', { json: { token: UNKNOWN_TOKEN } }).json();
await assert.rejects(refused, (error) => {
  assert.ok(error instanceof HTTPError);
  assert.equal(error.response.status, 400);
  return true;
});
