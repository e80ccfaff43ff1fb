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

/** The assumptions behind every refusal. */
const REFUSED = ['error-envelope', 'error-code-type', 'http-status'];
const INVALID = ['validation-messages', 'text-and-numbers', ...REFUSED];

const namedIn = ({ headers }: Answer): string[] =>
  (headers.get('sandbox-assumptions') ?? '').split(', ');

const namedBy = async (client: Client, operationId: string, input: unknown): Promise<string[]> =>
  namedIn(await client.call(operationId, input));

describe('a success lists the assumptions of its operation', () => {
  test.each(operations)('$operationId', async ({ operationId, assumptions }) => {
    const client = createDemoClient();
    const answer = await client.call(operationId, await acceptedInput(client, operationId));
    expect(answer.status, answer.text).toBe(200);
    expect(namedIn(answer)).toEqual(assumptions);
  });

  test.each(operations.filter(({ method, request }) => method === 'get' && !request.params))(
    '$operationId with an empty list',
    async ({ operationId, assumptions }) => {
      expect(await namedBy(createClient(), operationId, {})).toEqual(assumptions);
    },
  );

  test.each([
    ['a synonym', { subscription_type: 'yearly' }],
    ['numbers sent as text', { no_of_users: '2', product_id: '1' }],
    ['an unknown field', { unheard_of: 1 }],
  ])('the same assumptions for a request with %s', async (_, more) => {
    const client = createClient();
    const plain = { no_of_users: 2, subscription_type: 'annually', product_id: 1 };
    expect(await namedBy(client, 'getMicroHealthQuote', { ...plain, ...more })).toEqual(
      await namedBy(client, 'getMicroHealthQuote', plain),
    );
  });
});

describe('a refusal lists the assumptions behind it', () => {
  test.each(
    operations.filter(({ request, input }) => request.body && !input?.safeParse({}).success),
  )('$operationId with an empty body', async ({ operationId }) => {
    expect(await namedBy(createClient(), operationId, {})).toEqual(INVALID);
  });

  test.each([
    ['a malformed field', { email: 'nobody' }],
    ['a control character', { surname: 'a\nb' }],
    ['a date before 1900', { date_of_birth: '1899-12-31' }],
    ['white space around an e-mail address', { email: 'ada@example.com ' }],
  ])('the same assumptions for any field that the schema refuses: %s', async (_, more) => {
    const body = purchaseOf('micro_health', more);
    expect(await namedBy(createClient(), 'initiateMicroHealthSubscription', body)).toEqual(INVALID);
  });

  test('some rules and fields add an assumption of their own', async () => {
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
    'an expired %s token lists token-expired and token-boundary',
    async (family) => {
      const client = createClient();
      const token = await initiate(client, family);
      client.merchant.clock.advance('PT15M');
      // The specification shows this refusal where codes are integers.
      const isShown = operationOf(verifyOf[family]).envelope.integerCode;
      expect(await namedBy(client, verifyOf[family], { token })).toEqual([
        'token-expired',
        'token-boundary',
        ...(isShown ? ['http-status'] : REFUSED),
      ]);
    },
  );

  test.each(familyKeys)(
    "another merchant's %s token lists the same assumptions as an unknown one",
    async (family) => {
      const client = createClient();
      const other = client.as(client.sandbox.createMerchant());
      const token = await initiate(other, family);
      const unknown = ['token-unknown', 'foreign-policy', ...REFUSED];
      expect(await namedBy(client, verifyOf[family], { token })).toEqual(unknown);
      expect(await namedBy(client, verifyOf[family], { token: 'nobody-has-it' })).toEqual(unknown);
    },
  );
});

test('the control plane counts the responses that rely on each assumption', async () => {
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
