import type { AssumptionId } from '../../../core/assumptions.ts';
import type { Settings } from '../../../core/settings.ts';
import { initiate } from '../../../products/micro-health/routes/initiate.ts';
import { verify } from '../../../products/micro-health/routes/verify.ts';
import type { MicroHealthSettings } from '../../../products/micro-health/settings.ts';
import {
  type Assertion,
  asDateTime,
  equals,
  type Json,
  matches,
  monthsLater,
  satisfies,
} from '../../assertions.ts';
import type { Memory, Probe, ProbeRequest, Purchase } from '../../probe.ts';
import {
  emailOf,
  FILE,
  FIRST_NAME,
  IDENTITY_NUMBER,
  initiates,
  madeNow,
  PHONE,
  padded,
  parsedPurchase,
  refusedVerifies,
  SURNAME,
  verifies,
  verifiesTwice,
} from '../purchases.ts';
import {
  type Input,
  refusedForms,
  refusesForeignProduct,
  refusingInput,
  requiresAll,
} from '../refusals.ts';
import { quoted, quotesAgain } from './quotes.ts';

/** The settings that the probes of micro-health depend on. */
export type ExpectedSettings = Settings & MicroHealthSettings;

/** A plan that the check buys. */
export interface Plan extends Purchase {
  /** The name in memory of the quote of its price. */
  readonly quote: string;
  /** How long a period is. */
  readonly months: number;
}

const planOf = (saveAs: string, months: number, quote: string, changes: Input): Plan => ({
  initiate,
  verify,
  request: (memory) => purchaseAt(quote, memory, changes),
  saveAs,
  quote,
  months,
});

/** A purchase at the price the server quoted, unless the changes spoil it. */
function purchaseAt(quote: string, memory: Memory, changes: Input): ProbeRequest | string {
  const amount = quoted(memory, quote);
  if (amount === undefined) return 'the plan has no quoted price';
  return {
    input: {
      first_name: FIRST_NAME,
      surname: SURNAME,
      email: emailOf(memory),
      phone_no: PHONE,
      date_of_birth: '1990-04-12',
      nin_number: IDENTITY_NUMBER,
      id_url: `${FILE}/id.png`,
      profile_url: `${FILE}/me.png`,
      amount,
      ...changes,
    },
  };
}

const TWO_USERS = {
  product_id: 1,
  subscription_type: 'monthly',
  // A gap before the name.
  second_beneficiary_full_name: `Second ${SURNAME}`,
};
export const MONTHLY = planOf('monthly', 1, 'quote_2', TWO_USERS);
const AGAIN: Plan = { ...MONTHLY, saveAs: 'monthly again' };
/** The first of the beneficiaries of the yearly plan. */
export const FIRST_BENEFICIARY = padded(`First ${SURNAME}`);
export const ANNUALLY = planOf('annually', 12, 'quote_annually', {
  product_id: '3',
  subscription_type: 'yearly',
  first_beneficiary_full_name: FIRST_BENEFICIARY,
  second_beneficiary_full_name: `Second ${SURNAME}`,
  third_beneficiary_full_name: `Third ${SURNAME}`,
});
export const QUARTERLY = planOf('quarterly', 3, 'quote_quarterly', {
  product_id: 1,
  subscription_type: 'quarterly',
  first_beneficiary_full_name: '',
  second_beneficiary_full_name: ' ',
  sandbox_check: true,
});

/** A new subscription, as verify answers it to what initiate read, whoever bought it. */
export function boughtAssertions(
  data: Json,
  { product_id, subscription_type }: Json,
  months: number,
  memory: Pick<Memory, 'between'>,
): Assertion[] {
  const { created_at: made } = data;
  return [
    equals('product_id', product_id, 'product-id-type'),
    equals('product.id', product_id),
    equals('recurring', months < 12, 'recurring'),
    equals('subscriptions_type', subscription_type, 'frequency-words'),
    equals('subscriptions_no', 1, 'subscriptions-no'),
    equals('enable', 1),
    matches('policy_no', /^\d{10}$/, '10 digits', 'policy-no'),
    ...madeNow(data, memory, ['subscription-dates']),
    equals('start_date', made, 'subscription-dates'),
    equals('active_date', asDateTime(made), 'subscription-dates', 'time-zone'),
    equals('end_date', monthsLater(made, months), 'subscription-dates'),
  ];
}

/** The same of what the check bought. */
export const subscriptionAssertions = (data: Json, memory: Memory, plan: Plan): Assertion[] => [
  ...boughtAssertions(data, parsedPurchase(memory, plan), plan.months, memory),
  equals('product.max_beneficiaries', 3, 'price-config'),
];

