// Runs in a container next to the sandbox (`docker compose run --rm tests`), or anywhere:
//   SANDBOX_URL=http://127.0.0.1:4015 node --test examples/compose/
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

const url = process.env.SANDBOX_URL ?? 'http://127.0.0.1:4015';

// With SANDBOX_AUTO_MERCHANTS a new key opens its own World, so parallel tests cannot interfere.
const key = `sk_test_${randomUUID()}`;

async function post(path, body) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

test('a customer buys a micro-health policy', async () => {
  const initiated = await post('/api/merchant/micro_health/initiate', {
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
  });
  assert.equal(initiated.status, 200);

  const { token } = initiated.body.data;
  const verified = await post('/api/merchant/micro_health/verify', { token });
  assert.equal(verified.status, 200);
  assert.match(verified.body.data.policy_no, /^\d{10}$/);
});
