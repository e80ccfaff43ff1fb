/* Calls as a merchant's program and whoever runs the sandboxes make them. */
import assert from 'node:assert/strict';
import { ADMIN } from './processes.mjs';

export const LIST = '/api/merchant/micro_health/all_subscriptions';
const AT_ONCE = 20;

/** Calls with a key, or without one. */
export function call(url, path, { key, method, headers = {}, body, signal } = {}) {
  return fetch(url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    signal,
  });
}

/** The body of a call that has to succeed. */
export async function ask(url, path, options) {
  const response = await call(url, path, options);
  const text = await response.text();
  assert.ok(response.ok, `${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Pays for a policy and answers the token that verifies it. */
export async function initiate(url, key) {
  const { data } = await ask(url, '/api/merchant/micro_health/initiate', {
    key,
    body: {
      first_name: 'Ada',
      surname: 'Obi',
      email: 'ada@example.com',
      phone_no: '08031234567',
      date_of_birth: '1990-04-12',
      product_id: 1,
      subscription_type: 'monthly',
      amount: 700,
      nin_number: '12345678901',
      first_beneficiary_full_name: 'Bola Ade',
      id_url: 'https://files.example.com/id.png',
    },
  });
  return data.token;
}

/** Answers the number of the policy. */
export async function verify(url, key, token) {
  const { data } = await ask(url, '/api/merchant/micro_health/verify', { key, body: { token } });
  return data.policy_no;
}

/** A list as it left: the bytes of its answer. */
export async function listBytes(url, key) {
  const response = await call(url, LIST, { key });
  assert.equal(response.status, 200);
  return response.text();
}

/** The keys that a sandbox itself has Worlds for, those of the fixtures left out. */
export async function keysOf({ url }) {
  const { data } = await ask(url, '/_sandbox/merchants', { key: ADMIN });
  return data.map(({ api_key: key }) => key).filter((key) => !key.startsWith('sk_sandbox_'));
}

/** Does something for each of many, some at once; answers what came of each. */
export async function forEach(items, work) {
  const results = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

/** Holds that a response is the balancer's own refusal, in the form of the control plane's. */
export async function assertProblem(response, ...statuses) {
  // Before its text, which of a stream has no end.
  assert.ok(statuses.includes(response.status), `${response.url}: ${response.status}`);
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  const { type, title, status, detail, ...more } = await response.json();
  assert.equal(type, 'about:blank');
  assert.equal(status, response.status);
  assert.match(title, /^[A-Z]/);
  assert.match(detail, /\.$/);
  assert.deepEqual(more, {});
}
