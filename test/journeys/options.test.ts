import { describe, expect, test } from 'vitest';
import { BASE, createClient, createDemoClient, operationOf } from '../support/client.ts';
import { buy, familyKeys } from '../support/requests.ts';

const LIST = 'listMicroHealthSubscriptions';

test('amountCheck "ignore" accepts any amount', async () => {
  const client = createClient({ amountCheck: 'ignore' });
  expect((await buy(client, 'micro_health', { amount: 1 })).subscriptions_no).toBe(1);
});

describe('a list', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/insurance/', 'https://api.example.com/insurance'],
  ])('has page URLs under the public URL %s', async (publicUrl, base) => {
    const { data } = (await createDemoClient({ publicUrl }).call(LIST)).body;
    expect(data.path).toBe(`${base}${operationOf(LIST).path}`);
    expect(data.next_page_url).toBe(`${data.path}?page=2`);
  });

  test('leaves URL fragments out of page URLs', async () => {
    const { sandbox, merchant } = createDemoClient();
    const address = `${BASE}${operationOf(LIST).path}`;
    const headers = { authorization: `Bearer ${merchant.apiKey}` };
    for (const sent of ['#list', '?page=1#list']) {
      const answer = await sandbox.fetch(new Request(address + sent, { headers }));
      const { data } = operationOf(LIST).success.parse(await answer.json());
      expect(data).toMatchObject({ path: address, next_page_url: `${address}?page=2` });
    }
  });
});

test.each(familyKeys)(
  'a %s purchase is identical in every sandbox with the same start and seed',
  async (family) => {
    const [one, two] = [await buy(createClient(), family), await buy(createClient(), family)];
    expect(JSON.stringify(one)).toBe(JSON.stringify(two));
    const other = await buy(createClient({ seed: 8 }), family);
    expect(JSON.stringify(other)).not.toBe(JSON.stringify(one));
  },
);
