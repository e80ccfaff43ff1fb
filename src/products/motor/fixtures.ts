import type { Catalogue } from '../catalogue.ts';
import type { RecordProblem, Sequence } from '../family.ts';
import { createRecordValidation } from '../fixture-validation.ts';
import type { MotorPolicyRecord } from './schemas.ts';
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

/** References, duplicates, order: what the schema of the records can not say. */
export function* validateRecords(
  records: MotorRecords,
  catalogue: Catalogue,
): Generator<RecordProblem | undefined, void> {
  const { told, expectProduct, expectUnique, expectUniqueId, expectUniqueNumber, expectInOrder } =
    createRecordValidation(catalogue, 'motor');

  for (const [position, { product_id: product }] of records.premium_rates.entries()) {
    expectProduct(product, ['premium_rates', position, 'product_id']);
    expectUnique(
      product,
      ['premium_rates', position],
      () => `a second premium rate of product ${product}`,
    );
    yield* told();
  }

  for (const [position, policy] of records.policies.entries()) {
    expectUniqueId(policy.id, policy.merchant_user_id, ['policies', position, 'id']);
    expectProduct(policy.product_id, ['policies', position, 'product_id']);
    expectUniqueNumber(policy.policy_number, ['policies', position, 'policy_number']);
    expectInOrder(policy.created_at, ['policies', position, 'created_at'], 'policy');
    yield* told();
  }
}

export const SEQUENCES: readonly Sequence<MotorPolicyRecord>[] = [
  { name: 'user', idsIn: (policy) => [policy.user_id] },
  { name: 'motor_policy', idsIn: ({ id }) => [id] },
];
