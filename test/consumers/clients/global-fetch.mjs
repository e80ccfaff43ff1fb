/* Where a program knows nothing but the platform's fetch, the sandbox takes its place. */
import assert from 'node:assert/strict';
import { ofetch } from 'ofetch';
import { ADA, baseUrl, headers, sandbox } from './merchant.mjs';

globalThis.fetch = sandbox.fetch;

const answers = (body) => ({ method: 'POST', headers, body: JSON.stringify(body) });
const initiated = await fetch(new URL(`${baseUrl}/initiate`), {
  ...answers(ADA),
  headers: { ...headers, 'content-type': 'application/json' },
});
const { token } = (await initiated.json()).data;
// ofetch looks the global up at every call.
const policy = (await ofetch(`${baseUrl}/verify`, answers({ token }))).data;
assert.match(policy.policy_no, /^\d{10}$/);
