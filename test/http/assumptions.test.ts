import { describe, expect, test } from 'vitest';
import { type Client, createClient, createDemoClient, operations } from '../support/client.ts';
import {
  acceptedInput,
  buy,
  initiate,
  memberRequest,
  purchaseOf,
  verifyOf,
} from '../support/requests.ts';

/** The decisions an answer names, by call, when it is accepted. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  getMicroHealthQuote: ['price-config', 'success-messages'],
  initiateMicroHealthSubscription: [
    'token-format',
    'price-config',
    'users-count',
    'amount-check',
    'success-messages',
  ],
  verifyMicroHealthSubscription: [
    'token-boundary',
    'policy-no',
    'recurring',
    'subscription-dates',
    'subscriptions-no',
    'subscriber-per-purchase',
    'timestamp-precision',
    'success-messages',
  ],
  topUpMicroHealthSubscription: [
    'top-up-dates',
    'top-up-frequency',
    'amount-check',
    'policy-no',
    'recurring',
    'subscription-dates',
    'subscriptions-no',
    'timestamp-precision',
    'success-messages',
  ],
  listMicroHealthSubscriptions: [
    'list-selection',
    'page-out-of-range',
    'success-messages',
    'list-order',
    'subscriptions-key',
    'subscriber-per-purchase',
    'no-expiry-transition',
    'policy-no',
    'recurring',
    'subscription-dates',
    'top-up-dates',
    'subscriptions-no',
    'commissions',
    'timestamp-precision',
  ],
  validateMicroHealthPolicy: [
    'no-expiry-transition',
    'policy-no',
    'recurring',
    'subscription-dates',
    'top-up-dates',
    'subscriptions-no',
    'timestamp-precision',
    'success-messages',
  ],
  initiateMotorPolicy: [
    'motor-initiate-token',
    'token-format',
    'motor-policy-number',
    'motor-slug',
    'motor-vehicle-value',
    'motor-duration',
    'motor-dates',
    'success-messages',
  ],
  verifyMotorPolicy: [
    'token-boundary',
    'motor-policy-number',
    'motor-slug',
    'motor-vehicle-value',
    'motor-duration',
    'motor-dates',
    'timestamp-precision',
    'success-messages',
  ],
  listMotorPolicies: [
    'motor-list',
    'success-messages',
    'list-order',
    'motor-policy-number',
    'motor-slug',
    'motor-vehicle-value',
    'motor-duration',
    'motor-dates',
  ],
  getMotorPolicyDetails: [
    'motor-details-field',
    'motor-policy-number',
    'motor-slug',
    'motor-vehicle-value',
    'motor-duration',
    'motor-dates',
    'success-messages',
  ],
  getMotorQuote: ['motor-quote', 'success-messages'],
  initiateGroupLifePolicy: [
    'group-life-initiate-body',
    'group-life-members',
    'token-format',
    'success-messages',
  ],
  verifyGroupLifePolicy: [
    'group-life-verify-body',
    'group-life-verify-response',
    'group-life-policy-number',
    'group-life-dates',
    'group-life-items',
    'token-boundary',
    'subscriber-per-purchase',
    'timestamp-precision',
    'success-messages',
  ],
  listGroupLifePolicies: [
    'list-selection',
    'page-out-of-range',
    'success-messages',
    'list-order',
    'group-life-items',
    'group-life-policy-number',
    'group-life-dates',
    'subscriber-per-purchase',
    'timestamp-precision',
  ],
  getGroupLifePolicyDetails: [
    'group-life-details-field',
    'group-life-policy-number',
    'group-life-dates',
    'group-life-items',
    'subscriber-per-purchase',
    'timestamp-precision',
    'success-messages',
  ],
};

const REFUSED = ['error-envelope', 'error-code-type', 'http-status'];
const INVALID = [...REFUSED, 'validation-messages'];

async function namedBy(client: Client, operationId: string, input: unknown): Promise<string[]> {
  const { headers } = await client.call(operationId, input);
  return (headers.get('sandbox-assumptions') ?? '').split(', ');
}

describe('an answer names the decisions that shaped it:', () => {
  test.each(operations)('an accepted $operationId', async ({ operationId }) => {
    const client = createDemoClient();
    const input = await acceptedInput(client, operationId);
    expect(await namedBy(client, operationId, input)).toEqual(NAMED[operationId]);
  });

  test.each([
    ['listMicroHealthSubscriptions', ['list-selection', 'page-out-of-range', 'success-messages']],
    ['listMotorPolicies', ['motor-list', 'success-messages']],
    ['listGroupLifePolicies', ['list-selection', 'page-out-of-range', 'success-messages']],
  ])('an empty %s, which shows nobody', async (operationId, named) => {
    expect(await namedBy(createClient(), operationId, {})).toEqual(named);
  });

  test('a word that is taken for another', async () => {
    const client = createClient();
    const quote = { no_of_users: 2, subscription_type: 'yearly', product_id: 1 };
    expect(await namedBy(client, 'getMicroHealthQuote', quote)).toContain('frequency-words');
    const cover = { ...purchaseOf.motor(), frequency_type: 'annually' };
    expect(await namedBy(client, 'initiateMotorPolicy', cover)).toContain('motor-frequency');
  });

  test('a field that is ignored', async () => {
    const quote = { no_of_users: 2, subscription_type: 'monthly', product_id: 1, unheard_of: 1 };
    expect(await namedBy(createClient(), 'getMicroHealthQuote', quote)).toContain('unknown-fields');
  });

  test.each([
    ['getMicroHealthQuote', ['micro-health-required', ...INVALID]],
    ['initiateMicroHealthSubscription', ['micro-health-required', ...INVALID]],
    ['topUpMicroHealthSubscription', ['micro-health-required', ...INVALID]],
    ['verifyMicroHealthSubscription', ['token-unknown', ...INVALID]],
    // The contract itself marks these fields as required.
    ['initiateMotorPolicy', INVALID],
    ['getMotorQuote', INVALID],
    ['verifyMotorPolicy', ['token-unknown', ...INVALID]],
    ['getMotorPolicyDetails', ['motor-details-field', ...INVALID]],
    ['initiateGroupLifePolicy', ['group-life-initiate-body', ...INVALID]],
    ['verifyGroupLifePolicy', ['group-life-verify-body', 'token-unknown', ...INVALID]],
    ['getGroupLifePolicyDetails', ['group-life-details-field', ...INVALID]],
  ])('%s without its fields, that they are required', async (operationId, named) => {
    expect(await namedBy(createClient(), operationId, {})).toEqual(named);
  });

  test('a malformed date, amount or address, what its form is', async () => {
    const client = createClient();
    for (const [field, value] of Object.entries({
      date_of_birth: '2026-02-30',
      amount: -1,
      id_url: 'id.png',
    })) {
      const body = { ...purchaseOf.micro_health(), [field]: value };
      const named = await namedBy(client, 'initiateMicroHealthSubscription', body);
      expect(named, field).toContain('text-and-numbers');
    }
    const unborn = { ...memberRequest(), date_of_birth: '2026-02-01' };
    const group = { ...purchaseOf.group_life(), members: [unborn] };
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

  test('an expired token, but of group life only what the contract does not show', async () => {
    const client = createClient();
    const tokens = {
      micro_health: await initiate(client, 'micro_health'),
      motor: await initiate(client, 'motor'),
      group_life: await initiate(client, 'group_life'),
    };
    client.merchant.clock.advance('PT15M');
    const named = (family: keyof typeof tokens) =>
      namedBy(client, verifyOf[family], { token: tokens[family] });
    expect(await named('micro_health')).toEqual(['token-expired', ...REFUSED]);
    expect(await named('motor')).toEqual(['token-expired', ...REFUSED]);
    expect(await named('group_life')).toEqual(['token-expired', 'http-status']);
  });
});
