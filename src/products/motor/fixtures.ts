import type { RecordProblem } from '../family.ts';
import type { Catalogue } from '../product.ts';
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
export function review(records: MotorRecords, { products }: Catalogue): RecordProblem[] {
  const problems: RecordProblem[] = [];
  const wantProduct = (id: number, path: RecordProblem['path']) => {
    if (products.get(id)?.family === 'motor') return;
    problems.push({ path, message: `product ${id} is no motor product of products.json` });
  };

  const rated = new Set<number>();
  for (const [position, { product_id: product }] of records.premium_rates.entries()) {
    wantProduct(product, ['premium_rates', position, 'product_id']);
    if (rated.has(product)) {
      problems.push({
        path: ['premium_rates', position],
        message: `a second premium rate of product ${product}`,
      });
    }
    rated.add(product);
  }

  const numbers = new Map<string, number>();
  let latest = '';
  for (const [position, policy] of records.policies.entries()) {
    const path = ['policies', position];
    wantProduct(policy.product_id, [...path, 'product_id']);
    const first = numbers.get(policy.policy_number);
    if (first !== undefined) {
      problems.push({
        path: [...path, 'policy_number'],
        message: `policy number ${policy.policy_number} is also that of policies.${first}`,
      });
    }
    numbers.set(policy.policy_number, position);
    if (policy.created_at < latest) {
      problems.push({
        path: [...path, 'created_at'],
        message: 'earlier than that of the policy before; records stand oldest first',
      });
    }
    latest = policy.created_at;
  }
  return problems;
}

/** The highest id in use, by sequence. */
export function highestIds({ policies }: MotorRecords): Readonly<Record<string, number>> {
  return {
    user: policies.reduce((most, policy) => Math.max(most, policy.user_id), 0),
    motor_policy: policies.reduce((most, policy) => Math.max(most, policy.id), 0),
  };
}
