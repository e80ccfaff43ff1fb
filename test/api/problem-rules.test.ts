import { describe, expect, test } from 'vitest';
import { createClient, operations } from '../support/client.ts';
import { acceptedInput, buy, initiate, purchaseOf } from '../support/requests.ts';

/* Which rule each problem of a refusal names, in the journal. */

async function rulesOf(operationId: string, input: unknown, client = createClient()) {
  await client.call(operationId, input);
  const { problems = [] } = client.merchant.journal.list()[0] ?? {};
  return problems.map(({ rule, field }) => (field === undefined ? rule : `${field}: ${rule}`));
}

const initiateWith = (family: 'micro_health' | 'motor' | 'group_life', changes: object) =>
  ({
    micro_health: ['initiateMicroHealthSubscription', purchaseOf('micro_health', { ...changes })],
    motor: ['initiateMotorPolicy', purchaseOf('motor', { ...changes })],
    group_life: ['initiateGroupLifePolicy', purchaseOf('group_life', { ...changes })],
  })[family] as [string, object];

describe('a problem names the rule', () => {
  test.each([
    ['micro_health', { surname: undefined }, 'surname: required'],
    ['micro_health', { surname: ' ' }, 'surname: required'],
    ['micro_health', { surname: 5 }, 'surname: type'],
    ['micro_health', { surname: 'a\u0000' }, 'surname: characters'],
    ['micro_health', { phone_no: '1' }, 'phone_no: format'],
    ['micro_health', { email: 'nobody' }, 'email: format'],
    ['micro_health', { date_of_birth: '1990-02-30' }, 'date_of_birth: format'],
    ['micro_health', { date_of_birth: '1890-02-03' }, 'date_of_birth: range'],
    ['micro_health', { date_of_birth: '2090-02-03' }, 'date_of_birth: range'],
    ['micro_health', { product_id: 2 }, 'product_id: product'],
    ['micro_health', { product_id: 0 }, 'product_id: range'],
    ['micro_health', { product_id: '0' }, 'product_id: range'],
    ['micro_health', { product_id: 'x' }, 'product_id: format'],
    ['micro_health', { product_id: true }, 'product_id: type'],
    ['micro_health', { subscription_type: 'daily' }, 'subscription_type: value'],
    ['micro_health', { amount: 1 }, 'amount: premium'],
    ['micro_health', { amount: -1 }, 'amount: range'],
    ['micro_health', { amount: 0.001 }, 'amount: decimals'],
    ['micro_health', { amount: '0.001' }, 'amount: decimals'],
    ['motor', { gender: 'x' }, 'gender: value'],
    ['motor', { year_make: 2050 }, 'year_make: range'],
    ['motor', { year_make: '1800' }, 'year_make: range'],
    ['motor', { engine_img: 'nowhere' }, 'engine_img: format'],
    ['motor', { vehicle_make: true }, 'vehicle_make: type'],
    ['motor', { duration: 99_999 }, 'duration: range'],
    ['group_life', { members: undefined }, 'members: required'],
    ['group_life', { members: 5 }, 'members: type'],
    ['group_life', { members: [] }, 'members: length'],
    ['group_life', { members: [5] }, 'members.0: type'],
    ['group_life', { start_date: '9999-12-31' }, 'start_date: range'],
  ] as const)('%s %j: %s', async (family, changes, rule) => {
    expect(await rulesOf(...initiateWith(family, changes))).toEqual([rule]);
  });

  test('of each field of a member', async () => {
    const members = [{ gender: 'x', full_name: '', occupation: 1, date_of_birth: '2090-01-01' }];
    expect(await rulesOf(...initiateWith('group_life', { members }))).toEqual([
      'members.0.full_name: required',
      'members.0.gender: value',
      'members.0.occupation: type',
      'members.0.next_of_kiln: required',
      'members.0.phone_number: required',
      'members.0.date_of_birth: range',
    ]);
  });

  test('of a request that is no object, a token and a policy', async () => {
    expect(await rulesOf('getMotorQuote', [])).toEqual(['type']);
    expect(await rulesOf('verifyMotorPolicy', { token: 'nobody' })).toEqual(['token_unknown']);
    expect(await rulesOf('getMotorPolicyDetails', { policy_number: 'none' })).toEqual([
      'policy_unknown',
    ]);
    const client = createClient();
    const token = await initiate(client, 'motor');
    client.merchant.clock.advance('PT16M');
    expect(await rulesOf('verifyMotorPolicy', { token }, client)).toEqual(['token_expired']);
  });

  test('of a selection, a quote and a renewal', async () => {
    const list = 'listMicroHealthSubscriptions';
    expect(await rulesOf(list, { per_page: 0 })).toEqual(['per_page: range']);
    expect(await rulesOf(list, { period: 'day', start_date: '2026-01-01' })).toEqual([
      'period: combination',
    ]);
    const dates = { start_date: '2026-01-02', end_date: '2026-01-01' };
    expect(await rulesOf(list, dates)).toEqual(['end_date: range']);
    const quote = { product_id: 1, no_of_users: 99, subscription_type: 'monthly' };
    expect(await rulesOf('getMicroHealthQuote', quote)).toEqual(['no_of_users: users']);
    const client = createClient();
    const { policy_no } = await buy(client, 'micro_health', { subscription_type: 'monthly' });
    const renewal = { policy_no, amount: 700, subscription_type: 'annually' };
    expect(await rulesOf('topUpMicroHealthSubscription', renewal, client)).toContain(
      'subscription_type: frequency',
    );
  });
});

const TOLD_FIELDS = operations.filter(({ request }) => request.body || request.query);

test.each(TOLD_FIELDS)(
  'every problem of $operationId has a rule in snake_case',
  async ({ operationId, input: schema }) => {
    const client = createClient();
    const input = await acceptedInput(client, operationId);
    for (const field of Object.keys(schema?.shape ?? {})) {
      for (const value of [undefined, '', '\u0000', -1, [], {}, true, '9'.repeat(99)]) {
        await client.call(operationId, { ...input, [field]: value });
      }
    }
    const problems = client.merchant.journal.list({ limit: 1000 }).flatMap((each) => each.problems);
    for (const { rule } of problems) expect(rule).toMatch(/^[a-z]+(_[a-z]+)*$/);
  },
);
