import type { AssumptionId } from '../../../core/assumptions.ts';
import type { Settings } from '../../../core/settings.ts';
import { type Json, type Memory, meets, type Probe, repeats } from '../../probe.ts';
import { foreignList, foreignPolicy } from '../foreign.ts';

const list = 'listMotorPolicies';
const details = 'getMotorPolicyDetails';
const NO_POLICY = 'INS0000000000000';

/** A policy as details answers it, made of what verify said. */
function detailed(verified: Json): Json {
  const {
    id: _id,
    user_id: _user,
    status: _status,
    created_at: _c,
    updated_at: _u,
    merchant_id,
    ...policy
  } = verified;
  const day = (written: Json) => String(written).slice(0, 10);
  return {
    ...policy,
    merchant_user_id: merchant_id,
    start_date: day(policy.start_date),
    end_date: day(policy.end_date),
  };
}

const LISTED = [
  'slug',
  'frequency_type',
  'duration',
  'vehicle_type',
  'start_date',
  'end_date',
  'vehicle_value',
  'insurance_cover',
  'policy_number',
];

const listed = (verified: Json): Json => {
  const policy = detailed(verified);
  return {
    ...Object.fromEntries(LISTED.map((field) => [field, policy[field]])),
    status: 'activated',
  };
};

const BOUGHT = ['motor_yearly', 'motor_monthly', 'motor_quarterly'];

const placesOf = (data: Json, memory: Memory): number[] =>
  BOUGHT.map((name) =>
    Array.isArray(data)
      ? data.findIndex((item) => item?.policy_number === memory[name].policy_number)
      : -1,
  );

const lists = ({ listOrder }: Settings): readonly Probe[] => [
  {
    name: 'lists policies',
    operation: list,
    call: () => ({}),
    keep: 'motor_all',
    claims: () => [meets('', 'an array', Array.isArray, 'motor-list')],
  },
  {
    name: 'lists what was bought, in its order',
    operation: list,
    call: (memory) => (BOUGHT.every((name) => memory[name]) ? {} : 'nothing was bought'),
    observe: (data, memory) => {
      const [first, , last] = placesOf(data, memory) as [number, number, number];
      if (first === last) return [];
      return [
        {
          decision: 'list-order',
          key: 'order',
          value: first < last ? 'oldest-first' : 'newest-first',
        },
      ];
    },
    claims: (data, memory) => {
      const places = placesOf(data, memory);
      const ordered = listOrder === 'oldest-first' ? places : places.toReversed();
      return [
        ...places.flatMap((place, n) => {
          const verified = memory[BOUGHT[n] as string];
          if (place !== -1) return repeats(String(place), listed(verified), 'motor-list');
          return [meets('', `${verified.policy_number} among them`, () => false)];
        }),
        meets(
          '',
          listOrder,
          () => ordered.every((place, n) => n === 0 || place > (ordered[n - 1] as number)),
          'list-order',
        ),
      ];
    },
  },
  {
    name: 'answers the details of a listed policy',
    operation: details,
    call: ({ motor_all }) => {
      const number = motor_all?.[0]?.policy_number;
      return number === undefined ? 'there is no policy' : { input: { Policy_number: number } };
    },
    claims: (_data, { motor_all }) => {
      const { status: _status, ...shown } = motor_all[0];
      return repeats('', shown);
    },
  },
];

const detailsOf = (
  name: string,
  input: (number: string) => Json,
  ...decisions: AssumptionId[]
): Probe => ({
  name,
  operation: details,
  call: ({ motor_yearly }) => ({ input: input(motor_yearly.policy_number) }),
  decisions,
  claims: (_data, { motor_yearly }) => repeats('', detailed(motor_yearly), 'motor-policy-number'),
});

const FIELD = 'motor-details-field';

const lookUps: readonly Probe[] = [
  detailsOf('answers a policy by Policy_number', (number) => ({ Policy_number: number }), FIELD),
  detailsOf('answers a policy by policyNumber', (number) => ({ policyNumber: number }), FIELD),
  detailsOf('answers a policy by policy_number', (number) => ({ policy_number: number }), FIELD),
  detailsOf(
    'takes the first of the spellings',
    (number) => ({ policyNumber: NO_POLICY, Policy_number: number }),
    FIELD,
  ),
  {
    name: 'asks for a policy number',
    operation: details,
    call: () => ({ input: {} }),
    refused: 'invalid',
    fields: ['Policy_number'],
    decisions: [FIELD],
  },
  {
    name: 'does not find a policy that nobody has',
    operation: details,
    call: () => ({ input: { Policy_number: NO_POLICY } }),
    refused: 'policy_unknown',
    decisions: ['http-status'],
  },
];

/** The list, look-ups by policy number, and both by another merchant. */
export const motorReads = (settings: Settings): readonly Probe[] => [
  ...lists(settings),
  ...lookUps,
  foreignPolicy(details, ({ motor_yearly }) => ({
    input: { Policy_number: motor_yearly.policy_number },
  })),
  foreignList(list, 'length'),
];
