import { expect, test } from 'vitest';
import type { PendingPurchase } from '../../src/index.ts';
import { TOKEN_MINUTES } from '../../src/world/limits.ts';
import { createClient, createDemoClient, everythingOf } from '../support/client.ts';
import { buy, familyKeys, initiate, initiateOf, verifyOf } from '../support/requests.ts';

test.each([
  ['motor', 'getMotorPolicyDetails'],
  ['group_life', 'getGroupLifePolicyDetails'],
] as const)('records of %s are what %s returns, newest first', async (family, operationId) => {
  const client = createDemoClient();
  const { data, total } = client.merchant.records({ family, per_page: 100 });
  expect(data).toHaveLength(total);
  for (const record of data) {
    const { policy_number } = record as { policy_number: string };
    const { body } = await client.call(operationId, { policy_number });
    expect(record).toEqual(body.data);
  }
});

test('a search finds policies by number or holder, in any case', () => {
  const merchant = createDemoClient().merchant;
  const [policy] = merchant.records({ family: 'micro_health' }).data;
  const { policy_no = '', first_name = '', surname = '' } = policy ?? {};
  const found = (search: string) =>
    merchant
      .records({ family: 'micro_health', search, per_page: 100 })
      .data.map((each) => each.policy_no);
  expect(found(`${first_name} ${surname}`.toUpperCase())).toContain(policy_no);
  expect(found(policy_no.slice(1))).toEqual([policy_no]);
  expect(found('nobody at all')).toEqual([]);
  expect(found('')).toHaveLength(35);
  const group = merchant.records({ family: 'group_life' }).data[0];
  const groups = merchant.records({ family: 'group_life', search: group?.group_name as string });
  expect(groups.data).toContainEqual(group);
});

test('records of micro_health are what its list returns, newest first', async () => {
  const client = createDemoClient();
  const { body } = await client.call('listMicroHealthSubscriptions', { per_page: 100 });
  const { data } = client.merchant.records({ family: 'micro_health', per_page: 100 });
  expect(data).toEqual(body.data.data.toReversed());
});

test.each(familyKeys)('records of %s are paged, each once', (family) => {
  const { merchant } = createDemoClient();
  const all = merchant.records({ family, per_page: 100 });
  const pages = [];
  for (let page = 1; page <= all.total + 1; page++) {
    pages.push(...merchant.records({ family, page, per_page: 1 }).data);
  }
  expect(pages).toEqual(all.data);
  const last_page = Math.ceil(all.total / 2);
  expect(merchant.records({ family, page: 2, per_page: 2 })).toMatchObject({ last_page });
});

test.each(familyKeys)('a %s policy is found by a part of its number', async (family) => {
  const client = createDemoClient();
  const bought = await buy(client, family);
  const number: string = bought.policy_no ?? bought.policy_number;
  const found = client.merchant.records({ family, policy_number: number.slice(2) });
  expect([found.total, found.data.length]).toEqual([1, 1]);
  expect(Object.values(found.data[0] ?? {})).toContain(number);
  const none = { data: [], page: 1, per_page: 15, last_page: 1, total: 0 };
  expect(client.merchant.records({ family, policy_number: 'none' })).toEqual(none);
});

test('reading records adds no journal entry and counts nothing', async () => {
  const client = createDemoClient();
  await initiate(client, 'motor');
  const before = everythingOf(client.sandbox);
  client.merchant.records({ family: 'motor' });
  client.merchant.purchases();
  expect(everythingOf(client.sandbox)).toEqual(before);
});

test('pending purchases are listed in order of expiry until they are verified or expire', async () => {
  const client = createClient();
  const { merchant } = client;
  const group = await initiate(client, 'group_life');
  merchant.clock.advance('PT6M');
  const motor = await initiate(client, 'motor');
  const endOf = (initiatedAt: string) =>
    new Date(Date.parse(initiatedAt) + TOKEN_MINUTES * 60_000).toISOString();
  const listed = [
    {
      operation: initiateOf.group_life,
      token: group,
      product_id: 2,
      holder: 'Balogun Traders',
      premium: null,
      initiated_at: '2026-01-31T10:00:00.000Z',
      expires_at: endOf('2026-01-31T10:00:00.000Z'),
    },
    {
      operation: initiateOf.motor,
      token: motor,
      product_id: 4,
      holder: 'Bola Ade',
      premium: 250_000,
      initiated_at: '2026-01-31T10:06:00.000Z',
      expires_at: endOf('2026-01-31T10:06:00.000Z'),
    },
  ];
  expect(merchant.purchases()).toEqual(
    listed.toSorted((a, b) => a.expires_at.localeCompare(b.expires_at)),
  );
  await client.call(verifyOf.motor, { token: motor });
  const { expires_at: end } = merchant.purchases()[0] as PendingPurchase;
  merchant.clock.advance({ to: new Date(Date.parse(end) - 1).toISOString() });
  expect(merchant.purchases()).toMatchObject([{ token: group }]);
  merchant.clock.advance({ to: end });
  expect(merchant.purchases()).toEqual([]);
});
