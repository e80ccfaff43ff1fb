import { describe, expect, test } from 'vitest';
import type { Clients } from '../support/client.ts';
import { buy, initiateOf, purchaseOf } from '../support/requests.ts';

const DETAILS = 'getMotorPolicyDetails';
const LIST = 'listMotorPolicies';
const PURCHASE = purchaseOf('motor');

export function motorJourneys({ createClient, createDemoClient }: Clients): void {
  describe('a motor policy', () => {
    test('gets its number at initiate but is not listed before verify', async () => {
      const client = await createClient();
      const { body } = await client.call(initiateOf.motor, PURCHASE);
      expect(body.response_code).toBe('');
      expect(body.data).toMatchObject({
        merchant_user_id: client.merchant.id,
        product_id: 4,
        vehicle_value: PURCHASE.sum_insured,
        frequency_type: 'yearly',
        start_date: '2026-02-01',
        end_date: '2027-02-01',
        chasis_no: PURCHASE.chasis_no,
      });
      const { policy_number, slug, token } = body.data;
      expect(policy_number).toMatch(/^INS\d{13}$/);
      expect(slug).toBe(`comprehensive-motor-${policy_number.toLowerCase()}`);
      expect(token).toMatch(/^CMP\d{18}$/);
      expect((await client.call(LIST)).body.data).toEqual([]);
      expect((await client.call(DETAILS, { policyNumber: policy_number })).status).toBe(404);
    });

    test.each([
      [
        '2026-06-15T12:00:00Z',
        ['2027', 2027, '1900', 1900],
        ['2028', 2028, '1899', 1899, '15', 2015.5],
      ],
      ['2026-12-31T23:59:59Z', ['2027'], ['2028']],
      ['2027-01-01T00:00:00Z', ['2028'], ['2029']],
    ])(
      'accepts a vehicle made from 1900 to next year: at %s %j, but not %j',
      async (now, made, not) => {
        const client = await createClient({ now });
        for (const year_make of made) {
          const { year_make: answered } = await buy(client, 'motor', { year_make });
          expect(answered).toBe(String(year_make));
        }
        for (const year_make of not) {
          const { status, body } = await client.call(
            initiateOf.motor,
            purchaseOf('motor', { year_make }),
          );
          expect(status, String(year_make)).toBe(422);
          expect(body.data.error).toEqual([expect.stringMatching(/^The year_make field must /)]);
        }
      },
    );

    test('has a different shape when verified, in details and in the list', async () => {
      const client = await createClient();
      const verified = await buy(client, 'motor');
      expect(verified).toMatchObject({
        merchant_id: client.merchant.id,
        start_date: '2026-02-01T00:00:00.000000Z',
        end_date: '2027-02-01T00:00:00.000000Z',
        status: true,
        created_at: '2026-01-31T10:00:00.000000Z',
      });
      const { policy_number } = verified;
      const details = await client.call(DETAILS, { Policy_number: policy_number });
      expect(details.body.data).toMatchObject({
        start_date: '2026-02-01',
        merchant_user_id: client.merchant.id,
      });
      expect(details.body.data).not.toHaveProperty('status');
      const list = await client.call(LIST);
      expect(list.body.data).toEqual([
        {
          slug: verified.slug,
          frequency_type: 'yearly',
          duration: 1,
          vehicle_type: 'saloon',
          start_date: '2026-02-01',
          end_date: '2027-02-01',
          vehicle_value: PURCHASE.sum_insured,
          insurance_cover: 'bronze',
          status: 'activated',
          policy_number,
        },
      ]);
    });

    test('requires every field that the interface marks as required', async () => {
      const client = await createClient();
      const answer = await client.call(initiateOf.motor, {});
      expect(answer.body.data.error).toEqual(
        Object.keys(PURCHASE).map((field) => `The ${field} field is required.`),
      );
    });

    test('appears seven times in the demo data', async () => {
      expect((await (await createDemoClient()).call(LIST)).body.data).toHaveLength(7);
    });
  });
}
