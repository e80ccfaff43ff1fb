import { describe, expect, test } from 'vitest';
import {
  type Answer,
  type Client,
  createClient,
  createDemoClient,
  operationOf,
  operations,
} from '../support/client.ts';
import {
  acceptedInput,
  familyKeys,
  initiate,
  initiateOf,
  purchaseOf,
  verifyOf,
} from '../support/requests.ts';

/** What every refusal rests on that the specification does not show. */
const REFUSED = ['error-envelope', 'error-code-type', 'http-status'];
const INVALID = ['validation-messages', 'text-and-numbers', ...REFUSED];

const namedIn = ({ headers }: Answer): string[] =>
  (headers.get('sandbox-assumptions') ?? '').split(', ');

const namedBy = async (client: Client, operationId: string, input: unknown): Promise<string[]> =>
  namedIn(await client.call(operationId, input));

describe('a success names the assumptions of its operation', () => {
  test.each(operations)('$operationId', async ({ operationId, assumptions }) => {
    const client = createDemoClient();
    const answer = await client.call(operationId, await acceptedInput(client, operationId));
    expect(answer.status, answer.text).toBe(200);
    expect(namedIn(answer)).toEqual(assumptions);
  });

  test.each(operations.filter(({ method, request }) => method === 'get' && !request.params))(
    '$operationId, also when the list is empty',
    async ({ operationId, assumptions }) => {
      expect(await namedBy(createClient(), operationId, {})).toEqual(assumptions);
    },
  );

  test.each([
    ['a synonym', { subscription_type: 'yearly' }],
    ['digits in a text', { no_of_users: '2', product_id: '1' }],
    ['a field that is ignored', { unheard_of: 1 }],
  ])('however the request is written: %s', async (_, more) => {
    const client = createClient();
    const plain = { no_of_users: 2, subscription_type: 'annually', product_id: 1 };
    expect(await namedBy(client, 'getMicroHealthQuote', { ...plain, ...more })).toEqual(
      await namedBy(client, 'getMicroHealthQuote', plain),
    );
  });
});

describe('a refusal names the assumptions of its reason', () => {
  test.each(
    operations.filter(({ request, input }) => request.body && !input?.safeParse({}).success),
  )('$operationId without its fields', async ({ operationId }) => {
    expect(await namedBy(createClient(), operationId, {})).toEqual(INVALID);
  });

  test.each([
    ['a malformed field', { email: 'nobody' }],
    ['a control character', { surname: 'a\nb' }],
    ['a day that is too early', { date_of_birth: '1899-12-31' }],
    ['white space around an address', { email: 'ada@example.com ' }],
  ])('the same for every field that its schema refuses: %s', async (_, more) => {
    const body = purchaseOf('micro_health', more);
    expect(await namedBy(createClient(), 'initiateMicroHealthSubscription', body)).toEqual(INVALID);
  });

  test('those of a rule, with what every refused field rests on', async () => {
    const client = createClient();
    const wrongAmount = purchaseOf('micro_health', { amount: 1 });
    expect(await namedBy(client, 'initiateMicroHealthSubscription', wrongAmount)).toEqual([
      'amount-check',
      ...INVALID,
    ]);
    for (const [operationId, id] of [
      ['getMotorPolicyDetails', 'motor-details-field'],
      ['getGroupLifePolicyDetails', 'group-life-details-field'],
    ] as const) {
      expect(await namedBy(client, operationId, {})).toEqual([id, ...INVALID]);
    }
  });

  test.each(familyKeys)(
    'an expired token of %s; where codes are integers, only what the contract does not show',
    async (family) => {
      const client = createClient();
      const token = await initiate(client, family);
      client.merchant.clock.advance('PT15M');
      const isShown = operationOf(verifyOf[family]).envelope.integerCode;
      expect(await namedBy(client, verifyOf[family], { token })).toEqual([
        'token-expired',
        'token-boundary',
        ...(isShown ? ['http-status'] : REFUSED),
      ]);
    },
  );

  test.each(familyKeys)('a foreign token of %s like an unknown one', async (family) => {
    const client = createClient();
    const other = client.as(client.sandbox.createMerchant());
    const token = await initiate(other, family);
    const unknown = ['token-unknown', 'foreign-policy', ...REFUSED];
    expect(await namedBy(client, verifyOf[family], { token })).toEqual(unknown);
    expect(await namedBy(client, verifyOf[family], { token: 'nobody-has-it' })).toEqual(unknown);
  });
});

test('the control plane counts how many answers rested on each', async () => {
  const client = createClient();
  await client.call('getMotorQuote', { vehicle_value: 1_000_000, product_id: 4 });
  await client.call('getMotorQuote', { vehicle_value: '1000000', product_id: '4' });
  const counts = Object.fromEntries(
    client.merchant.assumptions().map(({ id, count }) => [id, count]),
  );
  expect(counts).toMatchObject({ 'motor-quote': 2, 'text-and-numbers': 0 });
  await client.call(initiateOf.motor, {});
  const { count } = client.merchant.assumptions().find(({ id }) => id === 'text-and-numbers') ?? {};
  expect(count).toBe(1);
});
