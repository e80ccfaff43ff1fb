import {
  allSubscriptions,
  getQuote,
  initiate,
  topUp,
  validatePolicy,
  verify,
} from '../../products/micro-health/routes.ts';
import { DAY_MS, day } from '../../world/time.ts';
import { type Catalogue, productsOf } from '../catalogue.ts';
import type { Json } from '../json.ts';
import {
  BENEFICIARIES,
  FAMILY,
  FREQUENCIES,
  type Frequency,
  learn,
  premiumOf,
  premiumsOf,
  pricesFrom,
} from './micro-health/prices.ts';
import {
  type CheckRun,
  FILES,
  FIRST_NAME,
  IDENTITY_NUMBER,
  purchaserOf,
  SURNAME,
} from './people.ts';
import { formScenario } from './refusals.ts';
import { type Call, type FamilyScenarios, from, type Input, type Scenario } from './scenario.ts';
import {
  buys,
  type FamilyCalls,
  foreignProduct,
  isolationScenarios,
  later,
  manyBought,
  pageSteps,
  requestScenarios,
  tokenScenarios,
} from './shared.ts';

/** The life of a policy, from its quote to its look-up. */
function microHealthScenarios(catalogue: Catalogue, run: CheckRun): Scenario[] {
  const [productId = 0, otherId = productId] = productsOf(catalogue, FAMILY);
  if (productId === 0) return [];
  const most = (id: number) =>
    Math.max(
      0,
      ...premiumsOf(catalogue)
        .filter((each) => each.product_id === id)
        .map(({ users }) => users),
    );
  const plan = (id: number, users: number, subscription_type: Frequency): Input => ({
    ...purchaserOf(run),
    product_id: id,
    subscription_type,
    amount: premiumOf(catalogue, id, users, subscription_type),
    ...Object.fromEntries(
      BENEFICIARIES.slice(0, users - 1).map((which) => [
        `${which}_beneficiary_full_name`,
        `${which} ${SURNAME}`,
      ]),
    ),
    profile_url: `${FILES}/me.png`,
  });
  const users = Math.min(4, most(productId));
  const asSpecified = plan(productId, users, 'monthly');
  const alone = plan(productId, 1, 'monthly');
  const calls: FamilyCalls = {
    family: FAMILY,
    initiate,
    verify,
    list: allSubscriptions,
    lookUp: validatePolicy,
    lookUpInput: (answer, at = '') => ({ policy_no: from(answer, `${at}policy_no`) }),
    question: getQuote,
    purchase: asSpecified,
  };
  const validates = (bought: string): Call => ({
    operation: validatePolicy,
    shows: 'of what was bought',
    input: { policy_no: from(bought, 'policy_no') },
  });
  const renews = (bought: string, shows: string, changes: Input = {}): Call => ({
    operation: topUp,
    shows,
    input: {
      subscription_type: 'monthly',
      amount: asSpecified.amount,
      policy_no: from(bought, 'policy_no'),
      ...changes,
    },
    about: Object.keys(changes),
  });
  const lists = (shows: string, input: Input): Call => ({
    operation: allSubscriptions,
    shows,
    input,
    about: Object.keys(input),
  });
  const quotes = (id: unknown, count: unknown, type: string, shows: string): Call => ({
    operation: getQuote,
    shows,
    input: { no_of_users: count, subscription_type: type, product_id: id },
  });
  return [
    {
      name: 'A purchase in the words of the specification',
      family: FAMILY,
      steps: [
        quotes(productId, users, 'monthly', 'of the plan that is bought next'),
        ...buys(calls, 'bought', asSpecified, 'in the words of the specification'),
        validates('bought'),
        lists('with what was bought', {}),
        renews('bought', 'in the words of the specification'),
        validates('bought'),
        lists('with what was renewed', {}),
      ],
    },
    {
      name: 'Every plan is quoted',
      family: FAMILY,
      steps: [...new Set([productId, otherId])].flatMap((id) =>
        FREQUENCIES.flatMap((frequency) =>
          [1, 2, 3, 4, 5].map((count) => quotes(id, count, frequency, `for ${count} users`)),
        ),
      ),
    },
    ...FREQUENCIES.slice(1).map((frequency) => {
      const count = Math.min(2, most(otherId));
      const bought = plan(otherId, count, frequency);
      return {
        name: `A ${frequency} subscription`,
        family: FAMILY,
        steps: [
          ...buys(calls, 'bought', bought, `for ${frequency} payments`, ['subscription_type']),
          validates('bought'),
          renews('bought', `of a ${frequency} subscription`, {
            subscription_type: frequency,
            amount: bought.amount,
          }),
          lists('with what was bought', {}),
        ],
      };
    }),
    {
      name: 'Other forms of a purchase',
      family: FAMILY,
      steps: looseForms(catalogue, productId, users).flatMap(([shows, changes], place) => [
        ...buys(calls, `loose ${place}`, { ...alone, ...changes }, shows, Object.keys(changes)),
        ...(place === 0 ? [lists('with names in white space', {})] : []),
      ]),
    },
    {
      name: 'Renewals',
      family: FAMILY,
      steps: [
        ...buys(calls, 'bought', asSpecified, 'to renew'),
        renews('bought', 'at another amount', { amount: Number(asSpecified.amount) * 2 + 1 }),
        ...buys(calls, 'other', asSpecified, 'to renew otherwise'),
        renews('other', 'at another frequency', { subscription_type: 'annually' }),
        ...buys(calls, 'loose', asSpecified, 'to renew with digits'),
        renews('loose', 'with the amount as text', { amount: String(asSpecified.amount) }),
        renews('bought', 'without any field', {
          subscription_type: undefined,
          amount: undefined,
          policy_no: undefined,
        }),
        renews('bought', 'of a policy that does not exist', { policy_no: '0000000000' }),
        renews('bought', 'of a policy number with a blank', { policy_no: ' 0000000000 ' }),
      ],
    },
    {
      name: 'Renewals by another merchant',
      family: FAMILY,
      steps: [
        ...buys(calls, 'bought', asSpecified, 'that another merchant tries to renew'),
        {
          ...renews('bought', "of another merchant's policy"),
          by: 'other',
          rests: ['foreign-policy'],
        },
      ],
    },
    {
      name: 'Renewals as time passes',
      family: FAMILY,
      needs: 'clock',
      steps: [
        ...buys(calls, 'bought', asSpecified, 'to renew as time passes'),
        renews('bought', 'on the day it was bought'),
        { advance: 40 * DAY_MS },
        renews('bought', 'before its end'),
        { advance: 200 * DAY_MS },
        { ...validates('bought'), rests: ['no-expiry-transition'] },
        renews('bought', 'after its end'),
        renews('bought', 'after its end, again'),
        validates('bought'),
        lists('with what was renewed', {}),
      ],
    },
    {
      name: 'Pages of subscriptions',
      family: FAMILY,
      steps: [
        ...manyBought(calls, [asSpecified, alone, asSpecified]),
        ...pageSteps(allSubscriptions),
        ...['day', 'week', 'month', 'quarter', 'year'].map((period) =>
          lists(`of this ${period}`, { period, per_page: '2' }),
        ),
        lists('from a day on', { start_date: run.today.replace(/^\d{4}/, '2000') }),
        lists('between two days', { start_date: '1999-01-01', end_date: '1999-12-31' }),
        lists('of an unknown period', { period: 'decade' }),
        lists('of a period and a day', { period: 'day', start_date: '2024-01-01' }),
        lists('from a day that the calendar lacks', { start_date: '2024-02-30' }),
        lists('up to a day before its first', { start_date: '2024-02-02', end_date: '2024-02-01' }),
      ],
    },
    {
      name: 'Selections as time passes',
      family: FAMILY,
      needs: 'clock',
      steps: [
        ...buys(calls, 'first', alone, 'for a selection'),
        { advance: DAY_MS },
        ...buys(calls, 'second', alone, 'for a selection, a day later'),
        { advance: 40 * DAY_MS },
        ...buys(calls, 'third', alone, 'for a selection, 40 days later'),
        ...['day', 'week', 'month', 'quarter', 'year'].map((period) =>
          lists(`of this ${period}`, { period }),
        ),
        lists('of the first day', { start_date: run.today, end_date: run.today }),
        lists('from the second day on', { start_date: dayAfter(run.today), per_page: '1' }),
        lists('up to the second day', { end_date: dayAfter(run.today) }),
      ],
    },
    formScenario(FAMILY, initiate, alone, [
      ['product_id', 'of another family', foreignProduct(catalogue, FAMILY)],
      ['date_of_birth', 'to come', '2999-01-01'],
      ['amount', 'other than the premium', Number(alone.amount) * 2 + 1],
    ]),
    formScenario(
      FAMILY,
      getQuote,
      { no_of_users: 1, subscription_type: 'monthly', product_id: productId },
      [['product_id', 'of another family', foreignProduct(catalogue, FAMILY)]],
    ),
    ...tokenScenarios({ ...calls, purchase: alone }),
    ...isolationScenarios({ ...calls, purchase: alone }),
    ...requestScenarios(calls, [
      getQuote,
      initiate,
      verify,
      topUp,
      allSubscriptions,
      validatePolicy,
    ]),
  ];
}

