import { describe, expect, test } from 'vitest';
import type { Clients } from '../support/client.ts';
import { buy } from '../support/requests.ts';

const QUOTE = 'getMicroHealthQuote';
const LIST = 'listMicroHealthSubscriptions';
const VALIDATE = 'validateMicroHealthPolicy';

export function microHealthJourneys({ createClient, createDemoClient }: Clients): void {
  describe('quoting', () => {
    test('returns the documented prices', async () => {
      const client = await createClient();
      const quote = { no_of_users: 2, subscription_type: 'monthly', product_id: '1' };
      expect((await client.call(QUOTE, quote)).text).toBe(
        '{"success":true,"response_message":"Quote price get successful","response_code":"QOT101","data":{"quote_price":700}}',
      );
      const family = { no_of_users: '4', subscription_type: 'monthly', product_id: 3 };
      expect((await client.call(QUOTE, family)).body.data).toEqual({ quote_price: 700 });
    });
  });

  describe('buying', () => {
    test('returns the subscription of the specification with its product', async () => {
      const client = await createClient();
      const subscription = await buy(client, 'micro_health');
      expect(subscription).toMatchObject({
        recurring: true,
        subscriptions_type: 'monthly',
        subscriptions_no: 1,
        start_date: '2026-01-31T10:00:00.000000Z',
        end_date: '2026-02-28T10:00:00.000000Z',
        enable: 1,
        active_date: '2026-01-31 10:00:00',
        merchant_user_id: client.merchant.id,
        product: { id: 1 },
      });
      expect(subscription.policy_no).toMatch(/^\d{10}$/);
      const validated = await client.call(VALIDATE, { policy_no: subscription.policy_no });
      expect(validated.body.data).toEqual(subscription);
    });
  });

  describe('listing', () => {
    test('returns every demo subscriber through its page URLs', async () => {
      const client = await createDemoClient();
      const seen: number[] = [];
      let query: Record<string, string> = {};
      for (;;) {
        const { data } = (await client.call(LIST, query)).body;
        seen.push(...data.data.map((subscriber: { id: number }) => subscriber.id));
        if (data.next_page_url === null) break;
        query = Object.fromEntries(new URL(data.next_page_url).searchParams);
      }
      expect(seen).toHaveLength(35);
      expect(new Set(seen).size).toBe(35);
    });

    test('returns an empty page past the end, with a link back', async () => {
      const client = await createDemoClient();
      const { data } = (await client.call(LIST, { page: '9' })).body;
      expect(data).toMatchObject({
        current_page: 9,
        data: [],
        from: null,
        to: null,
        next_page_url: null,
        last_page: 3,
        total: 35,
        per_page: 15,
      });
      expect(data.prev_page_url).toMatch(/page=8$/);
    });
  });
}
