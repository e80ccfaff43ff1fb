import { describe, expect, test } from 'vitest';
import file from '../../../fixtures/micro-health.json' with { type: 'json' };
import { createClient } from '../../support/client.ts';
import { buy, initiate } from '../../support/requests.ts';
import { dataOf, problemsOf } from '../calls.ts';
import { clientOffering, PRINCIPAL } from './offer.ts';

const { prices } = file;

const INITIATE = 'initiateMicroHealthSubscription';
const VERIFY = 'verifyMicroHealthSubscription';
const LIST = 'listMicroHealthSubscriptions';

const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map(
  (which) => `${which}_beneficiary_full_name`,
) as [string, string, string];

const premium = (naira: number) => `The amount field must be ${naira}, the premium of this plan.`;
const ANOTHER_FAMILY = 'The product_id field must name a product of this family: 1, 3.';

describe('a purchase', () => {
  test.each([
    ['numbers as texts', { product_id: '1', amount: '400.00', nin_number: '12345678901' }],
    ['unknown fields', { extra: 1 }],
    ['a person born today in UTC', { date_of_birth: '2026-01-31' }],
    ['yearly as a synonym of annually', { subscription_type: 'yearly', amount: 4400 }],
  ])('accepts %s', async (_what, changes) => {
    const token = await initiate(createClient(), 'micro_health', { ...PRINCIPAL, ...changes });
    expect(token).toMatch(/^[0-9a-f]{40}$/);
  });

  test.each([
    [{}, 400, []],
    [{ [FIRST]: ' ', [SECOND]: null, [THIRD]: '' }, 400, []],
    [{ [FIRST]: ' ', [THIRD]: 'Chidi Eze' }, 700, ['Chidi Eze']],
    [{ [FIRST]: 'Bola', [SECOND]: 'Chidi', [THIRD]: 'Dayo' }, 1150, ['Bola', 'Chidi', 'Dayo']],
  ])('with %j costs %d naira and covers %j', async (named, amount, covered) => {
    const client = createClient();
    await buy(client, 'micro_health', { ...PRINCIPAL, ...named, amount });
    const [{ id, beneficiary, have_beneficiaries }] = (await dataOf(client, LIST)).data;
    expect(beneficiary).toMatchObject(
      covered.map((full_name, place) => ({ id: place + 1, full_name, user_id: id })),
    );
    expect(have_beneficiaries).toBe(covered.length > 0);
  });

  test.each<[what: string, changes: object, ...problems: string[]]>([
    ['an amount one naira too low', { amount: 399 }, premium(400)],
    ['an amount one kobo too high', { amount: 400.01 }, premium(400)],
    ['the premium of another frequency', { amount: 1150 }, premium(400)],
    ['the premium of fewer users', { [FIRST]: 'Bola' }, premium(700)],
    ['an unknown product', { product_id: 99 }, ANOTHER_FAMILY],
    ['a product of another family', { product_id: 2, amount: 1 }, ANOTHER_FAMILY],
    [
      'malformed fields and broken rules, all listed',
      { phone_no: 8031234567, date_of_birth: '2026-02-01', amount: 1, id_url: 'id.png' },
      'The phone_no field must be 11 digits.',
      'The date_of_birth field must not be after today.',
      premium(400),
      'The id_url field must be an absolute http or https URL.',
    ],
    [
      'a malformed name, without checking the amount',
      { [FIRST]: 5, amount: 700 },
      'The first_beneficiary_full_name field must be a text.',
    ],
    [
      'a malformed name and a wrong product',
      { [FIRST]: 5, product_id: 2 },
      ANOTHER_FAMILY,
      'The first_beneficiary_full_name field must be a text.',
    ],
  ])('is refused for %s', async (_what, changes, ...problems) => {
    const input = { ...PRINCIPAL, ...changes };
    expect(await problemsOf(createClient(), INITIATE, input)).toEqual(problems);
  });

  const covers = (users: string) =>
    `must not name another user: product 1 covers at most ${users}.`;

  test.each<[what: string, offer: object, changes: object, ...problems: string[]]>([
    [
      'a disabled product',
      { product: { enable: false } },
      {},
      'The product_id field must name a product of this family: 3.',
    ],
    [
      'more beneficiaries than the product covers, with a message for the last',
      { product: { max_beneficiaries: 1 } },
      { [FIRST]: 'Bola', [THIRD]: 'Chidi' },
      `The third_beneficiary_full_name field ${covers('2 users')}`,
    ],
    [
      'more beneficiaries than the product covers and a malformed name',
      { product: { max_beneficiaries: 1 } },
      { [FIRST]: 'Bola', [SECOND]: 5, [THIRD]: 'Chidi' },
      'The second_beneficiary_full_name field must be a text.',
      `The third_beneficiary_full_name field ${covers('2 users')}`,
    ],
    [
      'beneficiaries of a product that covers none',
      { product: { beneficiaries: false } },
      { [FIRST]: 'Bola' },
      `The first_beneficiary_full_name field ${covers('1 user')}`,
    ],
    [
      'a number of users that has no price',
      { prices: prices.filter(({ users }) => users !== 2) },
      { [SECOND]: 'Bola' },
      'The second_beneficiary_full_name field makes 2 users, for whom product 1 has no price.',
    ],
    [
      'a product without prices',
      { prices: [] },
      {},
      'The product_id field names a product that has no price for 1 user.',
    ],
  ])('is refused for %s', async (_what, offer, changes, ...problems) => {
    const input = { ...PRINCIPAL, ...changes };
    expect(await problemsOf(clientOffering(offer), INITIATE, input)).toEqual(problems);
  });
});