const dayAfter = (today: string): string => day(Date.parse(today) + DAY_MS);

/** Purchases in forms that the specification does not name, and that the sandbox takes. */
function looseForms(
  catalogue: Catalogue,
  productId: number,
  users: number,
): readonly (readonly [shows: string, changes: Input])[] {
  const price = (count: number, frequency: Frequency) =>
    premiumOf(catalogue, productId, count, frequency);
  return [
    ['with white space around a name', { first_name: ` ${FIRST_NAME} `, surname: `${SURNAME} ` }],
    ['with the product as text', { product_id: String(productId) }],
    ['with yearly payments', { subscription_type: 'yearly', amount: price(1, 'annually') }],
    ['with the amount as text', { amount: String(price(1, 'monthly')) }],
    ['with the identity number as text', { nin_number: String(IDENTITY_NUMBER) }],
    ['with a portrait that is no URL', { profile_url: 'me.png' }],
    ['with a field nobody knows', { sandbox_check: true }],
    ['with blank names', { first_beneficiary_full_name: '', second_beneficiary_full_name: ' ' }],
    ...(users > 1
      ? [
          [
            'with a gap before a beneficiary',
            { third_beneficiary_full_name: ` ${SURNAME} `, amount: price(2, 'monthly') },
          ] as const,
        ]
      : []),
  ];
}

const MONTHS: Readonly<Record<string, number>> = { monthly: 1, quarterly: 3, annually: 12 };

/** As many periods after the start as were paid, unless the cover lapsed on the way. */
function endOf({ start_date, active_date, subscriptions_type, subscriptions_no }: Json) {
  if (String(active_date).replace(' ', 'T') !== start_date.slice(0, 19)) return undefined;
  const months = (MONTHS[subscriptions_type] ?? Number.NaN) * Number(subscriptions_no);
  const end = later(start_date, months);
  return end === undefined ? undefined : ([end, 'top-up-dates'] as const);
}

export const microHealth: FamilyScenarios = {
  family: FAMILY,
  scenarios: microHealthScenarios,
  endOf,
  learn,
  pricesFrom,
};
