import type { Catalogue } from '../catalogue.ts';
import type { RecordProblem, Sequence } from '../family.ts';
import { createRecordValidation } from '../fixture-validation.ts';
import type { GroupLifePolicyRecord } from './schemas.ts';
import type { GroupLifeRecords } from './state.ts';

/** The records of one merchant, or of none. */
export function selectMerchant(
  { policies }: GroupLifeRecords,
  merchantId: number | undefined,
): GroupLifeRecords {
  return { policies: policies.filter((policy) => policy.merchant_id === merchantId) };
}

/** The same records as another merchant's. Whoever belonged to no merchant still does not. */
export function assignMerchant(
  { policies }: GroupLifeRecords,
  merchantId: number,
): GroupLifeRecords {
  return {
    policies: policies.map((policy) => ({
      ...policy,
      merchant_id: merchantId,
      user: {
        ...policy.user,
        merchant_user_id: policy.user.merchant_user_id === null ? null : merchantId,
      },
    })),
  };
}

/** References, duplicates, order: what the schema of the records can not say. */
export function* validateRecords(
  { policies }: GroupLifeRecords,
  catalogue: Catalogue,
): Generator<RecordProblem | undefined, void> {
  const { told, expectSame, expectProduct, expectUniqueId, expectUniqueNumber, expectInOrder } =
    createRecordValidation(catalogue, 'group_life');
  for (const [position, policy] of policies.entries()) {
    const { id, user, merchant_id: merchant } = policy;
    expectUniqueId(id, merchant, ['policies', position, 'id']);
    expectProduct(policy.product_id, ['policies', position, 'product_id']);
    expectUniqueNumber(policy.policy_number, ['policies', position, 'policy_number']);
    expectUniqueNumber(user.policy_no, ['policies', position, 'user', 'policy_no']);
    const own = (...field: (string | number)[]) => ['policies', position, ...field];
    expectSame(policy.user_id, user.id, own('user_id'), 'the id of its user');
    if (user.merchant_user_id !== null) {
      const path = own('user', 'merchant_user_id');
      expectSame(user.merchant_user_id, merchant, path, 'the merchant of its policy');
    }
    for (const [place, { policy_id }] of policy.group_life_members.entries()) {
      const path = own('group_life_members', place, 'policy_id');
      expectSame(policy_id, id, path, 'the id of its policy');
    }
    expectInOrder(policy.created_at, ['policies', position, 'created_at'], 'policy');
    yield* told();
  }
}

export const SEQUENCES: readonly Sequence<GroupLifePolicyRecord>[] = [
  { name: 'user', idsIn: ({ user }) => [user.id] },
  { name: 'group_life_policy', idsIn: ({ id }) => [id] },
  {
    name: 'group_life_member',
    idsIn: ({ group_life_members }) => group_life_members.map(({ id }) => id),
  },
];
