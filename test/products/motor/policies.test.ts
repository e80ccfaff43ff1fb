import { describe, expect, test } from 'vitest';
import { createClient } from '../../support/client.ts';
import { buy, purchaseOf } from '../../support/requests.ts';
import { dataOf } from '../calls.ts';

const DETAILS = 'getMotorPolicyDetails';
const LIST = 'listMotorPolicies';

describe('a motor policy is found', () => {
  const [OTHER, REQUIRED] = ['INS0000000000000', 'The Policy_number field is required.'];

  test.each<[sent: object, status: number, ...problems: string[]]>([
    [{ Policy_number: 'its own', policyNumber: OTHER, policy_number: OTHER }, 200],
    [{ Policy_number: ' ', policyNumber: 'its own', policy_number: OTHER }, 200],
    [{ policy_number: 'its own' }, 200],
    [{ Policy_number: OTHER, policyNumber: 'its own' }, 404, 'The policy was not found.'],
    [{ policyNumber: OTHER, policy_number: 'its own' }, 404, 'The policy was not found.'],
    [{}, 422, REQUIRED],
    [{ Policy_number: ' ' }, 422, REQUIRED],
    [{ policyNumber: 5 }, 422, 'The policyNumber field must be a text.'],
  ])('by the first spelling of its number: %j returns %i', async (sent, status, ...problems) => {
    const client = createClient();
    const { policy_number } = await buy(client, 'motor');
    const text = JSON.stringify(sent).replace('its own', policy_number);
    const answer = await client.call(DETAILS, JSON.parse(text));
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body.data.policy_number).toBe(policy_number);
    else expect(answer.body.data.error).toEqual(problems);
  });

  test('only after it is verified', async () => {
    const client = createClient();
    const { policy_number } = await dataOf(client, 'initiateMotorPolicy', purchaseOf('motor'));
    expect((await client.call(DETAILS, { policy_number })).status).toBe(404);
    expect(await dataOf(client, LIST)).toEqual([]);
  });
});

describe('motor policies are listed', () => {
  test.each([
    ['oldest-first', [1, 2, 3]],
    ['newest-first', [3, 2, 1]],
  ])('%s', async (order, durations) => {
    const profile = { version: 1, decisions: { 'list-order': order } };
    const client = createClient({ profile });
    for (const duration of [1, 2, 3]) await buy(client, 'motor', { duration });
    const listed: { duration: number }[] = await dataOf(client, LIST);
    expect(listed.map(({ duration }) => duration)).toEqual(durations);
  });
});
