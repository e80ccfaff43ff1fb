import { highestOf } from '../../core/world.ts';
import type { RecordProblem } from '../family.ts';
import type { Catalogue } from '../product.ts';
import { createReview } from '../review.ts';
import type { MotorRecords } from './state.ts';

/** The records of one merchant, or of none. */
export function selectMerchant(
  records: MotorRecords,
  merchantId: number | undefined,
): MotorRecords {
  const policies = records.policies.filter((policy) => policy.merchant_user_id === merchantId);
  return { ...records, policies };
}

/** The same records as another merchant's. */
export function assignMerchant(records: MotorRecords, merchantId: number): MotorRecords {
  const policies = records.policies.map((policy) => ({ ...policy, merchant_user_id: merchantId }));
  return { ...records, policies };
}

/** References, duplicates, order: what the form of the records can not say. */
export function review(records: MotorRecords, catalogue: Catalogue): RecordProblem[] {
  const { problems, wantProduct, wantNew, wantNewId, wantNewNumber, wantLater } = createReview(
    catalogue,
    'motor',
  );

  for (const [position, { product_id: product }] of records.premium_rates.entries()) {
    wantProduct(product, ['premium_rates', position, 'product_id']);
    wantNew(
      product,
      ['premium_rates', position],
      () => `a second premium rate of product ${product}`,
    );
  }

  for (const [position, policy] of records.policies.entries()) {
    wantNewId(policy.id, policy.merchant_user_id, ['policies', position, 'id']);
    wantProduct(policy.product_id, ['policies', position, 'product_id']);
    wantNewNumber(policy.policy_number, ['policies', position, 'policy_number']);
    wantLater(policy.created_at, ['policies', position, 'created_at'], 'policy');
  }
  return problems;
}

/** The highest id in use, by sequence. */
export const highestIds = ({ policies }: MotorRecords): Readonly<Record<string, number>> => ({
  user: highestOf(policies.map((policy) => policy.user_id)),
  motor_policy: highestOf(policies.map((policy) => policy.id)),
});
