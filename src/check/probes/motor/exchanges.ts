import type { Settings } from '../../../core/settings.ts';
import { getPolicyDetails } from '../../../products/motor/routes/get-policy-details.ts';
import { getQuote } from '../../../products/motor/routes/get-quote.ts';
import { initiatePolicy } from '../../../products/motor/routes/initiate-policy.ts';
import { listPolicies } from '../../../products/motor/routes/list-policies.ts';
import { verifyPolicy } from '../../../products/motor/routes/verify-policy.ts';
import { type Assertion, dayMonthsLater, equals, type Json } from '../../assertions.ts';
import type { ExchangeRules, FamilyExchanges } from '../../exchange-rules.ts';
import { observeListOrder, orderAssertions } from '../exchanged-lists.ts';
import { isAsked, numberIn } from '../look-ups.ts';
import { madeNow } from '../purchases.ts';
import { policyAssertions, TOKEN } from './purchases.ts';

const MONTHS: Readonly<Record<string, number>> = { monthly: 1, quarterly: 3, yearly: 12 };

const monthsOf = ({ frequency_type, duration }: Json): number =>
  (MONTHS[frequency_type] ?? Number.NaN) * Number(duration);

/** What a policy says of itself. */
function ownAssertions(policy: Json, path = ''): Assertion[] {
  const at = (field: string) => (path === '' ? field : `${path}.${field}`);
  const number = String(policy?.policy_number).toLowerCase();
  const [start, end] = [String(policy?.start_date), String(policy?.end_date)];
  const months = monthsOf(policy);
  return [
    equals(at('slug'), `comprehensive-motor-${number}`, 'motor-slug'),
    ...(Number.isNaN(months)
      ? []
      : [
          equals(
            at('end_date'),
            `${dayMonthsLater(start.slice(0, 10), months)}${end.slice(10)}`,
            'motor-dates',
          ),
        ]),
  ];
}

const initiates: ExchangeRules = {
  refusable: /^(product_id|duration|start_date|year_make)$/,
  assertions: (data, { sent }) => [
    ...(sent ? policyAssertions(initiatePolicy, sent, monthsOf(sent), data) : ownAssertions(data)),
    TOKEN,
  ],
};

const verifies: ExchangeRules = {
  assertions: (data, { purchase, between }) => [
    ...(purchase
      ? completedAssertions(data, purchase.sent, purchase.answered)
      : ownAssertions(data)),
    equals('status', true),
    ...madeNow(data, { between }, ['motor-dates'], []),
  ],
};

const completedAssertions = (data: Json, sent: Json, initiated: Json): Assertion[] => [
  ...policyAssertions(verifyPolicy, sent, monthsOf(sent), data),
  equals('policy_number', initiated?.policy_number, 'motor-policy-number'),
  equals('merchant_id', initiated?.merchant_user_id),
];

const details: ExchangeRules = {
  assertions: (data, { sent }) => [
    ...ownAssertions(data),
    ...(sent ? [isAsked('policy_number', numberIn(sent), 'motor-details-field')] : []),
  ],
};

const placesOf = (data: Json, bought: readonly string[]): number[] =>
  (Array.isArray(data) ? data : [])
    .map((policy: Json) => bought.indexOf(policy?.policy_number))
    .filter((place) => place !== -1);

const lists = (settings: Settings): ExchangeRules => ({
  assertions: (data, { bought }) => [
    ...orderAssertions('', placesOf(data, bought), settings),
    ...(Array.isArray(data) ? data : []).flatMap((policy: Json, place) =>
      ownAssertions(policy, `${place}`),
    ),
  ],
  observe: (data, { bought }) => observeListOrder(placesOf(data, bought)),
});

/** What is held against exchanges with motor. */
export const motorExchanges = (settings: Settings): FamilyExchanges => ({
  [getQuote.operationId]: { refusable: /^product_id$/ },
  [initiatePolicy.operationId]: initiates,
  [verifyPolicy.operationId]: verifies,
  [getPolicyDetails.operationId]: details,
  [listPolicies.operationId]: lists(settings),
});
