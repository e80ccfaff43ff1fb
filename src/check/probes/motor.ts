import type { AssumptionId } from '../../core/assumptions.ts';
import { motorEcho, motorPurchase, nextMonthEnd } from '../customer.ts';
import { dayMonthsLater, midnightOf, ofNow } from '../dates.ts';
import { type Claim, is, type Json, like, type Memory, type Probe, repeats } from '../probe.ts';
import { verifications } from './tokens.ts';

const initiate = 'initiateMotorPolicy';
const verify = 'verifyMotorPolicy';

/** A cover that the check buys: what is sent, and what becomes of it. */
interface Cover {
  readonly sent: Record<string, unknown>;
  readonly months: number;
  readonly answered: Record<string, unknown>;
}

const COVERS = {
  yearly: {
    sent: { frequency_type: 'annually', gender: 'FEMALE', duration: '2', sandbox_check: true },
    months: 24,
    answered: {
      frequency_type: 'yearly',
      duration: '2',
      vehicle_make: 'Toyota',
      vehicle_value: 3_500_000,
    },
  },
  // 31 January and one month: a day that February lacks.
  monthly: {
    sent: {
      frequency_type: 'monthly',
      vehicle_make: 207,
      sum_insured: '1000000',
      address: 'ignored',
      id_type: 'ignored',
    },
    months: 1,
    answered: {
      frequency_type: 'monthly',
      duration: 1,
      vehicle_make: '207',
      vehicle_value: 1_000_000,
    },
  },
  quarterly: {
    sent: { frequency_type: 'quarterly', product_id: 4 },
    months: 3,
    answered: {
      frequency_type: 'quarterly',
      duration: 1,
      vehicle_make: 'Toyota',
      vehicle_value: 3_500_000,
    },
  },
} as const satisfies Record<string, Cover>;

type CoverName = keyof typeof COVERS;

/** What a policy says, in all places that answer one. */
function policyClaims(
  data: Json,
  memory: Memory,
  { answered, months }: Cover,
  day: (written: string) => string,
): Claim[] {
  const start = nextMonthEnd(memory.today);
  const { frequency_type, duration, vehicle_make, vehicle_value } = answered;
  return [
    ...repeats('', motorEcho(memory)),
    is('vehicle_model', 'Corolla', 'motor-make-model'),
    is('vehicle_make', vehicle_make, 'motor-make-model'),
    is('vehicle_value', vehicle_value, 'motor-vehicle-value'),
    is('frequency_type', frequency_type, 'motor-frequency'),
    is('duration', duration, 'motor-duration'),
    is('product_id', 4, 'product-id-type', 'motor-product'),
    is('start_date', day(start), 'motor-dates'),
    is('end_date', day(dayMonthsLater(start, months)), 'motor-dates'),
    like('policy_number', /^INS\d{13}$/, 'INS and 13 digits', 'motor-policy-number'),
    is('slug', `comprehensive-motor-${String(data.policy_number).toLowerCase()}`, 'motor-slug'),
  ];
}

const asSent = (written: string): string => written;

export const initiatesMotor = (cover: CoverName, ...decisions: readonly AssumptionId[]): Probe => ({
  name: `initiates a ${cover} policy`,
  operation: initiate,
  call: (memory) => ({ input: motorPurchase(memory, COVERS[cover].sent) }),
  decisions,
  keep: `motor_${cover}_token`,
  claims: (data, memory) => [
    ...policyClaims(data, memory, COVERS[cover], asSent),
    like('token', /^CMP\d{18}$/, 'CMP and 18 digits', 'motor-initiate-token', 'token-format'),
  ],
});

const verifies = (cover: CoverName): Probe => ({
  name: `verifies a ${cover} policy`,
  operation: verify,
  timed: true,
  call: (memory) => ({ input: { token: memory[`motor_${cover}_token`].token } }),
  keep: `motor_${cover}`,
  claims: (data, memory) => {
    const initiated = memory[`motor_${cover}_token`];
    return [
      ...policyClaims(data, memory, COVERS[cover], midnightOf),
      is('policy_number', initiated.policy_number, 'motor-policy-number'),
      is('merchant_id', initiated.merchant_user_id),
      is('status', true),
      like('created_at', /\.000000Z$/, 'a whole second', 'timestamp-precision'),
      ...ofNow('created_at', memory.between, 'motor-dates'),
      is('updated_at', data.created_at),
    ];
  },
});

