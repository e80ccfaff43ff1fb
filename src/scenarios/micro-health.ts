/* The scenarios of micro-health: quotes, purchases, renewals, and the list by date. */

import { microHealth as family } from '../products/micro-health/index.ts';
import { FREQUENCIES, type Frequency, MONTHS, PERIODS } from '../products/micro-health/requests.ts';
import {
  allSubscriptions,
  getQuote,
  initiate,
  topUp,
  validatePolicy,
  verify,
} from '../products/micro-health/routes.ts';
import { addMonths, DAY_MS } from '../world/time.ts';
import { type PricedProduct, pricesOf, productsOf, type ServerCatalogue } from './catalogue.ts';
import { beneficiaries, learn, pricesFrom, purchaserOf } from './micro-health/prices.ts';
import { edgeScenario, formScenario } from './refusals.ts';
import {
  type CheckRun,
  call,
  type DatedRecord,
  type FamilyScenarios,
  from,
  type Input,
  type Scenario,
  unlike,
} from './scenario.ts';
import {
  dayAfter,
  dayBefore,
  type FamilyCalls,
  FILES,
  FIRST_NAME,
  foreignProduct,
  IDENTITY_NUMBER,
  LONG_TEXT,
  later,
  listEnds,
  mixedEmailOf,
  OTHER_FIRST_NAME,
  OTHER_SURNAME,
  pageSteps,
  SURNAME,
  sharedScenarios,
  stepsOf,
  WITH_NAMES,
} from './shared.ts';

const FAMILY = family.key;

/** The premiums for a number of users, in naira. */
interface Premium extends PricedProduct, Readonly<Record<Frequency, number>> {
  readonly users: number;
}

const premiumsOf = (catalogue: ServerCatalogue): readonly Premium[] =>
  (pricesOf(catalogue, FAMILY).prices ?? []) as readonly Premium[];

/** The premium of a plan; undefined if there is none. */
const premiumOf = (
  catalogue: ServerCatalogue,
  productId: number,
  users: number,
  frequency: Frequency,
): number | undefined =>
  premiumsOf(catalogue).find((each) => each.product_id === productId && each.users === users)?.[
    frequency
  ];

