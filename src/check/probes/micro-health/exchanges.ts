import { allSubscriptions } from '../../../products/micro-health/routes/all-subscriptions.ts';
import { getQuote } from '../../../products/micro-health/routes/get-quote.ts';
import { initiate } from '../../../products/micro-health/routes/initiate.ts';
import { topUp } from '../../../products/micro-health/routes/top-up.ts';
import { validatePolicy } from '../../../products/micro-health/routes/validate-policy.ts';
import { verify } from '../../../products/micro-health/routes/verify.ts';
import {
  type Assertion,
  asDateTime,
  equals,
  type Json,
  monthsLater,
  satisfies,
  writtenNow,
} from '../../assertions.ts';
import type { ExchangeRules, FamilyExchanges } from '../../exchange-rules.ts';
import { pagedExchanges } from '../exchanged-lists.ts';
import { isAsked } from '../look-ups.ts';
import { observeForm } from './list.ts';
import { boughtAssertions, type ExpectedSettings, TOKEN } from './purchases.ts';

const MONTHS: Readonly<Record<string, number>> = { monthly: 1, quarterly: 3, annually: 12 };

/** What a subscription says of itself, however often it was renewed. */
function coverAssertions(subscription: Json, path = ''): Assertion[] {
  const months = MONTHS[subscription?.subscriptions_type];
  if (months === undefined) return [];
  const { subscriptions_no: paid, start_date: start } = subscription;
  const at = (field: string) => (path === '' ? field : `${path}.${field}`);
  const ofProduct = subscription.product ? [equals(at('product.id'), subscription.product_id)] : [];
  return [
    ...ofProduct,
    equals(at('recurring'), months < 12, 'recurring'),
    subscription.active_date === asDateTime(start)
      ? equals(at('end_date'), monthsLater(start, paid * months), 'top-up-dates')
      : lapsedEnd(at('end_date'), subscription, months),
  ];
}

/** After a lapse periods count anew; how many were paid before does not show. */
function lapsedEnd(path: string, subscription: Json, months: number): Assertion {
  const { active_date: active, subscriptions_no: paid } = subscription;
  const written = String(active).replace(' ', 'T');
  const holds = (seen: Json) => {
    for (let periods = 1; periods < paid && periods < MAX_PERIODS; periods++) {
      if (monthsLater(written, periods * months) === seen) return true;
    }
    return false;
  };
  return satisfies(path, 'whole periods after active_date', holds, 'top-up-dates');
}

/** More than anybody pays for; a number that a server makes up must not make this long. */
const MAX_PERIODS = 2000;

const verifies: ExchangeRules = {
  assertions: (data, { purchase, between }) => {
    const { product_id, subscriptions_type: subscription_type } = data;
    const sent = purchase?.sent ?? { product_id, subscription_type };
    const months = MONTHS[sent.subscription_type];
    return months === undefined ? [] : boughtAssertions(data, sent, months, { between });
  },
};

const renews: ExchangeRules = {
  refusable: /^(subscription_type|amount)$/,
  assertions: (data, { sent, between }) => [
    ...coverAssertions(data),
    ...(sent
      ? [
          isAsked('policy_no', sent.policy_no),
          equals('subscriptions_type', sent.subscription_type, 'top-up-frequency'),
        ]
      : []),
    ...writtenNow('updated_at', between, 'top-up-dates'),
  ],
};

/** What a subscriber of the list says of itself. */
function subscriberAssertions(path: string, item: Json, form: string): Assertion[] {
  const isArray = Array.isArray(item.subscriptions);
  const subscription = isArray ? item.subscriptions[0] : item.subscriptions;
  const inner = `${path}.subscriptions${isArray ? '.0' : ''}`;
  const { id, policy_no, beneficiary, transactions } = item;
  const each = (list: Json, name: string, value: Json, field: string) =>
    (Array.isArray(list) ? list : []).map((_each, place) =>
      equals(`${path}.${name}.${place}.${field}`, value),
    );
  return [
    satisfies(
      `${path}.subscriptions`,
      `an ${form}`,
      () => isArray === (form === 'array'),
      'subscriptions-key',
    ),
    equals(`${inner}.user_id`, id),
    equals(`${inner}.policy_no`, policy_no),
    equals(`${path}.have_beneficiaries`, beneficiary?.length > 0, 'users-count'),
    equals(`${path}.transactions.length`, subscription?.subscriptions_no, 'top-up-dates'),
    ...each(beneficiary, 'beneficiary', id, 'user_id'),
    ...each(transactions, 'transactions', id, 'user_id'),
    ...each(transactions, 'transactions', subscription?.id, 'subscriptions_id'),
    ...coverAssertions(subscription, inner),
  ];
}

const subscriptionOf = ({ subscriptions }: Json): Json =>
  Array.isArray(subscriptions) ? subscriptions[0] : subscriptions;

/** That a list holds what its dates select. */
function selectionAssertions(sent: Json): Assertion[] {
  const { start_date: from, end_date: to } = sent;
  if (from === undefined && to === undefined) return [];
  const holds = (items: Json) =>
    items.every((item: Json) => {
      const made = String(subscriptionOf(item)?.created_at).slice(0, 10);
      return (from === undefined || made >= from) && (to === undefined || made <= to);
    });
  const words = [from && `from ${from} on`, to && `up to ${to}`].filter(Boolean).join(' ');
  return [satisfies('data', `subscriptions ${words}`, holds, 'list-selection')];
}

/** What is held against exchanges with micro-health. */
export function microHealthExchanges(settings: ExpectedSettings): FamilyExchanges {
  const pages = pagedExchanges({
    operation: allSubscriptions,
    settings,
    madeAt: (item) => subscriptionOf(item).created_at,
    ofItem: (path, item) => subscriberAssertions(path, item, settings.subscriptionsKey),
    observe: (item) => observeForm({ data: [item] }),
  });
  return {
    [getQuote.operationId]: { refusable: /^(no_of_users|product_id)$/ },
    [initiate.operationId]: {
      refusable: /^(date_of_birth|product_id|amount|\w+_beneficiary_full_name)$/,
      assertions: () => [TOKEN],
    },
    [verify.operationId]: verifies,
    [topUp.operationId]: renews,
    [validatePolicy.operationId]: {
      assertions: (data, { sent }) => [
        ...coverAssertions(data),
        ...(sent ? [isAsked('policy_no', sent.policy_no)] : []),
      ],
    },
    [allSubscriptions.operationId]: {
      ...pages,
      assertions: (data, exchange) => [
        ...(pages.assertions?.(data, exchange) ?? []),
        ...(exchange.sent ? selectionAssertions(exchange.sent) : []),
      ],
    },
  };
}