describe('a verified purchase', () => {
  test('starts at verify, not at initiate', async () => {
    const client = createClient({ now: '2026-01-31T09:50:00Z' });
    const token = await initiate(client, 'micro_health', PRINCIPAL);
    client.merchant.clock.advance({ to: '2026-01-31T10:00:57.999Z' });
    const { product, ...subscription } = await dataOf(client, VERIFY, { token });
    expect(product).toMatchObject({ id: 1, name: 'Malaria Care Plan' });
    expect(subscription).toEqual({
      id: 1,
      user_id: 1,
      product_id: 1,
      recurring: true,
      subscriptions_type: 'monthly',
      subscriptions_no: 1,
      start_date: '2026-01-31T10:00:57.000000Z',
      end_date: '2026-02-28T10:00:57.000000Z',
      enable: 1,
      policy_no: expect.stringMatching(/^\d{10}$/),
      merchant_user_id: client.merchant.id,
      created_at: '2026-01-31T10:00:57.000000Z',
      updated_at: '2026-01-31T10:00:57.000000Z',
      active_date: '2026-01-31 10:00:57',
    });
    expect((await dataOf(client, LIST)).data).toMatchObject([
      {
        id: 1,
        surname: 'Obi',
        middle_name: null,
        date_of_birth: '1990-04-12T00:00:00.000000Z',
        policy_no: subscription.policy_no,
        user_type: 'principal',
        merchant_user_id: client.merchant.id,
        subscriptions: subscription,
      },
    ]);
  });

  test.each([
    ['monthly', 400, '2024-12-30T08:00:00.000000Z', true],
    ['quarterly', 1150, '2025-02-28T08:00:00.000000Z', true],
    ['annually', 4400, '2025-11-30T08:00:00.000000Z', false],
  ])('ends one %s period later', async (subscription_type, amount, end_date, recurring) => {
    const client = createClient({ now: '2024-11-30T08:00:00Z' });
    const bought = await buy(client, 'micro_health', { ...PRINCIPAL, subscription_type, amount });
    expect(bought).toMatchObject({ subscriptions_type: subscription_type, end_date, recurring });
  });

  test('creates a new subscriber, even for a returning customer', async () => {
    const client = createClient();
    const [first, second] = [await buy(client, 'micro_health'), await buy(client, 'micro_health')];
    expect([first.user_id, second.user_id]).toEqual([1, 2]);
    expect(first.policy_no).not.toBe(second.policy_no);
  });
});
