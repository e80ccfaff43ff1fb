import type { AssumptionId } from '../../../core/assumptions.ts';
import { dayMonthsLater, midnightOf, ofNow } from '../../dates.ts';
import { type Claim, is, type Json, like, type Memory, type Probe, repeats } from '../../probe.ts';
import { foreignFamilyToken, verifications } from '../tokens.ts';
import { motorEcho, motorPurchase, nextMonthEnd } from './customer.ts';

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

/** Purchases of motor policies. */
export const motorPurchases: readonly Probe[] = [
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
  foreignFamilyToken(verify, ({ monthly_token }) => monthly_token),
];
