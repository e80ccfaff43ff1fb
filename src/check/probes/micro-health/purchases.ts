import type { AssumptionId } from '../../../core/assumptions.ts';
import type { Settings } from '../../../core/settings.ts';
import { asDateTime, midnightOf, monthsLater, ofNow } from '../../dates.ts';
import { type Claim, is, type Json, like, type Memory, meets, type Probe } from '../../probe.ts';
import { type Input, refusing } from '../refusal.ts';
import { verifications } from '../tokens.ts';
import { microHealthPurchase } from './customer.ts';

const operation = 'initiateMicroHealthSubscription';

/** A plan that the check buys: what initiate is sent, and what it makes. */
interface Plan {
  readonly quote: string;
  readonly product: number;
  readonly months: number;
  readonly type: string;
  readonly sent: Record<string, unknown>;
}

export const PLANS = {
  // A gap before the name, and a frequency with months that clamp.
  monthly: {
    quote: 'quote_2',
    product: 1,
    months: 1,
    type: 'monthly',
    sent: {
      product_id: 1,
      subscription_type: 'monthly',
      second_beneficiary_full_name: 'Second Sandbox Check',
    },
  },
  annually: {
    quote: 'quote_annually',
    product: 3,
    months: 12,
    type: 'annually',
    sent: {
      product_id: '3',
      subscription_type: 'yearly',
      first_beneficiary_full_name: 'First Sandbox Check',
      second_beneficiary_full_name: 'Second Sandbox Check',
      third_beneficiary_full_name: 'Third Sandbox Check',
    },
  },
  quarterly: {
    quote: 'quote_quarterly',
    product: 1,
    months: 3,
    type: 'quarterly',
    sent: {
      product_id: 1,
      subscription_type: 'quarterly',
      first_beneficiary_full_name: '',
      second_beneficiary_full_name: ' ',
      sandbox_check: true,
    },
  },
} as const satisfies Record<string, Plan>;

type PlanName = keyof typeof PLANS;

/** The request of a purchase at the price the server quoted. */
export function purchase(memory: Memory, name: PlanName, changes: Record<string, unknown> = {}) {
  const { quote, sent } = PLANS[name];
  const amount = memory[quote]?.quote_price;
  if (amount === undefined) return 'the plan has no quoted price';
  return { input: microHealthPurchase(memory, { amount, ...sent, ...changes }) };
}

const initiates = (plan: PlanName, keep: string, ...decisions: readonly AssumptionId[]): Probe => ({
  name: `initiates a ${plan} subscription at the quoted price`,
  operation,
  call: (memory) => purchase(memory, plan),
  decisions: ['users-count', ...decisions],
  keep,
  claims: () => [like('token', /^[0-9a-f]{40}$/, '40 lower-case hex digits', 'token-format')],
});

const verifies = (plan: PlanName, keep: string): Probe => ({
  name: `verifies a ${plan} subscription`,
  operation: 'verifyMicroHealthSubscription',
  timed: true,
  call: (memory) => ({ input: { token: memory[`${keep}_token`].token } }),
  keep,
  claims: (data, memory) => subscriptionClaims(data, memory, PLANS[plan]),
});

/** A new subscription, as verify answers it. */
export function subscriptionClaims(data: Json, memory: Memory, plan: Plan): Claim[] {
  const { created_at: made } = data;
  return [
    is('product_id', plan.product, 'product-id-type'),
    is('product.id', plan.product),
    is('product.max_beneficiaries', 3, 'price-config'),
    is('recurring', plan.months < 12, 'recurring'),
    is('subscriptions_type', plan.type, 'frequency-words'),
    is('subscriptions_no', 1, 'subscriptions-no'),
    is('enable', 1),
    like('policy_no', /^\d{10}$/, '10 digits', 'policy-no'),
    like('created_at', /\.000000Z$/, 'a whole second', 'timestamp-precision'),
    ...ofNow('created_at', memory.between, 'subscription-dates'),
    is('updated_at', made, 'subscription-dates'),
    is('start_date', made, 'subscription-dates'),
    is('active_date', asDateTime(made), 'subscription-dates'),
    is('end_date', monthsLater(made, plan.months), 'subscription-dates'),
  ];
}

