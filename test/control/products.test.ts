import { expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { createClient } from '../support/client.ts';
import { control } from '../support/control.ts';

test('the products of a World are its catalogue, with the prices of each family', async () => {
  const { sandbox, merchant } = createClient();
  const { status, body } = await control(sandbox, 'listProducts', { key: merchant.apiKey });
  expect(status).toBe(200);
  expect(body.data).toEqual(merchant.products());
  expect(merchant.products()).toMatchObject([
    {
      id: 1,
      family: 'micro_health',
      name: 'Malaria Care Plan',
      enabled: true,
      premiums: [
        { users: 1, monthly: 400, quarterly: 1150, annually: 4400 },
        { users: 2, monthly: 700 },
        { users: 3 },
        { users: 4 },
      ],
    },
    { id: 2, family: 'group_life', enabled: true },
    { id: 3, family: 'micro_health' },
    { id: 4, family: 'motor', rate: 0.05 },
  ]);
  expect(merchant.journal.list()).toEqual([]);
});

test('a premium is what a quote returns', async () => {
  const { merchant } = createClient();
  const [plan] = merchant.products();
  for (const { users, monthly } of plan?.premiums ?? []) {
    const { body } = await merchant.call('getMicroHealthQuote', {
      product_id: plan?.id as number,
      no_of_users: users,
      subscription_type: 'monthly',
    });
    expect(body.success && body.data.quote_price).toBe(monthly);
  }
});

test('products follow the fixtures', () => {
  const sandbox = createSandbox({ fixtures: { 'motor.json': { premium_rates: [] } } });
  const motor = sandbox
    .createMerchant()
    .products()
    .find(({ family }) => family === 'motor');
  expect(motor).toMatchObject({ id: 4, rate: null });
});
