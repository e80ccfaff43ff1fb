import { describe, expect, test } from 'vitest';
import { EXAMPLE_MEMBER_REQUEST } from '../../src/products/group-life/examples.ts';
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
  buy,
  familyKeys,
  initiate,
  purchaseOf,
  verifyOf,
} from '../support/requests.ts';

const REFUSED = ['error-envelope', 'error-code-type', 'http-status'];
const INVALID = [...REFUSED, 'validation-messages'];

const namedIn = ({ headers }: Answer): string[] =>
  (headers.get('sandbox-assumptions') ?? '').split(', ');

const namedBy = async (client: Client, operationId: string, input: unknown): Promise<string[]> =>
  namedIn(await client.call(operationId, input));

describe('an answer names the assumptions that shaped it:', () => {
  test.each(operations)(
    'an accepted $operationId, as its route declares them',
    async (operation) => {
      const { operationId, assumptions, elementAssumptions = [] } = operation;
      const client = createDemoClient();
      const answer = await client.call(operationId, await acceptedInput(client, operationId));
      expect(answer.status, answer.text).toBe(200);
      expect(namedIn(answer)).toEqual([...assumptions, ...elementAssumptions]);
    },
  );

  test.each(operations.filter(({ elementAssumptions }) => elementAssumptions))(
    'an empty $operationId, which shows nobody, only those of the list itself',
    async ({ operationId, assumptions }) => {
      expect(await namedBy(createClient(), operationId, {})).toEqual(assumptions);
    },
  );

  test('a word that is taken for another', async () => {
    const client = createClient();
    const quote = { no_of_users: 2, subscription_type: 'yearly', product_id: 1 };
    expect(await namedBy(client, 'getMicroHealthQuote', quote)).toContain('frequency-words');
    const cover = purchaseOf('motor', { frequency_type: 'annually' });
    expect(await namedBy(client, 'initiateMotorPolicy', cover)).toContain('motor-frequency');
  });

  test('a field that is ignored', async () => {
    const quote = { no_of_users: 2, subscription_type: 'monthly', product_id: 1, unheard_of: 1 };
    expect(await namedBy(createClient(), 'getMicroHealthQuote', quote)).toContain('unknown-fields');
  });

  test.each(
    operations.filter(({ request, input }) => request.body && !input?.safeParse({}).success),
  )(
    '$operationId without its fields, that they are required, unless the contract says so itself',
    async ({ operationId, requiredBy = [] }) => {
      expect(await namedBy(createClient(), operationId, {})).toEqual([...requiredBy, ...INVALID]);
    },
  );

  test.each([
    ['getMotorPolicyDetails', 'motor-details-field'],
    ['getGroupLifePolicyDetails', 'group-life-details-field'],
  ])('%s without any spelling of its field, that one is required', async (operationId, id) => {
    expect(await namedBy(createClient(), operationId, {})).toEqual([id, ...INVALID]);
  });

  test('a malformed date, amount or address, what its form is', async () => {
    const client = createClient();
    for (const [field, value] of Object.entries({
      date_of_birth: '2026-02-30',
      amount: -1,
      id_url: 'id.png',
    })) {
      const body = purchaseOf('micro_health', { [field]: value });
      const named = await namedBy(client, 'initiateMicroHealthSubscription', body);
      expect(named, field).toContain('text-and-numbers');
    }
    const unborn = { ...EXAMPLE_MEMBER_REQUEST, date_of_birth: '2026-02-01' };
    const group = purchaseOf('group_life', { members: [unborn] });
    expect(await namedBy(client, 'initiateGroupLifePolicy', group)).toEqual([
      'text-and-numbers',
      ...INVALID,
    ]);
  });

  test('a renewal that the calendar has no room for', async () => {
    const client = createClient();
    const { policy_no } = await buy(client, 'micro_health');
    const saved = JSON.stringify(client.merchant.snapshot());
    client.merchant.restore(JSON.parse(saved.replaceAll('2026-02-28T', '9999-12-28T')));
    const renewal = { subscription_type: 'monthly', amount: 700, policy_no };
    expect(await namedBy(client, 'topUpMicroHealthSubscription', renewal)).toEqual([
      'top-up-dates',
      ...INVALID,
    ]);
  });

  test('a body that can not be read, or is no object', async () => {
    const client = createClient();
    const namedByRaw = async (raw: BodyInit) => {
      const { headers } = await client.call('getMotorQuote', {}, { raw });
      return headers.get('sandbox-assumptions')?.split(', ');
    };
    expect(await namedByRaw('')).toEqual(['request-body', ...REFUSED]);
    expect(await namedByRaw('[]')).toEqual(['request-body', ...INVALID]);
    expect(await namedByRaw(new Uint8Array([0x22, 0xff, 0x22]))).toEqual(['encoding', ...REFUSED]);
    expect(await namedByRaw('['.repeat(101))).toEqual(['encoding', ...REFUSED]);
    expect(await namedByRaw(' '.repeat(1024 * 1024 + 1))).toEqual([
      'http-status',
      ...REFUSED.slice(0, 2),
    ]);
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
        ...(isShown ? ['http-status'] : REFUSED),
      ]);
    },
  );
});
