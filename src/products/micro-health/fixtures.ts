import type { Catalogue } from '../catalogue.ts';
import type { RecordProblem, Sequence } from '../family.ts';
import { createRecordValidation } from '../fixture-validation.ts';
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
  return { ...records, subscribers };
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

/** References, duplicates, order: what the schema of the records can not say. */
export function* validateRecords(
  records: MicroHealthRecords,
  catalogue: Catalogue,
): Generator<RecordProblem | undefined, void> {
  const {
    told,
    want,
    expectProduct,
    expectUnique,
    expectUniqueId,
    expectUniqueNumber,
    expectInOrder,
  } = createRecordValidation(catalogue, 'micro_health');

  for (const [position, { product_id: product, users }] of records.prices.entries()) {
    expectProduct(product, ['prices', position, 'product_id']);
    expectUnique(
      `${product}/${users}`,
      ['prices', position],
      () => `a second price of product ${product} for ${users} users`,
    );
    yield* told();
  }
  for (const [position, { product_id: product }] of records.commission_rates.entries()) {
    expectProduct(product, ['commission_rates', position, 'product_id']);
    expectUnique(
      product,
      ['commission_rates', position],
      () => `a second commission rate of product ${product}`,
    );
    yield* told();
  }

  for (const [position, subscriber] of records.subscribers.entries()) {
    const { subscriptions: subscription } = subscriber;
    const field = (name: string) => ['subscribers', position, 'subscriptions', name];
    expectProduct(subscription.product_id, field('product_id'));
    expectUniqueId(subscriber.id, subscriber.merchant_user_id, ['subscribers', position, 'id']);
    expectUniqueNumber(subscriber.policy_no, ['subscribers', position, 'policy_no']);
    want(
      subscription.policy_no === subscriber.policy_no,
      field('policy_no'),
      `expected ${subscriber.policy_no}, the policy number of its subscriber`,
    );
    want(
      subscription.user_id === subscriber.id,
      field('user_id'),
      `expected ${subscriber.id}, the id of its subscriber`,
    );
    want(
      subscription.merchant_user_id === subscriber.merchant_user_id,
      field('merchant_user_id'),
      `expected ${subscriber.merchant_user_id}, the merchant of its subscriber`,
    );
    expectInOrder(subscription.created_at, field('created_at'), 'subscriber');
    yield* told();
  }
}

export const SEQUENCES: readonly Sequence<Subscriber>[] = [
  { name: 'user', idsIn: ({ id }) => [id] },
  { name: 'subscription', idsIn: ({ subscriptions }) => [subscriptions.id] },
  { name: 'beneficiary', idsIn: ({ beneficiary }) => beneficiary.map(({ id }) => id) },
  { name: 'transaction', idsIn: ({ transactions }) => transactions.map(({ id }) => id) },
];
