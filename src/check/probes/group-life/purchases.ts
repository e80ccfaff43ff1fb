import type { AssumptionId } from '../../../core/assumptions.ts';
import { MINUTE_MS, midnight } from '../../../core/time.ts';
import { initiatePolicy } from '../../../products/group-life/routes/initiate-policy.ts';
import { verifyPolicy } from '../../../products/group-life/routes/verify-policy.ts';
import {
  type Assertion,
  equals,
  type Json,
  matches,
  monthsLater,
  repeatsFields,
} from '../../assertions.ts';
import { dataSchema, echoIn } from '../../contract.ts';
import type { Memory, Probe, Purchase } from '../../probe.ts';
import {
  ADDRESS,
  emailOf,
  FIRST_NAME,
  foreignFamilyToken,
  initiates,
  madeNow,
  observeTrim,
  PHONE,
  padded,
  parsedPurchase,
  refusedVerifies,
  SECOND_PHONE,
  SURNAME,
  sendToken,
  sentIn,
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

const member = (n: number) => ({
  full_name: `Member ${n} ${SURNAME}`,
  gender: n % 2 === 0 ? 'male' : 'female',
  occupation: 'tester',
  date_of_birth: `198${n}-02-28`,
  next_of_kiln: `Kin ${n} ${SURNAME}`,
  phone_number: PHONE,
});

/** A purchase that is accepted, unless the changes spoil it. */
const inputOf = (memory: Memory, changes: Input): Input => ({
  email: emailOf(memory),
  first_name: FIRST_NAME,
  surname: SURNAME,
  phone_no: PHONE,
  gender: 'female',
  dob: '1985-07-01',
  product_id: 2,
  group_name: `${SURNAME} group`,
  group_type: 'test',
  group_contact_address: ADDRESS,
  first_person_name: `First ${SURNAME}`,
  first_person_phone: PHONE,
  second_person_name: `Second ${SURNAME}`,
  members: [member(1), member(2)],
  ...changes,
});

const purchaseOf = (saveAs: string, changes: Input): Purchase => ({
  initiate: initiatePolicy,
  verify: verifyPolicy,
  request: (memory) => ({ input: inputOf(memory, changes) }),
  saveAs,
});

const { next_of_kiln: next_of_kin, ...person } = member(1);

/** Members as an array, and nothing optional. */
export const PLAIN = purchaseOf('group_plain', {
  product_id: '2',
  status: 'pending',
  sandbox_check: true,
});
const GROUP_TYPE = padded('test');

/** Members as a text, and every optional field. */
export const FULL = purchaseOf('group_full', {
  members: JSON.stringify([{ ...person, next_of_kin }, member(2)]),
  second_person_phone: SECOND_PHONE,
  group_type: GROUP_TYPE,
  start_date: '2028-02-29',
});

const LATE: Purchase = { ...PLAIN, saveAs: 'group_late' };

/** What the fields of a policy rest on, where the contract does not say what they hold. */
const BASIS: Readonly<Record<string, readonly AssumptionId[]>> = {
  start_date: ['group-life-initiate-body', 'group-life-dates'],
  end_date: ['group-life-dates'],
  group_life_members: ['group-life-members'],
  group_type: ['text-trim'],
  group_contact_address: ['encoding'],
};

/** What a user has that no request sets. */
const UNSET = [
  'middle_name',
  'address',
  'next_of_kin_full_name',
  'principal_policy_no',
  'company_id',
];

/** What verify answers of the policy that was asked for, whoever did. */
export function policyAssertions(
  data: Json,
  sent: Json,
  memory: Pick<Memory, 'between'>,
): Assertion[] {
  const { created_at } = data;
  const recorded = { created_at, updated_at: created_at };
  const start = midnight(sent.start_date ?? String(created_at).slice(0, 10));
  const policy = echoIn(dataSchema(verifyPolicy), {
    second_person_phone: null,
    ...sent,
    status: true,
    deleted_at: null,
    start_date: start,
    end_date: monthsLater(start, 12),
    user_id: data.user?.id,
    user: {
      ...sent,
      date_of_birth: sent.dob,
      merchant_user_id: data.merchant_id,
      ...recorded,
    },
    product: { id: sent.product_id },
    group_life_members: sent.members.map((person: Json) => ({
      ...person,
      policy_id: data.id,
      policy_type: 'group-life',
      deleted_at: null,
      ...recorded,
    })),
  });
  return [
    ...repeatsFields('', policy, BASIS),
    matches('user.policy_no', /^\d{10}$/, '10 digits', 'group-life-user'),
    equals('user.user_type', 'principal', 'subscriber-defaults'),
    equals('user.verify_phone', 0, 'subscriber-defaults'),
    equals('user.verify_email', 0, 'subscriber-defaults'),
    ...UNSET.map((field) => equals(`user.${field}`, null, 'subscriber-defaults')),
    matches('policy_number', /^IN\d{8}$/, 'IN and 8 digits', 'group-life-policy-number'),
    ...madeNow(data, memory, ['group-life-dates']),
  ];
}

/** The token of initiate. */
export const TOKEN = matches('token', /^GLP\d{18}$/, 'GLP and 18 digits', 'token-format');

const initiatesGroup = (
  name: string,
  purchase: Purchase,
  ...assumptions: readonly AssumptionId[]
): Probe =>
  initiates(name, purchase, {
    assumptions: ['group-life-initiate-body', 'group-life-members', ...assumptions],
    assertions: () => [TOKEN],
  });

const verified = (purchase: Purchase): Pick<Probe, 'assumptions' | 'assertions' | 'observe'> => ({
  assumptions: ['group-life-verify-body'],
  observe: (data, memory) => observeTrim(sentIn(memory, purchase, 'group_type'), data.group_type),
  assertions: (data, memory) => policyAssertions(data, parsedPurchase(memory, purchase), memory),
});

const refuses = refusingInput(initiatePolicy, (mistake, memory) => ({
  input: inputOf(memory, mistake),
}));

/** Purchases of group-life policies: those that are refused, and those that are completed. */
export const groupLifePurchases: readonly Probe[] = [
  requiresAll(initiatePolicy, 'asks for every field that is required'),
  refuses('refuses a phone number of ten digits', { phone_no: '0803000000' }),
  refuses('refuses a birth to come', { dob: '2999-01-01' }),
  ...refusedForms(refuses, { name: 'group_name', birth: 'dob' }),
  refuses('refuses another gender than female or male', { gender: 'f' }),
  refusesForeignProduct(refuses, initiatePolicy),
  refuses('refuses a group without members', { members: [] }),
  {
    ...refuses('names the place of a problem with a member', {
      members: [member(1), { ...member(2), gender: undefined, phone_number: '1' }],
    }),
    fields: ['members.1.gender', 'members.1.phone_number'],
  },
  initiatesGroup(
    'initiates a policy, its members as an array',
    PLAIN,
    'product-id-type',
    'unknown-fields',
  ),
  verifies('verifies a policy, from today', PLAIN, verified(PLAIN)),
  initiatesGroup('initiates a policy, its members as a text', FULL),
  verifiesTwice('makes one policy of two verifies at once', FULL, verified(FULL)),
  ...refusedVerifies(PLAIN),
  foreignFamilyToken(PLAIN),
];

/** A purchase over midnight, by a merchant whose clock stands where the check put it. */
export const overMidnight: readonly Probe[] = [
  {
    ...initiates('initiates a policy in the last minute of a day', LATE, {}),
    needs: 'merchant',
    atDayEnd: true,
  },
  {
    name: 'begins the cover on the day of verify',
    operation: verifyPolicy,
    needs: 'merchant',
    advanceBy: 2 * MINUTE_MS,
    request: sendToken(LATE),
    assertions: ({ created_at }) => [
      equals(
        'start_date',
        midnight(String(created_at).slice(0, 10)),
        'group-life-initiate-body',
        'group-life-dates',
      ),
    ],
  },
];