const refused = refusing(operation, (changes: Input, memory) =>
  purchase(memory, 'monthly', changes),
);

const REQUIRED = [
  'first_name',
  'surname',
  'email',
  'phone_no',
  'date_of_birth',
  'product_id',
  'subscription_type',
  'amount',
  'nin_number',
  'id_url',
];

const refusals: readonly Probe[] = [
  {
    name: 'asks for every field that is required',
    operation,
    call: () => ({ input: {} }),
    refused: 'invalid',
    fields: REQUIRED,
    decisions: ['micro-health-required'],
  },
  refused(
    'refuses a phone number of ten digits',
    { phone_no: '0803000000' },
    ['phone_no'],
    'phone-digits',
  ),
  refused(
    'refuses a phone number that is a number',
    { phone_no: 8_030_000_000 },
    ['phone_no'],
    'text-and-numbers',
  ),
  refused(
    'refuses an identity number of ten digits',
    { nin_number: 1_000_000_001 },
    ['nin_number'],
    'nin-number',
  ),
  refused(
    'refuses a day the calendar lacks',
    { date_of_birth: '1990-02-30' },
    ['date_of_birth'],
    'text-and-numbers',
  ),
  refused(
    'refuses a birth to come',
    { date_of_birth: '2999-01-01' },
    ['date_of_birth'],
    'text-and-numbers',
  ),
  refused('refuses an e-mail address that is none', { email: 'sandbox-check' }, ['email']),
  refused(
    'refuses an id_url that is no address',
    { id_url: 'id.png' },
    ['id_url'],
    'text-and-numbers',
  ),
  refused(
    'refuses a product of another family',
    { product_id: 4 },
    ['product_id'],
    'motor-product',
    'catalogue',
  ),
];

function wrongAmount({ amountCheck }: Settings): Probe {
  const sent: Pick<Probe, 'operation' | 'call' | 'decisions'> = {
    operation,
    call: (memory) => {
      const price = memory.quote_2?.quote_price;
      return purchase(memory, 'monthly', { amount: price + 1 });
    },
    decisions: ['amount-check'],
  };
  if (amountCheck === 'ignore') return { name: 'accepts another amount than the price', ...sent };
  return {
    name: 'refuses another amount than the price',
    ...sent,
    refused: 'invalid',
    fields: ['amount'],
  };
}

/** Purchases that are completed, and what initiate and verify refuse. */
export const microHealthPurchases = (settings: Settings): readonly Probe[] => [
  ...refusals,
  wrongAmount(settings),
  initiates('monthly', 'monthly_token', 'nin-number', 'phone-digits'),
  verifies('monthly', 'monthly'),
  initiates('annually', 'annually_token', 'frequency-words', 'product-id-type'),
  verifies('annually', 'annually'),
  initiates('quarterly', 'quarterly_token', 'text-and-numbers', 'unknown-fields'),
  verifies('quarterly', 'quarterly'),
  initiates('monthly', 'again_token'),
  {
    ...verifies('monthly', 'again'),
    name: 'makes one subscription of two verifies at once, and a subscriber of its own',
    twice: 'token_used',
    decisions: ['token-used'],
    claims: (data, memory) => [
      ...subscriptionClaims(data, memory, PLANS.monthly),
      ...['user_id', 'policy_no', 'id'].map((field) =>
        meets(
          field,
          `another than ${memory.monthly?.[field]}`,
          (seen) => seen !== memory.monthly?.[field],
          'subscriber-per-purchase',
        ),
      ),
      is('product.name', memory.monthly?.product?.name),
    ],
  },
  ...verifications('verifyMicroHealthSubscription', 'monthly_token', 'a'.repeat(40)),
];

export const bornOf = (memory: Memory): string =>
  midnightOf(microHealthPurchase(memory, {}).date_of_birth as string);
