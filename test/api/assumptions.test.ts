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
  initiateOf,
  purchaseOf,
  verifyOf,
} from '../support/requests.ts';

const REFUSED = ['error-envelope', 'error-code-type', 'http-status'];
const INVALID = [...REFUSED, 'validation-messages'];

/** What the documented examples owe to how they are written. */
const NOTED: Readonly<Record<string, readonly string[]>> = {
  getMicroHealthQuote: ['product-id-type'],
  initiateMicroHealthSubscription: ['nin-number'],
  initiateMotorPolicy: ['product-id-type', 'motor-product'],
};

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
      const noted = NOTED[operationId] ?? [];
      expect(namedIn(answer)).toEqual([...assumptions, ...elementAssumptions, ...noted]);
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

  test('a number that is sent as a text, and a text as a number', async () => {
    const client = createClient();
    const quote = { no_of_users: '2', subscription_type: 'monthly', product_id: '1' };
    const named = await namedBy(client, 'getMicroHealthQuote', quote);
    expect(named).toEqual(expect.arrayContaining(['text-and-numbers', 'product-id-type']));
    const plain = { no_of_users: 2, subscription_type: 'monthly', product_id: 1 };
    expect(await namedBy(client, 'getMicroHealthQuote', plain)).toEqual([
      'price-config',
      'currency',
      'success-messages',
    ]);
    for (const [field, value, id] of [
      ['sum_insured', '5000000', 'text-and-numbers'],
      ['phone_number', 23480312345, 'text-and-numbers'],
      ['year_make', 2015, 'motor-year-make'],
      ['vehicle_make', 504, 'motor-make-model'],
    ] as const) {
      const body = purchaseOf('motor', { [field]: value });
      expect(await namedBy(client, 'initiateMotorPolicy', body), field).toContain(id);
    }
  });

  test('a gender in another case than the contract writes it', async () => {
    const client = createClient();
    const named = (gender: string) =>
      namedBy(client, 'initiateMotorPolicy', purchaseOf('motor', { gender }));
    expect(await named('Female')).toContain('motor-gender');
    expect(await named('female')).not.toContain('motor-gender');
    const group = purchaseOf('group_life', { gender: 'MALE' });
    expect(await namedBy(client, 'initiateGroupLifePolicy', group)).toContain('text-and-numbers');
  });

  test('a portrait that is no URL, and a text of white space that counts as missing', async () => {
    const client = createClient();
    for (const more of [{ profile_url: 'me.png' }, { profile_url: '  ' }]) {
      const body = purchaseOf('micro_health', more);
      const named = await namedBy(client, 'initiateMicroHealthSubscription', body);
      expect(named, JSON.stringify(more)).toContain('text-and-numbers');
    }
    expect(await namedBy(client, 'verifyMotorPolicy', { token: ' ' })).toEqual([
      'token-unknown',
      'text-and-numbers',
      ...INVALID,
    ]);
  });

  test('white space around a text, in what is accepted and in what is refused for it', async () => {
    const client = createClient();
    const token = await initiate(client, 'motor');
    expect(await namedBy(client, 'verifyMotorPolicy', { token: `${token} ` })).toEqual([
      'token-unknown',
      'text-trim',
      ...REFUSED,
    ]);
    const named = await namedBy(client, 'initiateGroupLifePolicy', {
      ...purchaseOf('group_life'),
      surname: ' Obi',
    });
    expect(named).toContain('text-trim');
    const padded = purchaseOf('motor', { email: 'ada@example.com ' });
    expect(await namedBy(client, 'initiateMotorPolicy', padded)).toEqual([
      'email',
      'text-trim',
      ...INVALID,
    ]);
  });

  test('fields of the documented motor sample, which are ignored', async () => {
    const client = createClient();
    const named = await namedBy(client, 'initiateMotorPolicy', {
      ...purchaseOf('motor'),
      nok_surname: 'Obi',
      id_type: 'NIN',
    });
    expect(named).toContain('motor-sample-fields');
    expect(named).not.toContain('unknown-fields');
  });

  test('a day that is too early, and control characters in a text', async () => {
    const client = createClient();
    const early = purchaseOf('micro_health', { date_of_birth: '1899-12-31' });
    expect(await namedBy(client, 'initiateMicroHealthSubscription', early)).toEqual([
      'date-limits',
      ...INVALID,
    ]);
    for (const [family, field] of [
      ['micro_health', 'surname'],
      ['motor', 'vehicle_color'],
      ['group_life', 'group_name'],
    ] as const) {
      const body = purchaseOf(family, { [field]: 'a\nb' });
      expect(await namedBy(client, initiateOf[family], body)).toEqual(['encoding', ...INVALID]);
    }
    const member = { ...EXAMPLE_MEMBER_REQUEST, full_name: 'a\u0007b' };
    const group = purchaseOf('group_life', { members: [member] });
    expect(await namedBy(client, 'initiateGroupLifePolicy', group)).toEqual([
      'encoding',
      ...INVALID,
    ]);
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
      'date-limits',
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
