import type { RecordProblem } from '../family.ts';
import type { Catalogue } from '../product.ts';
import type { Subscriber } from './schemas.ts';
import type { MicroHealthRecords } from './state.ts';

/** The records of one merchant, or of none. */
export function selectMerchant(
  records: MicroHealthRecords,
  merchantId: number | undefined,
): MicroHealthRecords {
  const subscribers = records.subscribers.filter(
    (subscriber) => subscriber.merchant_user_id === merchantId,
  );
  return { ...records, subscribers: merchantId === undefined ? [] : subscribers };
}

/** The same records as another merchant's. */
export function assignMerchant(
  records: MicroHealthRecords,
  merchantId: number,
): MicroHealthRecords {
  const merchant = { merchant_user_id: merchantId };
  const subscribers = records.subscribers.map(
    (subscriber): Subscriber => ({
      ...subscriber,
      ...merchant,
      subscriptions: { ...subscriber.subscriptions, ...merchant },
      transactions: subscriber.transactions.map((transaction) => ({ ...transaction, ...merchant })),
    }),
  );
  return { ...records, subscribers };
}

/** References, duplicates, order: what the form of the records can not say. */
export function review(records: MicroHealthRecords, { products }: Catalogue): RecordProblem[] {
  const problems: RecordProblem[] = [];
  const wantProduct = (id: number, path: RecordProblem['path']) => {
    if (products.get(id)?.family === 'micro_health') return;
    problems.push({ path, message: `product ${id} is no micro-health product of products.json` });
  };

  const priced = new Set<string>();
  for (const [position, price] of records.prices.entries()) {
    wantProduct(price.product_id, ['prices', position, 'product_id']);
    const key = `${price.product_id}/${price.users}`;
    if (priced.has(key)) {
      problems.push({
        path: ['prices', position],
        message: `a second price of product ${price.product_id} for ${price.users} users`,
      });
    }
    priced.add(key);
  }
  for (const [position, rate] of records.commission_rates.entries()) {
    wantProduct(rate.product_id, ['commission_rates', position, 'product_id']);
  }

  const numbers = new Map<string, number>();
  let latest = '';
  for (const [position, subscriber] of records.subscribers.entries()) {
    const path = ['subscribers', position];
    const { subscriptions: subscription } = subscriber;
    wantProduct(subscription.product_id, [...path, 'subscriptions', 'product_id']);
    const first = numbers.get(subscriber.policy_no);
    if (first !== undefined) {
      problems.push({
        path: [...path, 'policy_no'],
        message: `policy number ${subscriber.policy_no} is also that of subscribers.${first}`,
      });
    }
    numbers.set(subscriber.policy_no, position);
    if (subscription.policy_no !== subscriber.policy_no) {
      problems.push({
        path: [...path, 'subscriptions', 'policy_no'],
        message: `expected ${subscriber.policy_no}, the policy number of its subscriber`,
      });
    }
    if (subscription.user_id !== subscriber.id) {
      problems.push({
        path: [...path, 'subscriptions', 'user_id'],
        message: `expected ${subscriber.id}, the id of its subscriber`,
      });
    }
    if (subscription.merchant_user_id !== subscriber.merchant_user_id) {
      problems.push({
        path: [...path, 'subscriptions', 'merchant_user_id'],
        message: `expected ${subscriber.merchant_user_id}, the merchant of its subscriber`,
      });
    }
    if (subscription.created_at < latest) {
      problems.push({
        path: [...path, 'subscriptions', 'created_at'],
        message: 'earlier than that of the subscriber before; records stand oldest first',
      });
    }
    latest = subscription.created_at;
  }
  return problems;
}

/** The highest id in use, by sequence. */
export function highestIds({ subscribers }: MicroHealthRecords): Readonly<Record<string, number>> {
  const highest = (ids: readonly number[]) => ids.reduce((most, id) => Math.max(most, id), 0);
  return {
    user: highest(subscribers.map((subscriber) => subscriber.id)),
    subscription: highest(subscribers.map((subscriber) => subscriber.subscriptions.id)),
    beneficiary: highest(subscribers.flatMap(({ beneficiary }) => beneficiary.map(({ id }) => id))),
    transaction: highest(
      subscribers.flatMap(({ transactions }) => transactions.map(({ id }) => id)),
    ),
  };
}
