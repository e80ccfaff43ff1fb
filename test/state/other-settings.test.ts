import { describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../src/index.ts';
import { builtInFiles } from '../../src/products/fixtures.ts';
import { type Client, clientOf, lists } from '../support/client.ts';
import {
  buy,
  exampleOf,
  familyKeys,
  initiate,
  initiateOf,
  purchaseOf,
  verifyOf,
} from '../support/requests.ts';
import { asKilled, DEMO, type Kept, keptOf, newStateFile, openKept } from '../support/state.ts';

type Rows = readonly { readonly product_id: number }[];
interface Files {
  readonly merchants: readonly { id: number; name: string; api_key: string }[];
  readonly products: readonly { readonly id: number; readonly family: string }[];
  readonly prices: Rows;
  readonly commission_rates: Rows;
  readonly premium_rates: Rows;
}

const builtIn = Object.assign({}, ...Object.values(builtInFiles)) as Files;

/** The built-in catalogue and merchants with changes, and no records. */
function fixturesWith(changes: Partial<Files>): SandboxOptions {
  const all = { ...builtIn, ...changes };
  const { merchants, products, prices, commission_rates, premium_rates } = all;
  return {
    fixtures: {
      'merchants.json': { merchants },
      'products.json': { products },
      'micro-health.json': { prices, commission_rates, policies: [] },
      'motor.json': { premium_rates, policies: [] },
      'group-life.json': { policies: [] },
    },
  };
}

/** The built-in prices, doubled. */
const doubled = (prices: Rows): Rows =>
  prices.map((price) => ({
    ...price,
    ...Object.fromEntries(
      Object.entries(price)
        .filter(([name]) => /ly$/.test(name))
        .map(([name, amount]) => [name, amount * 2]),
    ),
  }));

const DEARER = fixturesWith({
  prices: doubled(builtIn.prices),
  premium_rates: [{ product_id: 4, rate: 0.1 } as Rows[number]],
});

const GROUP_LIFE_ALONE = fixturesWith({
  products: builtIn.products.filter(({ family }) => family === 'group_life'),
  prices: [],
  commission_rates: [],
  premium_rates: [],
});

/** A World of each kind: the demo merchant's, a new one, and a restored one. */
interface Three {
  readonly file: string;
  readonly kept: Kept;
  readonly clients: readonly Client[];
}

async function openThree(): Promise<Three> {
  const file = newStateFile();
  const kept = await openKept(file);
  const { sandbox, client } = kept;
  const [minted, restored] = [sandbox.createMerchant(), sandbox.createMerchant()];
  restored.restore(client.merchant.snapshot());
  return { file, kept, clients: [client, client.as(minted), client.as(restored)] };
}

/** The same files with other options, after a kill or a stop. */
async function goOn(three: Three, how: 'kill' | 'stop', options: SandboxOptions): Promise<Three> {
  if (how === 'stop') await three.kept.stop();
  const file = how === 'stop' ? three.file : asKilled(three.file);
  const kept = await openKept(file, options);
  const clients = three.clients.map(({ merchant }) =>
    clientOf(kept.sandbox, kept.sandbox.merchant(merchant.apiKey)),
  );
  return { file, kept, clients };
}

const productsOf = ({ merchant }: Client) =>
  (
    merchant.snapshot().world.values as {
      price_list: { products: { id: number; enable: boolean }[] };
    }
  ).price_list.products.map(({ id, enable }) => `${id} ${enable ? 'is sold' : 'was sold'}`);

const MONTHLY = { product_id: 1, no_of_users: 1, subscription_type: 'monthly' };
const premiumOf = async (client: Client, product_id: number) => {
  const { status, body } = await client.call('getMicroHealthQuote', { ...MONTHLY, product_id });
  return status === 200 ? body.data.quote_price : status;
};
/** Starts the purchase of a product for one user. */
const begin = (client: Client, product_id: number, amount: number) => {
  const changes = { product_id, amount, subscription_type: 'monthly' };
  const alone = Object.entries(purchaseOf('micro_health', changes)).filter(
    ([name]) => !name.includes('beneficiary'),
  );
  return client.call(initiateOf.micro_health, Object.fromEntries(alone));
};
const complete = (client: Client, token: unknown) => client.call(verifyOf.micro_health, { token });

describe.each(['kill', 'stop'] as const)('after a %s a state goes on', (how) => {
  test('with the records that a merchant was created with, whatever the new catalogue sells', async () => {
    const three = await openThree();
    const { sandbox } = three.kept;
    const counted = sandbox.createMerchant({ records: { micro_health: 3, motor: 2 } });
    const bought = counted.records({ family: 'micro_health' });
    const { kept } = await goOn(three, how, GROUP_LIFE_ALONE);
    const restored = kept.sandbox.merchant(counted.apiKey);
    expect(restored.records({ family: 'micro_health' })).toEqual(bought);
    expect(restored.show().counts).toMatchObject({ micro_health: 3, motor: 2 });
    restored.reset();
    expect(restored.show().counts).toMatchObject({ micro_health: 0, motor: 0 });
  });

  test('with the records that a reset gave a World, which the next reset takes away', async () => {
    const three = await openThree();
    const { sandbox } = three.kept;
    const merchant = sandbox.createMerchant({ records: { micro_health: 1 } });
    merchant.reset({ records: { motor: 2 } });
    const bought = merchant.records({ family: 'motor' });
    const { kept } = await goOn(three, how, {});
    const restored = kept.sandbox.merchant(merchant.apiKey);
    expect(restored.records({ family: 'motor' })).toEqual(bought);
    expect(restored.show().counts).toMatchObject({ micro_health: 0, motor: 2 });
    restored.reset();
    expect(restored.show().counts).toMatchObject({ micro_health: 1, motor: 0 });
  });

  test('with other prices in every World, and pending purchases at their old price', async () => {
    const three = await openThree();
    const tokens = [];
    for (const client of three.clients) {
      expect(await premiumOf(client, 1)).toBe(400);
      tokens.push((await begin(client, 1, 400)).body.data.token);
    }
    const { clients } = await goOn(three, how, DEARER);
    for (const [place, client] of clients.entries()) {
      expect(await premiumOf(client, 1)).toBe(800);
      const rate = await client.call('getMotorQuote', exampleOf('getMotorQuote'));
      const before = await three.clients[place]?.call('getMotorQuote', exampleOf('getMotorQuote'));
      expect(rate.body.data.premium).toBe(before?.body.data.premium * 2);
      expect((await complete(client, tokens[place])).status).toBe(200);
      expect((await begin(client, 1, 400)).status).toBe(422);
      expect((await begin(client, 1, 800)).status).toBe(200);
    }
  });

  test('without a product, which is no longer sold while its policies can be renewed', async () => {
    const three = await openThree();
    const bought: { policy_no: string; policy_number: string; tokens: string[] }[] = [];
    for (const client of three.clients) {
      const { policy_no } = await buy(client, 'micro_health');
      const { policy_number } = await buy(client, 'motor');
      const tokens = [];
      for (const family of familyKeys) tokens.push(await initiate(client, family));
      bought.push({ policy_no, policy_number, tokens });
    }
    const listed = async (client: Client) =>
      Promise.all(lists.map(async ({ operationId }) => (await client.call(operationId)).body.data));
    const before = await Promise.all(three.clients.map(listed));

    const { clients } = await goOn(three, how, GROUP_LIFE_ALONE);
    expect(await Promise.all(clients.map(listed))).toEqual(before);
    for (const [place, client] of clients.entries()) {
      const { policy_no, policy_number, tokens = [] } = bought[place] ?? {};
      expect(productsOf(client)).toEqual(['2 is sold', '1 was sold', '3 was sold', '4 was sold']);
      for (const [operation, input] of [
        ['validateMicroHealthPolicy', { policy_no }],
        ['topUpMicroHealthSubscription', { policy_no }],
        ['getMotorPolicyDetails', { Policy_number: policy_number }],
        ...familyKeys.map((family, at) => [verifyOf[family], { token: tokens[at] }] as const),
      ] as const) {
        const { status, text } = await client.call(operation, exampleOf(operation, input));
        expect(status, `${operation} ${text}`).toBe(200);
      }
      for (const family of familyKeys) {
        const { status } = await client.call(initiateOf[family], purchaseOf(family));
        expect(status).toBe(family === 'group_life' ? 200 : 422);
        expect(client.merchant.records({ family }).total).toBeGreaterThan(0);
      }
      expect((await client.call('getMotorQuote', exampleOf('getMotorQuote'))).status).toBe(422);
      for (const list of lists) expect((await client.call(list.operationId)).status).toBe(200);
    }
  });

  test('with a product whose id another family has now', async () => {
    const three = await openThree();
    const { client } = three.kept;
    const { policy_number } = await buy(client, 'motor');
    const token = await initiate(client, 'motor');
    const { products } = builtIn;
    const template = products.find(({ id }) => id === 1) as Files['products'][number];
    const others = fixturesWith({
      products: [...products.filter(({ id }) => id !== 4), { ...template, id: 4 }],
      premium_rates: [],
    });
    const again = await goOn(three, how, others);
    const [owner] = again.clients;
    for (const [operation, input] of [
      ['getMotorPolicyDetails', { Policy_number: policy_number }],
      [verifyOf.motor, { token }],
      ['listMotorPolicies', {}],
    ] as const) {
      expect((await owner?.call(operation, input))?.status).toBe(200);
    }
    const saved = owner?.merchant.snapshot();
    owner?.merchant.restore(saved);
    const thrice = await goOn(again, how, others);
    expect(thrice.clients[0]?.merchant.records({ family: 'motor' }).total).toBe(
      owner?.merchant.records({ family: 'motor' }).total,
    );
  });

  test('with other merchants: new ones appear, removed ones stay removed', async () => {
    const three = await openThree();
    const { sandbox } = three.kept;
    sandbox.merchant('sk_sandbox_other').remove();
    sandbox.merchant(DEMO).clock.advance('P1D');
    const added = { id: 77, name: 'New', api_key: 'sk_new' };
    const merchants = [...builtIn.merchants.filter(({ id }) => id !== 1), added];
    const again = await goOn(three, how, fixturesWith({ merchants }));
    expect(again.kept.warned).toEqual([]);
    expect(again.kept.sandbox.merchants().map(({ id }) => id)).toEqual([1, 3, 4, 77]);
    const { client } = again.kept;
    await buy(client.as(again.kept.sandbox.merchant('sk_new')), 'motor');
    expect(client.merchant.clock.show().now).toBe('2026-02-01T10:00:00.000Z');
    expect(() => again.kept.sandbox.merchant('sk_sandbox_other')).toThrow('No merchant');
    // It is not new at the second start.
    again.kept.sandbox.merchant('sk_new').remove();
    const thrice = await goOn(again, how, fixturesWith({ merchants }));
    expect(thrice.kept.sandbox.merchants().map(({ id }) => id)).toEqual([1, 3, 4]);
    expect(thrice.kept.sandbox.createMerchant().id).toBe(78);
  });

  test('with a merchant whose id or key is taken: it is not added, and that is told', async () => {
    const three = await openThree();
    const taken = [
      { id: 3, name: 'New', api_key: 'sk_new' },
      { id: 77, name: 'New', api_key: three.kept.sandbox.createMerchant().apiKey },
    ];
    const before = three.kept.sandbox.merchants().map(({ apiKey }) => apiKey);
    const merchants = [...builtIn.merchants, ...taken];
    const { kept } = await goOn(three, how, fixturesWith({ merchants }));
    expect(kept.warned).toEqual([
      'Merchant 3 of the fixtures is not added, because its id is taken.',
      'Merchant 77 of the fixtures is not added, because its key is taken.',
    ]);
    expect(kept.sandbox.merchants().map(({ apiKey }) => apiKey)).toEqual(before);
  });

  test('with another seed, time and amount check for new calls', async () => {
    const three = await openThree();
    const before = keptOf(three.kept.sandbox);
    const same = await goOn(three, 'kill', {});
    const next = [];
    for (const client of same.clients) next.push((await buy(client, 'motor')).policy_number);
    const key = same.kept.sandbox.createMerchant().apiKey;

    const { kept, clients } = await goOn(three, how, {
      seed: 99,
      now: '2030-06-01T00:00:00Z',
      amountCheck: 'ignore',
    });
    expect(keptOf(kept.sandbox)).toEqual(before);
    // Numbers and keys continue, whatever the seed is now.
    for (const [place, client] of clients.entries()) {
      expect((await buy(client, 'motor')).policy_number).toBe(next[place]);
      expect((await begin(client, 1, 12.5)).status).toBe(200);
    }
    const minted = kept.sandbox.createMerchant();
    expect(minted.apiKey).toBe(key);
    expect(minted.clock.show().now).toBe('2030-06-01T00:00:00.000Z');
    // A reset returns to the original start of the World.
    clients[1]?.merchant.reset();
    expect(clients[1]?.merchant.clock.show().now).toBe('2026-01-31T10:00:00.000Z');
  });

  test('with another profile', async () => {
    const three = await openThree();
    const before = keptOf(three.kept.sandbox);
    const listed = await three.clients[0]?.call('listMotorPolicies');
    const profile = { version: 1, decisions: { 'list-order': 'newest-first' } } as never;
    const { kept, clients } = await goOn(three, how, { profile });
    expect(keptOf(kept.sandbox)).toEqual(before);
    const again = await clients[0]?.call('listMotorPolicies');
    expect(again?.body.data).toEqual(listed?.body.data.toReversed());
  });
});
