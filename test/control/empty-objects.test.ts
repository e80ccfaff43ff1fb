import { expect, test } from 'vitest';
import { createClient, createDemoClient } from '../support/client.ts';
import { control } from '../support/control.ts';
import { buy } from '../support/requests.ts';

/** A value as PHP sends it back: `json_decode($text, true)` reads an empty object as an empty array. */
function throughPhp(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(throughPhp);
  const fields = Object.entries(value).map(([name, field]) => [name, throughPhp(field)]);
  return fields.length === 0 ? [] : Object.fromEntries(fields);
}

const drop = { stage: 'before', effect: { kind: 'drop' } };

test.each<[operationId: string, body: unknown, as: unknown]>([
  ['createMerchant', [], {}],
  ['createMerchant', { name: 'One', records: [] }, { name: 'One', records: {} }],
  ['setClock', [], {}],
  ['addFault', { ...drop, match: [] }, { ...drop, match: {} }],
  ['addFault', { ...drop, match: { body: [] } }, { ...drop, match: { body: {} } }],
  [
    'addFault',
    { stage: 'after', effect: { kind: 'respond', status: 500, headers: [] } },
    { stage: 'after', effect: { kind: 'respond', status: 500, headers: {} } },
  ],
])('%s takes %j as %j', async (operationId, body, as) => {
  const answer = async (sent: unknown) => {
    const { sandbox, merchant, call } = createClient();
    await call('listMotorPolicies', {});
    const { status, body } = await control(sandbox, operationId, {
      key: merchant.apiKey,
      body: sent,
    });
    return { status, body };
  };
  const answered = await answer(body);
  expect(answered.status).toBeLessThan(300);
  expect(answered).toEqual(await answer(as));
});

test('an array with elements stands for no object', async () => {
  const { sandbox, merchant } = createClient();
  const body = { ...drop, match: ['verifyMotorPolicy'] };
  const answer = await control(sandbox, 'addFault', { key: merchant.apiKey, body });
  expect([answer.status, answer.body]).toEqual([
    422,
    expect.objectContaining({ detail: expect.stringContaining('match: expected an object') }),
  ]);
});

test('a snapshot goes through PHP and back', async () => {
  const client = createDemoClient();
  const { sandbox, merchant } = client;
  await buy(client, 'micro_health');
  await client.call('listMotorPolicies', {});
  merchant.faults.add({ stage: 'after', effect: { kind: 'hang' } });
  const saved = merchant.snapshot();
  const body = throughPhp(saved);
  expect(body).not.toEqual(saved);
  const { status } = await control(sandbox, 'putSnapshot', { key: merchant.apiKey, body });
  expect(status).toBe(200);
  const { journal: _, events: __, ...kept } = saved.world as Record<string, unknown>;
  expect(merchant.snapshot().world).toMatchObject(kept);
  // A fresh World has whole tables without rows.
  const fresh = createClient();
  const empty = throughPhp(fresh.merchant.snapshot());
  const sent = { key: fresh.merchant.apiKey, body: empty };
  expect((await control(fresh.sandbox, 'putSnapshot', sent)).status).toBe(200);
});
