import { z } from '@hono/zod-openapi';
import { describe, expect, test } from 'vitest';
import { objectIn } from '../../src/api/known-fields.ts';
import { metaIn } from '../../src/api/request-fields.ts';
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
  UNTIL_EXPIRED,
  verifyOf,
} from '../support/requests.ts';

const [SAMPLE_MEMBER] = purchaseOf('group_life').members as readonly object[];

/** The assumptions behind every refusal. */
const REFUSED = ['error-envelope', 'error-code-type', 'http-status'];
const INVALID = ['validation-messages', 'text-and-numbers', ...REFUSED];

/** The assumptions of a refusal that names a field: those of the field, then those of every such refusal. */
const invalid = (...ofField: string[]): string[] => [...new Set([...ofField, ...INVALID])];

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
  )('$operationId with an empty body: those of every required field', async ({ operationId }) => {
    const client = createClient();
    const required = Object.entries(operationOf(operationId).input?.shape ?? {})
      .filter(([, schema]) => !z.safeParse(schema, undefined).success)
      .flatMap(([, schema]) => metaIn(schema, 'x-assumptions') ?? []);
    expect(await namedBy(client, operationId, {})).toEqual(invalid(...required));
    expect(client.merchant.journal.list()[0]?.problems.length).toBeGreaterThan(0);
  });

  test.each([
    ['is not 11 digits', { phone_no: '0803' }, ['phone-digits']],
    ['is missing', { phone_no: null }, ['phone-digits']],
    ['is malformed', { email: 'nobody' }, ['email']],
    ['has white space around it', { email: 'ada@example.com ' }, ['email']],
    ['has a control character', { surname: 'a\nb' }, ['encoding', 'text-and-numbers']],
    ['is before 1900', { date_of_birth: '1899-12-31' }, ['text-and-numbers', 'date-limits']],
    ['is after today', { date_of_birth: '2026-02-01' }, ['text-and-numbers', 'date-limits']],
    ['is not the premium', { amount: 1 }, ['amount-check', 'text-and-numbers']],
    ['is below 0', { amount: -1 }, ['text-and-numbers', 'amount-check']],
    ['names no product', { product_id: 99 }, ['catalogue', 'motor-product', 'product-id-type']],
  ])('those of the field that %s: %j', async (_, more, expected) => {
    const body = purchaseOf('micro_health', more);
    expect(await namedBy(createClient(), 'initiateMicroHealthSubscription', body)).toEqual(
      invalid(...expected),
    );
  });

  test('those of a field inside a list', async () => {
    const members = [{ ...SAMPLE_MEMBER, phone_number: '0803' }];
    const body = purchaseOf('group_life', { members });
    expect(await namedBy(createClient(), 'initiateGroupLifePolicy', body)).toEqual(
      invalid('group-life-members', 'phone-digits'),
    );
  });

  test('those of every field of a member, and of the list around it', async () => {
    const { members } = operationOf('initiateGroupLifePolicy').input?.shape ?? {};
    const inside = objectIn(members as z.ZodType)?.shape ?? {};
    for (const [field, schema] of Object.entries(inside)) {
      // A synonym: next_of_kiln is there, too, and wins.
      if (field === 'next_of_kin') continue;
      const wrong = { ...SAMPLE_MEMBER, [field]: '\u0000' };
      const body = purchaseOf('group_life', { members: [wrong] });
      const named = await namedBy(createClient(), 'initiateGroupLifePolicy', body);
      expect(named).toEqual(
        invalid('group-life-members', ...(metaIn(schema, 'x-assumptions') ?? [])),
      );
    }
  });

  test('those of a parameter of a query', async () => {
    const query = { per_page: 0 };
    expect(await namedBy(createClient(), 'listMicroHealthSubscriptions', query)).toEqual(
      invalid('list-selection'),
    );
  });

  test('those of the form that a profile gives a field', async () => {
    const profile = { version: 1, decisions: { 'motor-images': 'any' } } as const;
    const body = purchaseOf('motor', { engine_img: 'a\nb' });
    expect(await namedBy(createClient({ profile }), 'initiateMotorPolicy', body)).toEqual(
      invalid('motor-images', 'encoding'),
    );
  });

  test('some rules add an assumption of their own', async () => {
    const client = createClient();
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
      client.merchant.clock.advance(UNTIL_EXPIRED);
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
