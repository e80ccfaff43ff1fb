import { describe, expect, test } from 'vitest';
import type { Clients } from '../support/client.ts';
import { buy, purchaseOf } from '../support/requests.ts';

const QUOTE = 'getMicroHealthQuote';
const INITIATE = 'initiateMicroHealthSubscription';
const TOP_UP = 'topUpMicroHealthSubscription';
const LIST = 'listMicroHealthSubscriptions';
const VALIDATE = 'validateMicroHealthPolicy';

export function microHealthJourneys({ createClient, createDemoClient }: Clients): void {
  describe('quoting', () => {
    test('prices the documented samples', async () => {
      const client = await createClient();
      const quote = { no_of_users: 2, subscription_type: 'monthly', product_id: '1' };
      expect((await client.call(QUOTE, quote)).text).toBe(
        '{"success":true,"response_message":"Quote price get successful","response_code":"QOT101","data":{"quote_price":700}}',
      );
      const family = { no_of_users: '4', subscription_type: 'monthly', product_id: 3 };
      expect((await client.call(QUOTE, family)).body.data).toEqual({ quote_price: 700 });
    });

    test('takes yearly for annually', async () => {
      const client = await createClient();
      const [yearly, annually] = await Promise.all(
        ['yearly', 'annually'].map((subscription_type) =>
          client.call(QUOTE, { no_of_users: 1, subscription_type, product_id: 1 }),
        ),
      );
      expect(yearly?.body).toEqual(annually?.body);
    });

    test('names every field that is wrong, in the order of the specification', async () => {
      const client = await createClient();
      const answer = await client.call(QUOTE, { product_id: 2, no_of_users: 1.5 });
      expect(answer.status).toBe(422);
      expect(answer.body.data.error).toEqual([
        'The no_of_users field must be a whole number, 1 or more.',
        'The subscription_type field is required.',
        'The product_id field must name a product of this family: 1, 3.',
      ]);
      expect(answer.body.response_message).toBe(answer.body.data.error[0]);
    });
  });

  describe('buying and renewing', () => {
    test('answers exactly the subscription of the specification, with its product', async () => {
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

    test('renews over the ends of months without losing a day', async () => {
      const client = await createClient();
      const { policy_no } = await buy(client, 'micro_health');
      const renewal = { subscription_type: 'monthly', amount: 700, policy_no };
      const ends: string[] = [];
      for (let month = 0; month < 3; month++) {
        const { body } = await client.call(TOP_UP, renewal);
        ends.push(body.data.end_date);
      }
      expect(ends).toEqual([
        '2026-03-31T10:00:00.000000Z',
        '2026-04-30T10:00:00.000000Z',
        '2026-05-31T10:00:00.000000Z',
      ]);
    });

    test('counts anew from now when the cover has lapsed', async () => {
      const client = await createClient();
      const { policy_no } = await buy(client, 'micro_health');
      await client.merchant.clock.advance({ to: '2026-02-28T10:00:00Z' });
      const { body } = await client.call(TOP_UP, {
        subscription_type: 'monthly',
        amount: 700,
        policy_no,
      });
      expect(body.data).toMatchObject({
        subscriptions_no: 2,
        start_date: '2026-01-31T10:00:00.000000Z',
        active_date: '2026-02-28 10:00:00',
        end_date: '2026-03-28T10:00:00.000000Z',
        updated_at: '2026-02-28T10:00:00.000000Z',
      });
    });

    test('adds a transaction with commissions for every payment', async () => {
      const client = await createClient();
      const { policy_no } = await buy(client, 'micro_health');
      await client.call(TOP_UP, { subscription_type: 'monthly', amount: 700, policy_no });
      const [subscriber] = (await client.call(LIST)).body.data.data;
      expect(subscriber.transactions).toHaveLength(2);
      expect(subscriber.transactions[1]).toMatchObject({
        amount: '700.00',
        status: 'successful',
        type: 'credit',
        partner_commission: '70.00',
        merchant_commission: '35.00',
        total_commission: '105.00',
      });
    });

    test('refuses a wrong amount and names the one expected', async () => {
      const client = await createClient();
      const { policy_no } = await buy(client, 'micro_health');
      const answer = await client.call(TOP_UP, {
        subscription_type: 'annually',
        amount: 1,
        policy_no,
      });
      expect(answer.status).toBe(422);
      expect(answer.body.data.error).toEqual([
        'The subscription_type field must be monthly, the frequency chosen at subscription.',
        'The amount field must be 700, the premium of this plan.',
      ]);
    });

    test('reports bad fields and broken rules of one body together', async () => {
      const client = await createClient();
      const wrong = {
        first_name: ' ',
        email: 'nobody',
        phone_no: 8031234567,
        date_of_birth: '2026-02-30',
        subscription_type: 'weekly',
        amount: -5,
        nin_number: '123',
        id_url: 'ftp://files.example.com/id.png',
      };
      const answer = await client.call(INITIATE, purchaseOf('micro_health', wrong));
      expect(answer.body.data.error).toEqual([
        'The first_name field is required.',
        'The email field must be an e-mail address.',
        'The phone_no field must be 11 digits.',
        'The date_of_birth field must be a calendar day in the form YYYY-MM-DD.',
        'The subscription_type field must be one of monthly, quarterly, annually, yearly.',
        'The amount field must be a number above 0 and at most 1000000000000.',
        'The nin_number field must be 11 digits.',
        'The id_url field must be an absolute http or https URL.',
      ]);
    });
  });

  describe('listing', () => {
    test('pages the demo population by 15, its page URLs followed to the end', async () => {
      const client = await createDemoClient();
      const seen: number[] = [];
      let query: Record<string, string> = {};
      for (;;) {
        const { data } = (await client.call(LIST, query)).body;
        seen.push(...data.data.map((subscriber: { id: number }) => subscriber.id));
        if (data.next_page_url === null) break;
        query = Object.fromEntries(new URL(data.next_page_url).searchParams);
      }
      expect(seen).toHaveLength(32);
      expect(new Set(seen).size).toBe(32);
    });

    test('answers a page past the end with no data and the way back', async () => {
      const client = await createDemoClient();
      const { data } = (await client.call(LIST, { page: '9' })).body;
      expect(data).toMatchObject({
        current_page: 9,
        data: [],
        from: null,
        to: null,
        next_page_url: null,
        last_page: 3,
        total: 32,
        per_page: 15,
      });
      expect(data.prev_page_url).toMatch(/page=8$/);
    });

    test('selects by dates, and keeps the selection in the page URLs', async () => {
      const client = await createDemoClient();
      const selection = { start_date: '2023-10-01', end_date: '2023-10-31', per_page: '2' };
      const { data } = (await client.call(LIST, selection)).body;
      const made = data.data.map(
        (each: { subscriptions: { created_at: string } }) => each.subscriptions.created_at,
      );
      expect(made.every((at: string) => at.startsWith('2023-10-'))).toBe(true);
      expect(data.next_page_url).toContain(
        'start_date=2023-10-01&end_date=2023-10-31&per_page=2&page=2',
      );
    });

    test('selects by period, by the clock of the World', async () => {
      const client = await createDemoClient({ now: '2024-01-01T00:00:00Z' });
      const total = async (period: string) => (await client.call(LIST, { period })).body.data.total;
      await buy(client, 'micro_health');
      expect(await total('day')).toBe(1);
      await client.merchant.clock.advance('P1D');
      expect([await total('day'), await total('week'), await total('month')]).toEqual([0, 1, 1]);
      expect([await total('quarter'), await total('year')]).toEqual([1, 1]);
    });

    test('refuses what selects nothing sensible', async () => {
      const client = await createDemoClient();
      for (const query of [
        { period: 'decade' },
        { period: 'day', start_date: '2023-10-01' },
        { start_date: '2023-02-30' },
        { start_date: '2023-10-02', end_date: '2023-10-01' },
        { per_page: '0' },
        { per_page: '101' },
        { per_page: 'abc' },
      ]) {
        expect((await client.call(LIST, query)).status, JSON.stringify(query)).toBe(422);
      }
      expect((await client.call(LIST, { page: 'abc', per_page: '', period: '' })).status).toBe(200);
    });
  });
}
