import type { RecordProblem } from '../family.ts';
import type { Catalogue } from '../product.ts';
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
export function review({ policies }: GroupLifeRecords, { products }: Catalogue): RecordProblem[] {
  const problems: RecordProblem[] = [];
  const numbers = new Map<string, number>();
  let latest = '';
  for (const [position, policy] of policies.entries()) {
    const want = (holds: boolean, path: RecordProblem['path'], message: string) => {
      if (!holds) problems.push({ path: ['policies', position, ...path], message });
    };
    const { id, user, policy_number: number, merchant_id: merchant } = policy;
    want(
      products.get(policy.product_id)?.family === 'group_life',
      ['product_id'],
      `product ${policy.product_id} is no group-life product of products.json`,
    );
    const first = numbers.get(number);
    want(
      first === undefined,
      ['policy_number'],
      `policy number ${number} is also that of policies.${first}`,
    );
    numbers.set(number, position);
    want(policy.user_id === user.id, ['user_id'], `expected ${user.id}, the id of its user`);
    want(
      user.merchant_user_id === null || user.merchant_user_id === merchant,
      ['user', 'merchant_user_id'],
      `expected ${merchant}, the merchant of its policy`,
    );
    for (const [place, member] of policy.group_life_members.entries()) {
      want(
        member.policy_id === id,
        ['group_life_members', place, 'policy_id'],
        `expected ${id}, the id of its policy`,
      );
    }
    want(
      policy.created_at >= latest,
      ['created_at'],
      'earlier than that of the policy before; records stand oldest first',
    );
    latest = policy.created_at;
  }
  return problems;
}

/** The highest id in use, by sequence. */
export function highestIds({ policies }: GroupLifeRecords): Readonly<Record<string, number>> {
  const highest = (ids: readonly number[]) => ids.reduce((most, id) => Math.max(most, id), 0);
  return {
    user: highest(policies.map((policy) => policy.user.id)),
    group_life_policy: highest(policies.map((policy) => policy.id)),
    group_life_member: highest(
      policies.flatMap(({ group_life_members }) => group_life_members.map(({ id }) => id)),
    ),
  };
}
