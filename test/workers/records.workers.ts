import { expect, test } from 'vitest';
import { control } from '../support/control.ts';
import { adminCall, mint, remoteClient } from './support/clients.ts';
import { startEngine } from './support/engine.ts';

const engine = await startEngine({});

test('a merchant is created with records by number, which stay after the engine restarts', async () => {
  const created = await adminCall(engine, 'createMerchant', {
    body: { records: { micro_health: 20, group_life: 3 }, now: '2026-01-31T10:00:00Z' },
  });
  expect(created.status).toBe(201);
  const { api_key: key, counts } = created.body;
  expect(counts).toMatchObject({ micro_health: 20, motor: 0, group_life: 3 });
  const client = remoteClient(engine, created.body.id, key);
  const before = await client.call('listMicroHealthSubscriptions');
  expect(before.body.data.total).toBe(20);
  await engine.restart();
  const after = await client.call('listMicroHealthSubscriptions');
  expect(after.body.data.data).toEqual(before.body.data.data);
});

test('more records than an object has room for are refused', async () => {
  const { status, body } = await adminCall(engine, 'createMerchant', {
    body: { records: { micro_health: 4_000, motor: 4_000 } },
  });
  expect(status).toBe(422);
  expect(body.detail).toBe('records: at most 5000 policies together on this deployment.');
});

test('the catalogue of a World is listed', async () => {
  const { apiKey: key } = await mint(engine);
  const { body } = await control(engine, 'listProducts', { key });
  expect(body.data).toHaveLength(4);
});
