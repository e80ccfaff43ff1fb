import { highestOf } from '../../core/world.ts';
import type { RecordProblem } from '../family.ts';
import type { Catalogue } from '../product.ts';
import { createReview } from '../review.ts';
import type { GroupLifeRecords } from './state.ts';

/** The records of one merchant, or of none. */
export function selectMerchant(
  { policies }: GroupLifeRecords,
  merchantId: number | undefined,
): GroupLifeRecords {
  return { policies: policies.filter((policy) => policy.merchant_id === merchantId) };
}

/** The same records as another merchant's. */
export function assignMerchant(
  { policies }: GroupLifeRecords,
  merchantId: number,
): GroupLifeRecords {
  return {
    policies: policies.map((policy) => ({
      ...policy,
      merchant_id: merchantId,
      user: { ...policy.user, merchant_user_id: merchantId },
    })),
  };
}

/** References, duplicates, order: what the form of the records can not say. */
export function review({ policies }: GroupLifeRecords, catalogue: Catalogue): RecordProblem[] {
  const { problems, want, wantProduct, wantNewId, wantNewNumber, wantLater } = createReview(
    catalogue,
    'group_life',
  );
  for (const [position, policy] of policies.entries()) {
    const { id, user, merchant_id: merchant } = policy;
    wantNewId(id, merchant, ['policies', position, 'id']);
    wantProduct(policy.product_id, ['policies', position, 'product_id']);
    wantNewNumber(policy.policy_number, ['policies', position, 'policy_number']);
    want(
      policy.user_id === user.id,
      ['policies', position, 'user_id'],
      `expected ${user.id}, the id of its user`,
    );
    want(
      user.merchant_user_id === null || user.merchant_user_id === merchant,
      ['policies', position, 'user', 'merchant_user_id'],
      `expected ${merchant}, the merchant of its policy`,
    );
    for (const [place, member] of policy.group_life_members.entries()) {
      want(
        member.policy_id === id,
        ['policies', position, 'group_life_members', place, 'policy_id'],
        `expected ${id}, the id of its policy`,
      );
    }
    wantLater(policy.created_at, ['policies', position, 'created_at'], 'policy');
  }
  return problems;
}

/** The highest id in use, by sequence. */
export function highestIds({ policies }: GroupLifeRecords): Readonly<Record<string, number>> {
  return {
    user: highestOf(policies.map((policy) => policy.user.id)),
    group_life_policy: highestOf(policies.map((policy) => policy.id)),
    group_life_member: highestOf(
      policies.flatMap(({ group_life_members }) => group_life_members.map(({ id }) => id)),
    ),
  };
}
