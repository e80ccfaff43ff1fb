import { describe, expect, test } from 'vitest';
import type { Family } from '../../src/index.ts';
import { families } from '../../src/products/index.ts';
import { createClient, createDemoClient, everythingOf } from '../support/client.ts';
import { control } from '../support/control.ts';
import { buy, exampleOf, initiate, initiateOf, namedField, verifyOf } from '../support/requests.ts';

/** What shows a policy most fully: its details, or the list of a family that has none. */
const FULLEST = {
  micro_health: 'listMicroHealthSubscriptions',
  motor: 'getMotorPolicyDetails',
  group_life: 'getGroupLifePolicyDetails',
} as const;

const familiesWithFullest = Object.entries(FULLEST) as [Family, string][];

describe.each(familiesWithFullest)('records of %s', (family, operationId) => {
  test('are what the API answers of the same policies, newest first', async () => {
    const client = createDemoClient();
    const { data, total } = client.merchant.records({ family, per_page: 100 });
    expect(data).toHaveLength(Math.min(total, 100));
    const field = namedField(operationId);
    if (field === undefined) {
      const { body } = await client.call(operationId, { per_page: 100 });
      expect(data).toEqual(body.data.data.toReversed());
      return;
    }
    for (const record of data) {
      const number = record.policy_number;
      const { body } = await client.call(operationId, exampleOf(operationId, { [field]: number }));
      expect(record).toEqual(body.data);
    }
  });

  test('page through all of them, each once', () => {
    const { merchant } = createDemoClient();
    const all = merchant.records({ family, per_page: 100 });
    const pages = [];
    for (let page = 1; page <= all.total + 1; page++) {
      pages.push(...merchant.records({ family, page, per_page: 1 }).data);
    }
    expect(pages).toEqual(all.data);
    expect(merchant.records({ family, page: 2, per_page: 2 }).last_page).toBe(
      Math.ceil(all.total / 2),
    );
    expect(merchant.records({ family }).per_page).toBe(15);
  });
});

test.each(families)('a $key policy is found by a part of its number', async ({ key }) => {
  const client = createDemoClient();
  const bought = await buy(client, key as 'motor');
  const number: string = bought.policy_no ?? bought.policy_number;
  const found = client.merchant.records({ family: key, policy_number: number.slice(2) });
  expect([found.total, found.data.length]).toEqual([1, 1]);
  expect(Object.values(found.data[0] ?? {})).toContain(number);
  expect(client.merchant.records({ family: key, policy_number: 'none' })).toEqual({
    data: [],
    page: 1,
    per_page: 15,
    last_page: 1,
    total: 0,
  });
});

test('looking is in no journal and counts for nothing', async () => {
  const client = createDemoClient();
  await initiate(client, 'motor');
  const before = everythingOf(client.sandbox);
  const key = client.merchant.apiKey;
  await control(client.sandbox, 'listRecords', { key, query: { family: 'motor' } });
  await control(client.sandbox, 'listPurchases', { key });
  expect(everythingOf(client.sandbox)).toEqual(before);
});

test.each([
  [{}, 'family'],
  [{ family: 'marine' }, 'micro_health'],
  [{ family: 'motor', per_page: 101 }, 'per_page'],
  [{ family: 'motor', page: 0 }, 'page'],
  [{ family: 'motor', number: 'x' }, 'known: family, policy_number, page, per_page'],
])('%j is refused', async (query, message) => {
  const { sandbox, merchant } = createClient();
  const answer = await control(sandbox, 'listRecords', { key: merchant.apiKey, query });
  expect(answer.status).toBe(422);
  expect(answer.body.detail).toContain(message);
});

test('pending purchases are listed in the order they expire, and leave when verified or expired', async () => {
  const client = createClient();
  const group = await initiate(client, 'group_life');
  client.merchant.clock.advance('PT5M');
  const motor = await initiate(client, 'motor');
  expect(client.merchant.purchases()).toEqual([
    {
      operation: initiateOf.group_life,
      token: group,
      initiated_at: '2026-01-31T10:00:00.000Z',
      expires_at: '2026-01-31T10:15:00.000Z',
    },
    {
      operation: initiateOf.motor,
      token: motor,
      initiated_at: '2026-01-31T10:05:00.000Z',
      expires_at: '2026-01-31T10:20:00.000Z',
    },
  ]);
  await client.call(verifyOf.motor, { token: motor });
  client.merchant.clock.advance('PT9M59.999S');
  expect(client.merchant.purchases().map(({ token }) => token)).toEqual([group]);
  client.merchant.clock.advance('PT0.001S');
  expect(client.merchant.purchases()).toEqual([]);
});