/** From a quote to the look-up of a policy. */
function microHealthScenarios(catalogue: ServerCatalogue, run: CheckRun): Scenario[] {
  const [productId = 0, otherId = productId] = productsOf(catalogue, FAMILY);
  if (productId === 0) return [];
  const premiums = premiumsOf(catalogue);
  const most = (id: number) =>
    Math.max(0, ...premiums.filter((each) => each.product_id === id).map(({ users }) => users));
  const plan = (id: number, users: number, subscription_type: Frequency): Input => ({
    ...purchaserOf(run),
    product_id: id,
    subscription_type,
    amount: premiumOf(catalogue, id, users, subscription_type),
    ...beneficiaries(users, (which) => `${which} ${SURNAME}`),
    profile_url: `${FILES}/me.png`,
  });
  const users = Math.min(4, most(productId));
  const asSpecified = plan(productId, users, 'monthly');
  const alone = plan(productId, 1, 'monthly');
  const yearly = premiumOf(catalogue, productId, users, 'annually');
  const aQuote = { no_of_users: 1, subscription_type: 'monthly', product_id: productId };
  const calls: FamilyCalls = {
    initiate,
    verify,
    list: allSubscriptions,
    lookUp: validatePolicy,
    lookUpField: 'policy_no',
    numberField: 'policy_no',
    question: getQuote,
    accepted: { operation: getQuote, input: aQuote },
    family,
    purchase: alone,
  };
  const { buys, buysMany } = stepsOf(calls);
  const buysAsSpecified = (as: string, shows: string) => buys(as, shows, asSpecified, []);
  const validates = (bought: string) =>
    call(validatePolicy, 'of the new policy', { policy_no: from(bought, 'policy_no') });
  const renews = (bought: string, shows: string, changes: Input = {}) =>
    call(
      topUp,
      shows,
      {
        subscription_type: 'monthly',
        amount: asSpecified.amount,
        policy_no: from(bought, 'policy_no'),
        ...changes,
      },
      { about: Object.keys(changes) },
    );
  const renewsUnknown = (shows: string, policy_no: unknown) =>
    renews('nothing', shows, { policy_no });
  const lists = (shows: string, input: Input = {}) =>
    call(allSubscriptions, shows, input, { about: Object.keys(input) });
  const ends = (shows: string) => listEnds(allSubscriptions, shows);
  const quotes = (shows: string, id: number, no_of_users: number, subscription_type: Frequency) =>
    call(getQuote, shows, { no_of_users, subscription_type, product_id: id });
  return [
    {
      name: 'A purchase as specified',
      steps: [
        quotes('of a plan before its purchase', productId, users, 'monthly'),
        ...buysAsSpecified('bought', 'as specified'),
        validates('bought'),
        ...ends('with the new policy'),
        renews('bought', 'as specified'),
        validates('bought'),
        ...ends('with the renewed policy'),
      ],
    },
    {
      name: 'Quotes for every plan',
      steps: [...new Set([productId, otherId])].flatMap((id) =>
        FREQUENCIES.flatMap((frequency) =>
          // Each tier that the server has a price for, and one beyond.
          Array.from({ length: Math.max(5, most(id) + 1) }, (_, place) =>
            quotes(place === 0 ? 'for 1 user' : `for ${place + 1} users`, id, place + 1, frequency),
          ),
        ),
      ),
    },
    ...FREQUENCIES.slice(1).map((frequency): Scenario => {
      const bought = plan(otherId, 1, frequency);
      return {
        name: `A subscription that is paid ${frequency}`,
        steps: [
          ...buys('bought', `to be paid ${frequency}`, bought, ['subscription_type']),
          validates('bought'),
          renews('bought', `of a subscription that is paid ${frequency}`, {
            subscription_type: frequency,
            amount: bought.amount,
          }),
          ...ends('with the new policy'),
        ],
      };
    }),
    {
      name: 'Other forms of a purchase',
      steps: looseForms(catalogue, run, productId, users).flatMap(([shows, changes], place) => [
        ...buys(`loose ${place}`, shows, changes),
        ...(place < 2 ? ends(`after a purchase ${shows}`) : []),
      ]),
    },
    {
      name: 'Renewals at another amount',
      steps: [
        ...buysAsSpecified('bought', 'to renew at another amount'),
        renews('bought', 'at another amount', { amount: Number(asSpecified.amount) * 2 + 1 }),
      ],
    },
    ...(yearly === undefined
      ? []
      : [
          {
            name: 'Renewals at another frequency',
            steps: [
              ...buysAsSpecified('bought', 'to renew at another frequency'),
              {
                ...renews('bought', 'at another frequency', {
                  subscription_type: 'annually',
                  amount: yearly,
                }),
                about: ['subscription_type'],
                rests: ['top-up-frequency'] as const,
              },
            ],
          },
        ]),
    {
      name: 'Renewals with the amount as text',
      steps: [
        ...buysAsSpecified('bought', 'to renew with digits'),
        renews('bought', 'with the amount as text', { amount: String(asSpecified.amount) }),
      ],
    },
    {
      name: 'Renewals of no policy',
      steps: [
        call(topUp, 'without any field'),
        renewsUnknown('of a policy number with a leading space', ' 0000000000 '),
      ],
    },
    {
      name: 'Renewals by another merchant',
      steps: [
        ...buysAsSpecified('bought', 'that another merchant tries to renew'),
        renewsUnknown(
          'of a policy that does not exist',
          unlike('bought', 'policy_no', '0000000000'),
        ),
        {
          ...renews('bought', "of another merchant's policy"),
          by: 'other',
          rests: ['foreign-policy'],
        },
      ],
    },
    {
      name: 'Renewals from the end of a month',
      needs: 'clock',
      steps: [
        { advance: untilClamped(run.today) },
        ...buysAsSpecified('bought', 'on the last day of a month'),
        ...['of a cover that ends on an earlier day', 'that starts on that day'].map((shows) => ({
          ...renews('bought', shows),
          rests: ['top-up-anchor'] as const,
        })),
      ],
    },
    {
      name: 'Renewals as time passes',
      needs: 'clock',
      steps: [
        ...buysAsSpecified('bought', 'to renew as time passes'),
        renews('bought', 'on the day it was bought'),
        { advance: 40 * DAY_MS },
        renews('bought', 'before its end'),
        { advance: 200 * DAY_MS },
        { ...validates('bought'), rests: ['no-expiry-transition'] },
        renews('bought', 'after its end'),
        renews('bought', 'after its end, again'),
        validates('bought'),
        lists('with the renewed policy'),
      ],
    },
    {
      name: 'Pages of subscriptions',
      steps: [
        ...buysMany([asSpecified, alone, asSpecified]),
        ...pageSteps(allSubscriptions),
        ...PERIODS.map((period) => lists(`of this ${period}`, { period, per_page: '2' })),
        lists('from a date', { start_date: run.today.replace(/^\d{4}/, '2000') }),
        lists('between two dates', { start_date: '1999-01-01', end_date: '1999-12-31' }),
        lists('of an unknown period', { period: 'decade' }),
        lists('of a period and a day', { period: 'day', start_date: '2024-01-01' }),
        lists('from a date that does not exist', { start_date: '2024-02-30' }),
        lists('with an end before its start', { start_date: '2024-02-02', end_date: '2024-02-01' }),
      ],
    },
    {
      name: 'Selections as time passes',
      needs: 'clock',
      steps: [
        ...buys('first', 'for a selection'),
        { advance: DAY_MS },
        ...buys('second', 'for a selection, a day later'),
        { advance: 40 * DAY_MS },
        ...buys('third', 'for a selection, 40 days later'),
        ...PERIODS.map((period) => lists(`of this ${period}`, { period })),
        lists('of the first day', { start_date: run.today, end_date: run.today }),
        lists('from the second day', { start_date: dayAfter(run.today), per_page: '1' }),
        lists('up to the second day', { end_date: dayAfter(run.today) }),
      ],
    },
    formScenario(
      initiate,
      alone,
      [
        ['product_id', 'of another family', foreignProduct(catalogue, FAMILY)],
        ['date_of_birth', 'in the future', '2999-01-01'],
        ['amount', 'above the premium', Number(alone.amount) * 2 + 1],
        ['amount', 'below the premium', 1],
      ],
      // A server that takes another word for a frequency compares the amount with its premium.
      (field, value) => {
        const meant = FREQUENCIES.find((each) => each.startsWith(`${value}`.toLowerCase()));
        return field === 'subscription_type' && meant ? plan(productId, 1, meant) : alone;
      },
    ),
    formScenario(getQuote, aQuote, [
      ['product_id', 'of another family', foreignProduct(catalogue, FAMILY)],
    ]),
    edgeScenario(initiate, alone, [
      ['date_of_birth', 'of yesterday', dayBefore(run.today)],
      ['first_name', 'of 300 characters', LONG_TEXT],
    ]),
    edgeScenario(getQuote, aQuote, [['no_of_users', 'as text', '1']]),
    ...sharedScenarios(calls),
  ];
}

