import type { AssumptionId } from '../../../core/assumptions.ts';
import { midnightOf, monthsLater, ofNow } from '../../dates.ts';
import { type Claim, is, type Json, like, type Memory, type Probe, repeats } from '../../probe.ts';
import { type Input, refusing } from '../refusal.ts';
import { foreignFamilyToken, verifications } from '../tokens.ts';
import { groupLifePurchase, member } from './customer.ts';

const initiate = 'initiateGroupLifePolicy';
const verify = 'verifyGroupLifePolicy';
const PHONE = '08030000001';

const START = '2028-02-29';

/** What the check buys: members as an array and as a text, with every optional field and with none. */
const PURCHASES = {
  plain: (memory: Memory) =>
    groupLifePurchase(memory, { product_id: '2', status: 'pending', sandbox_check: true }),
  full: (memory: Memory) => {
    const { next_of_kiln, ...person } = member(1);
    return groupLifePurchase(memory, {
      members: JSON.stringify([{ ...person, next_of_kin: next_of_kiln }, member(2)]),
      second_person_phone: PHONE,
      start_date: START,
    });
  },
} as const;

export type PurchaseName = keyof typeof PURCHASES;

const COPIED = [
  'group_name',
  'group_type',
  'group_contact_address',
  'first_person_name',
  'first_person_phone',
  'second_person_name',
];

function policyClaims(data: Json, memory: Memory, name: PurchaseName): Claim[] {
  const sent = PURCHASES[name](memory) as Json;
  const { created_at: made } = data;
  const recorded = { created_at: made, updated_at: made };
  const start = name === 'full' ? midnightOf(START) : midnightOf(String(made).slice(0, 10));
  return [
    ...repeats('', Object.fromEntries(COPIED.map((field) => [field, sent[field]]))),
    ...repeats('', {
      product_id: 2,
      second_person_phone: sent.second_person_phone ?? null,
      status: true,
      deleted_at: null,
    }),
    like('policy_number', /^IN\d{8}$/, 'IN and 8 digits', 'group-life-policy-number'),
    like('created_at', /\.000000Z$/, 'a whole second', 'timestamp-precision'),
    ...ofNow('created_at', memory.between, 'group-life-dates'),
    is('updated_at', made, 'group-life-dates'),
    is('start_date', start, 'group-life-dates'),
    is('end_date', monthsLater(start, 12), 'group-life-dates'),
    is('user_id', data.user?.id),
    ...repeats('user', {
      first_name: sent.first_name,
      middle_name: null,
      surname: sent.surname,
      phone_no: sent.phone_no,
      email: sent.email,
      gender: sent.gender,
      date_of_birth: midnightOf(sent.dob),
      merchant_user_id: data.merchant_id,
      ...recorded,
    }),
    is('user.policy_no', null, 'group-life-items'),
    is('product.id', 2),
    is('group_life_members.length', 2, 'group-life-members'),
    ...[1, 2].flatMap((n) => {
      const { date_of_birth, ...person } = member(n);
      return repeats(
        `group_life_members.${n - 1}`,
        {
          ...person,
          date_of_birth: midnightOf(date_of_birth as string),
          policy_id: data.id,
          policy_type: 'group-life',
          deleted_at: null,
          ...recorded,
        },
        'group-life-members',
      );
    }),
  ];
}

export const initiatesGroupLife = (
  name: PurchaseName,
  ...decisions: readonly AssumptionId[]
): Probe => ({
  name: `initiates a policy, ${name === 'full' ? 'its members as a text' : 'its members as an array'}`,
  operation: initiate,
  call: (memory) => ({ input: PURCHASES[name](memory) }),
  decisions: ['group-life-initiate-body', 'group-life-members', ...decisions],
  keep: `group_${name}_token`,
  claims: () => [like('token', /^GLP\d{18}$/, 'GLP and 18 digits', 'token-format')],
});

const verifies = (name: PurchaseName): Probe => ({
  name: `verifies a policy, ${name === 'full' ? 'from the day asked for' : 'from today'}`,
  operation: verify,
  timed: true,
  call: (memory) => ({ input: { token: memory[`group_${name}_token`].token } }),
  decisions: ['group-life-verify-body'],
  keep: `group_${name}`,
  claims: (data, memory) => policyClaims(data, memory, name),
});

const refused = refusing(initiate, (changes: Input, memory) => ({
  input: groupLifePurchase(memory, changes),
}));

const REQUIRED = [
  'email',
  'first_name',
  'surname',
  'phone_no',
  'gender',
  'dob',
  'product_id',
  ...COPIED,
  'members',
];

/** Purchases of group-life policies. */
export const groupLifePurchases: readonly Probe[] = [
  {
    name: 'asks for every field that is required',
    operation: initiate,
    call: () => ({ input: {} }),
    refused: 'invalid',
    fields: REQUIRED,
    decisions: ['group-life-initiate-body'],
  },
  refused(
    'refuses a phone number of ten digits',
    { phone_no: '0803000000' },
    ['phone_no'],
    'phone-digits',
  ),
  refused('refuses a birth to come', { dob: '2999-01-01' }, ['dob'], 'text-and-numbers'),
  refused(
    'refuses another gender than female or male',
    { gender: 'f' },
    ['gender'],
    'text-and-numbers',
  ),
  refused(
    'refuses a product of another family',
    { product_id: 1 },
    ['product_id'],
    'motor-product',
    'catalogue',
  ),
  refused('refuses a group without members', { members: [] }, ['members'], 'group-life-members'),
  refused(
    'names the place of a problem with a member',
    { members: [member(1), { ...member(2), gender: undefined, phone_number: '1' }] },
    ['members.1.gender', 'members.1.phone_number'],
    'group-life-members',
  ),
  initiatesGroupLife('plain', 'product-id-type', 'unknown-fields'),
  verifies('plain'),
  initiatesGroupLife('full'),
  {
    ...verifies('full'),
    name: 'makes one policy of two verifies at once',
    twice: 'token_used',
    decisions: ['token-used'],
  },
  ...verifications(verify, 'group_plain_token', 'GLP000000000000000000'),
  foreignFamilyToken(verify, ({ motor_yearly_token }) => motor_yearly_token),
];
