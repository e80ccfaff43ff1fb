import { describe, expect, test } from 'vitest';
import type { Clients } from '../support/client.ts';
import { buy, initiateOf, purchaseOf, UNTIL_EXPIRED } from '../support/requests.ts';

const [MEMBER] = purchaseOf('group_life').members as readonly [{ readonly next_of_kiln: string }];
const DETAILS = 'getGroupLifePolicyDetails';
const LIST = 'listGroupLifePolicies';

export function groupLifeJourneys({ createClient, createDemoClient }: Clients): void {
  describe('a group-life policy', () => {
    test('insures its members for a year from its start date', async () => {
      const client = await createClient();
      const policy = await buy(client, 'group_life', { start_date: '2024-02-29' });
      expect(policy).toMatchObject({
        merchant_id: client.merchant.id,
        start_date: '2024-02-29T00:00:00.000000Z',
        end_date: '2025-02-28T00:00:00.000000Z',
        status: true,
        user: { surname: 'Obi', policy_no: expect.stringMatching(/^\d{10}$/), password: null },
        product: { id: 2, service_id: expect.any(Number), product_class_id: expect.any(Number) },
        group_life_members: [{ next_of_kiln: MEMBER.next_of_kiln, policy_type: 'group-life' }],
      });
      expect(policy.policy_number).toMatch(/^IN\d{8}$/);
    });

    test('is the same in details as at verify, and shorter in the list', async () => {
      const client = await createClient();
      const policy = await buy(client, 'group_life');
      const details = await client.call(DETAILS, { policy_number: policy.policy_number });
      expect(details.body.data).toEqual(policy);
      const { data } = (await client.call(LIST)).body.data;
      expect(Object.keys(data[0].user)).toEqual([
        'id',
        'first_name',
        'middle_name',
        'surname',
        'phone_no',
        'email',
        'address',
        'gender',
        'created_at',
        'updated_at',
      ]);
      expect({ ...data[0], user: policy.user }).toEqual(policy);
    });

    test('appears 19 times in the demo data, on two pages', async () => {
      const client = await createDemoClient();
      const first = (await client.call(LIST)).body.data;
      expect([first.total, first.last_page, first.data.length]).toEqual([19, 2, 15]);
      const second = (await client.call(LIST, { page: '2' })).body.data;
      expect([second.data.length, second.from, second.to]).toEqual([4, 16, 19]);
    });

    test('returns exactly the specified refusal for an expired token', async () => {
      const client = await createClient();
      const { body } = await client.call(initiateOf.group_life, purchaseOf('group_life'));
      await client.merchant.clock.advance(UNTIL_EXPIRED);
      const answer = await client.call('verifyGroupLifePolicy', { token: body.data.token });
      expect(answer.text).toBe(
        '{"success":false,"response_message":"Token has expired","response_code":400,"data":{"error":["Token has expired"]}}',
      );
    });
  });
}