/** Milliseconds to the next day that the following month does not have. */
function untilClamped(today: string): number {
  const start = Date.parse(today);
  let at = start;
  while (new Date(addMonths(at, 1)).getUTCDate() === new Date(at).getUTCDate()) at += DAY_MS;
  return at - start;
}

/** Forms of a purchase that the specification does not mention and the sandbox accepts. */
function looseForms(
  catalogue: ServerCatalogue,
  run: CheckRun,
  productId: number,
  users: number,
): readonly (readonly [shows: string, changes: Input])[] {
  const price = (count: number, frequency: Frequency) =>
    premiumOf(catalogue, productId, count, frequency);
  return [
    ['with white space around a name', { first_name: ` ${FIRST_NAME} `, surname: `${SURNAME} ` }],
    [
      WITH_NAMES,
      { first_name: OTHER_FIRST_NAME, surname: OTHER_SURNAME, email: mixedEmailOf(run) },
    ],
    ['with the product as text', { product_id: String(productId) }],
    ['with yearly payments', { subscription_type: 'yearly', amount: price(1, 'annually') }],
    ['with the amount as text', { amount: String(price(1, 'monthly')) }],
    ['with the identity number as text', { nin_number: String(IDENTITY_NUMBER) }],
    ['with a profile_url that is not a URL', { profile_url: 'me.png' }],
    ['with an unknown field', { sandbox_check: true }],
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

/** The start plus all paid periods, unless the cover has lapsed in between. */
function endOf({ start_date, active_date, subscriptions_type, subscriptions_no }: DatedRecord) {
  if (String(active_date).replace(' ', 'T') !== start_date.slice(0, 19)) return undefined;
  const months = (MONTHS[subscriptions_type as Frequency] ?? Number.NaN) * Number(subscriptions_no);
  const end = later(start_date, months);
  return end === undefined ? undefined : ([end, 'top-up-dates'] as const);
}

const NOTES = `
Verify, renewal, look-up and list have \`message\`, all others \`response_message\`. Verify and renewal return:

\`{"success":true,"message":"…","data":{"policy_no":"7382347143","subscriptions_type":"monthly","subscriptions_no":1,"end_date":"2026-02-28T10:00:00.000000Z"}}\`

- The look-up returns the same; the list has it in \`subscriptions\`.
- Optional: \`profile_url\`, the beneficiary, \`second_beneficiary_full_name\`, \`third_…\`.
- A quote has \`data.quote_price\`. \`no_of_users\` 1 is the customer alone; each beneficiary name adds one. Frequencies: monthly, quarterly, annually; a renewal keeps that of the purchase.
- A renewal adds 1 to \`subscriptions_no\`. One without a response may be carried out late: wait as long again as your timeout, and send it again only if \`subscriptions_no\` has not moved.`.trim();

export const microHealth: FamilyScenarios = {
  family: FAMILY,
  notes: NOTES,
  scenarios: microHealthScenarios,
  endOf,
  learn,
  pricesFrom,
};