const refused = (
  name: string,
  changes: Record<string, unknown>,
  fields: readonly string[],
  ...decisions: readonly AssumptionId[]
): Probe => ({
  name,
  operation: initiate,
  call: (memory) => ({ input: motorPurchase(memory, changes) }),
  refused: 'invalid',
  fields,
  decisions,
});

const REQUIRED = [
  'first_name',
  'last_name',
  'phone_number',
  'email',
  'gender',
  'product_id',
  'speedometer_img',
  'engine_img',
  'interior_img',
  'front_view_img',
  'rear_view_img',
  'left_side_view_img',
  'right_side_view_img',
  'vehicle_license_img',
  'proof_of_ownership_img',
  'frequency_type',
  'sum_insured',
  'insurance_cover',
  'tracker_value',
  'diagnostic_cost',
  'duration',
  'vehicle_type',
  'start_date',
  'registration_no',
  'vehicle_make',
  'vehicle_model',
  'year_make',
  'vehicle_color',
  'engine_no',
  'chasis_no',
  'contact_person_name',
  'contact_person_address',
  'contact_person_phone_no',
  'inspection_date',
];

const refusals: readonly Probe[] = [
  {
    name: 'asks for every field, in the order of the contract',
    operation: initiate,
    call: () => ({ input: {} }),
    refused: 'invalid',
    fields: REQUIRED,
    decisions: ['validation-messages'],
  },
  refused(
    'refuses a phone number of ten digits',
    { phone_number: '0803000000' },
    ['phone_number'],
    'phone-digits',
  ),
  refused(
    'refuses a contact with a phone number of ten digits',
    { contact_person_phone_no: '0803000000' },
    ['contact_person_phone_no'],
    'phone-digits',
  ),
  refused(
    'refuses another gender than female or male',
    { gender: 'f' },
    ['gender'],
    'text-and-numbers',
  ),
  refused(
    'refuses an image that is no address',
    { engine_img: 'engine.png' },
    ['engine_img'],
    'motor-images',
  ),
  refused(
    'refuses another frequency',
    { frequency_type: 'weekly' },
    ['frequency_type'],
    'motor-frequency',
  ),
  refused('refuses no duration', { duration: 0 }, ['duration'], 'motor-duration'),
  refused('refuses a sum of nothing', { sum_insured: 0 }, ['sum_insured'], 'text-and-numbers'),
  refused(
    'refuses a day the calendar lacks',
    { start_date: '2027-02-30' },
    ['start_date'],
    'text-and-numbers',
  ),
  refused('refuses a year of two digits', { year_make: '18' }, ['year_make']),
  refused(
    'refuses a product of another family',
    { product_id: 1 },
    ['product_id'],
    'motor-product',
    'catalogue',
  ),
];

/** Purchases of motor policies. */
export const motorPurchases: readonly Probe[] = [
  ...refusals,
  initiatesMotor('yearly', 'motor-gender', 'unknown-fields', 'motor-frequency', 'motor-duration'),
  {
    name: 'does not know a policy before it is verified',
    operation: 'getMotorPolicyDetails',
    call: (memory) => ({ input: { Policy_number: memory.motor_yearly_token.policy_number } }),
    refused: 'policy_unknown',
    decisions: ['motor-policy-number'],
  },
  verifies('yearly'),
  initiatesMotor('monthly', 'motor-make-model', 'motor-sample-fields', 'text-and-numbers'),
  verifies('monthly'),
  initiatesMotor('quarterly', 'product-id-type'),
  {
    ...verifies('quarterly'),
    name: 'makes one policy of two verifies at once',
    twice: 'token_used',
    decisions: ['token-used'],
  },
  ...verifications(verify, 'motor_yearly_token', 'CMP000000000000000000'),
  {
    name: "refuses another family's token",
    operation: verify,
    call: (memory) =>
      memory.monthly_token
        ? { input: { token: memory.monthly_token.token } }
        : 'no other family was asked',
    refused: 'token_unknown',
    decisions: ['token-unknown'],
  },
];
