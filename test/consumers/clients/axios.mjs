import assert from 'node:assert/strict';
import axios, { AxiosError } from 'axios';
import { ADA, baseUrl, headers, merchant, sandbox, UNKNOWN_TOKEN } from './merchant.mjs';

const env = { fetch: sandbox.fetch, Request, Response };
const api = axios.create({ baseURL: baseUrl, headers, adapter: 'fetch', env });

const { token } = (await api.post('/initiate', ADA)).data.data;
const policy = (await api.post('/verify', { token })).data.data;
assert.match(policy.policy_no, /^\d{10}$/);
assert.equal(merchant.show().counts.micro_health, 1);

await assert.rejects(api.post('/verify', { token: UNKNOWN_TOKEN }), (error) => {
  assert.ok(error instanceof AxiosError);
  assert.equal(error.response.status, 400);
  assert.equal(error.response.data.success, false);
  return true;
});