/** The token of initiate. */
export const TOKEN = matches('token', /^[0-9a-f]{40}$/, '40 lower-case hex digits', 'token-format');

const initiatesPlan = (
  frequency: string,
  plan: Plan,
  ...assumptions: readonly AssumptionId[]
): Probe =>
  initiates(`initiates a ${frequency} subscription at the quoted price`, plan, {
    assumptions: ['users-count', ...assumptions],
    assertions: () => [TOKEN],
  });

const verifiesPlan = (frequency: string, plan: Plan): Probe =>
  verifies(`verifies a ${frequency} subscription`, plan, {
    assertions: (data, memory) => subscriptionAssertions(data, memory, plan),
  });

/** A probe that sends another amount than the price: refused, or accepted where a profile says so. */
export const withWrongAmount = (
  probe: Pick<Probe, 'operation' | 'request'>,
  { amountCheck }: MicroHealthSettings,
): Probe => ({
  ...probe,
  name: `${amountCheck === 'ignore' ? 'accepts' : 'refuses'} another amount than the price`,
  assumptions: ['amount-check'],
  shows: { assumption: 'amount-check', ifRefused: 'exact', ifAccepted: 'ignore' },
  ...(amountCheck === 'exact' && { refused: 'invalid', fields: ['amount'] }),
});

/** Another amount than the quoted one, whose refusal names the right one; which the quote has to be. */
const holdsToQuote = (plan: Plan, settings: MicroHealthSettings): Probe[] => {
  const saveRefusalAs = `refused amount of ${plan.quote}`;
  const request: Probe['request'] = (memory) => {
    const sent = plan.request(memory);
    if (typeof sent === 'string') return sent;
    return { input: { ...sent.input, amount: Number(quoted(memory, plan.quote)) * 2 + 1 } };
  };
  return [
    { ...withWrongAmount({ operation: initiate, request }, settings), saveRefusalAs },
    quotesAgain(plan.quote, (memory) => onlyNumberIn(memory[saveRefusalAs]?.[0])),
  ];
};

/** The number in a text, if there is one and no other. */
function onlyNumberIn(text: unknown): number | undefined {
  const [number, another] = String(text).match(/\d+(\.\d+)?/g) ?? [];
  return number === undefined || another !== undefined ? undefined : Number(number);
}

const purchaseWith = (changes: Input, memory: Memory) =>
  purchaseAt(MONTHLY.quote, memory, { ...TWO_USERS, ...changes });
const refuses = refusingInput(initiate, purchaseWith);

/** Purchases of subscriptions: those that are refused, and those that are completed. */
export const microHealthPurchases = (settings: ExpectedSettings): readonly Probe[] => [
  requiresAll(initiate, 'asks for every field that is required'),
  refuses('refuses a phone number of ten digits', { phone_no: '0803000000' }),
  refuses(
    'refuses a phone number that is a number',
    { phone_no: 8_030_000_000 },
    'text-and-numbers',
  ),
  refuses('refuses an identity number of ten digits', { nin_number: 1_000_000_001 }),
  refuses('refuses a day the calendar lacks', { date_of_birth: '1990-02-30' }),
  refuses('refuses a birth to come', { date_of_birth: '2999-01-01' }),
  ...refusedForms(refuses, { name: 'first_name', birth: 'date_of_birth' }),
  refuses('refuses a third decimal place', { amount: 700.001 }, 'text-and-numbers'),
  refuses('refuses an id_url that is no address', { id_url: 'id.png' }),
  refusesForeignProduct(refuses, initiate),
  ...[MONTHLY, ANNUALLY, QUARTERLY].flatMap((plan) => holdsToQuote(plan, settings)),
  initiatesPlan('monthly', MONTHLY, 'nin-number', 'phone-digits'),
  verifiesPlan('monthly', MONTHLY),
  initiatesPlan('annually', ANNUALLY, 'frequency-words', 'product-id-type'),
  verifiesPlan('annually', ANNUALLY),
  initiatesPlan('quarterly', QUARTERLY, 'text-and-numbers', 'unknown-fields'),
  verifiesPlan('quarterly', QUARTERLY),
  initiatesPlan('monthly', AGAIN),
  verifiesTwice(
    'makes one subscription of two verifies at once, and a subscriber of its own',
    AGAIN,
    {
      assertions: (data, memory) => [
        ...subscriptionAssertions(data, memory, MONTHLY),
        ...['user_id', 'policy_no', 'id'].map((field) => {
          const before = memory.monthly?.[field];
          const holds = (seen: Json) => seen !== before;
          return satisfies(field, `another than ${before}`, holds, 'subscriber-per-purchase');
        }),
      ],
    },
  ),
  ...refusedVerifies(MONTHLY),
];
