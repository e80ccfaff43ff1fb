import { instantOf, monthsBetween } from '../../world/time.ts';
import type { Catalogue } from '../catalogue.ts';
import type { RecordProblem, Sequence } from '../family.ts';
import { createRecordValidation } from '../fixture-validation.ts';
import type { MicroHealthListedSubscription, MicroHealthSubscriber } from './schemas.ts';
import type { MicroHealthRecords } from './state.ts';

/** The records of one merchant, or of none: a subscription always names its merchant, a subscriber need not. */
export function selectMerchant(
  records: MicroHealthRecords,
  merchantId: number | undefined,
): MicroHealthRecords {
  const subscribers = records.subscribers.filter(
    ({ subscriptions }) => subscriptions.merchant_user_id === merchantId,
  );
  return { ...records, subscribers };
}

/** The same records as another merchant's. Whoever belonged to no merchant still does not. */
export function assignMerchant(
  records: MicroHealthRecords,
  merchantId: number,
): MicroHealthRecords {
  const merchant = { merchant_user_id: merchantId };
  const subscribers = records.subscribers.map(
    (subscriber): MicroHealthSubscriber => ({
      ...subscriber,
      ...(subscriber.merchant_user_id !== null && merchant),
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
    expectSame,
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
    const { id, policy_no, merchant_user_id: merchant, subscriptions: subscription } = subscriber;
    const own = (...field: (string | number)[]) => ['subscribers', position, ...field];
    expectProduct(subscription.product_id, own('subscriptions', 'product_id'));
    expectUniqueId(id, subscription.merchant_user_id, ['subscribers', position, 'id']);
    expectUniqueNumber(policy_no, ['subscribers', position, 'policy_no']);
    const repeats = (
      name: 'policy_no' | 'user_id' | 'merchant_user_id',
      of: unknown,
      what: string,
    ) =>
      expectSame(
        subscription[name],
        of,
        own('subscriptions', name),
        `the ${what} of its subscriber`,
      );
    repeats('policy_no', policy_no, 'policy number');
    repeats('user_id', id, 'id');
    if (merchant !== null) repeats('merchant_user_id', merchant, 'merchant');
    for (const [place, { user_id }] of subscriber.beneficiary.entries()) {
      expectSame(user_id, id, own('beneficiary', place, 'user_id'), 'the id of its subscriber');
    }
    for (const [place, { user_id, subscriptions_id: paid }] of subscriber.transactions.entries()) {
      const paidFor = own('transactions', place, 'subscriptions_id');
      expectSame(user_id, id, own('transactions', place, 'user_id'), 'the id of its subscriber');
      expectSame(paid, subscription.id, paidFor, 'the id of its subscription');
    }
    const months = monthsOf(subscription);
    want(
      subscription.subscriptions_no <= months,
      own('subscriptions', 'subscriptions_no'),
      `expected at most ${months}, the months from start_date to end_date`,
    );
    const created = own('subscriptions', 'created_at');
    expectInOrder(subscription.created_at, created, 'subscriber');
    yield* told();
  }
}

/** Every period that was paid moved the end of a subscription by a month at least (`top-up-dates`). */
const monthsOf = ({ start_date, end_date }: MicroHealthListedSubscription): number =>
  monthsBetween(instantOf(start_date), instantOf(end_date));

export const SEQUENCES: readonly Sequence<MicroHealthSubscriber>[] = [
  { name: 'user', idsIn: ({ id }) => [id] },
  { name: 'subscription', idsIn: ({ subscriptions }) => [subscriptions.id] },
  { name: 'beneficiary', idsIn: ({ beneficiary }) => beneficiary.map(({ id }) => id) },
  { name: 'transaction', idsIn: ({ transactions }) => transactions.map(({ id }) => id) },
];
