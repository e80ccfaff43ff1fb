/* The scenarios of group life: purchases with their members, look-ups and the list. */

import { groupLife as family } from '../products/group-life/index.ts';
import {
  initiatePolicy,
  listPolicies,
  policyDetails,
  verifyPolicy,
} from '../products/group-life/routes.ts';
import { MAX_PAGE_SIZE } from '../world/limits.ts';
import { type LearntPrices, productsOf, type ServerCatalogue } from './catalogue.ts';
import { isAccepted } from './received.ts';
import { edgeScenario, formScenario } from './refusals.ts';
import {
  type CheckRun,
  call,
  type DatedRecord,
  type FamilyScenarios,
  type Input,
  type Learner,
  refusesProduct,
  type Scenario,
} from './scenario.ts';
import {
  ADDRESS,
  dayBefore,
  emailOf,
  type FamilyCalls,
  FIRST_NAME,
  foreignProduct,
  LONG_TEXT,
  later,
  listEnds,
  mixedEmailOf,
  namelessLookUps,
  OTHER_FIRST_NAME,
  OTHER_GROUP,
  OTHER_SURNAME,
  PHONE,
  pageSteps,
  SECOND_PHONE,
  SURNAME,
  sharedScenarios,
  stepsOf,
  WITH_NAMES,
} from './shared.ts';

const FAMILY = family.key;

const MEMBER = {
  full_name: `First ${SURNAME}`,
  gender: 'female',
  occupation: 'Tailor',
  date_of_birth: '1992-08-03',
  next_of_kiln: `Kin ${SURNAME}`,
  phone_number: PHONE,
};

const membersOf = (count: number) =>
  Array.from({ length: count }, (_, place) => ({
    ...MEMBER,
    full_name: `${MEMBER.full_name} ${place + 1}`,
  }));

const purchaseOf = (product_id: number, run: CheckRun): Input => ({
  email: emailOf(run),
  first_name: FIRST_NAME,
  surname: SURNAME,
  phone_no: PHONE,
  gender: 'female',
  dob: '1990-04-12',
  product_id,
  group_name: SURNAME,
  group_type: 'Trade association',
  group_contact_address: 'Sandbox Check, no street',
  first_person_name: `First ${SURNAME}`,
  first_person_phone: PHONE,
  second_person_name: `Second ${SURNAME}`,
  members: [MEMBER],
});

/** From a purchase to the look-up of a policy. */
function groupLifeScenarios(catalogue: ServerCatalogue, run: CheckRun): Scenario[] {
  const [productId] = productsOf(catalogue, FAMILY);
  if (productId === undefined) return [];
  const purchase = purchaseOf(productId, run);
  const calls: FamilyCalls = {
    initiate: initiatePolicy,
    verify: verifyPolicy,
    list: listPolicies,
    lookUp: policyDetails,
    lookUpField: 'policy_number',
    numberField: 'policy_number',
    question: policyDetails,
    accepted: { operation: initiatePolicy, input: purchase },
    family,
    purchase,
  };
  const { buys, buysMany, looksUp } = stepsOf(calls);
  const { next_of_kiln, ...withoutKin } = MEMBER;
  const withMember = (shows: string, changes: Input) =>
    call(
      initiatePolicy,
      `with a member ${shows}`,
      { ...purchase, members: [MEMBER, { ...MEMBER, ...changes }] },
      { about: ['members'] },
    );
  return [
    {
      name: 'A purchase as specified',
      steps: [
        ...buys('bought', 'as specified'),
        looksUp('bought'),
        looksUp('bought', 'Policy_number'),
        looksUp('bought', 'policyNumber'),
        ...listEnds(listPolicies, 'with the new policy'),
      ],
    },
    {
      name: 'Other forms of a purchase',
      steps: [
        ...buys('leap', 'that starts on a leap day', { start_date: '2028-02-29' }),
        looksUp('leap'),
        ...buys('second', 'with a second phone', {
          second_person_phone: SECOND_PHONE,
          status: true,
        }),
        looksUp('second'),
        ...buys('text', 'with its members as text', { members: JSON.stringify([MEMBER]) }),
        ...buys('two', 'with two members', { members: [MEMBER, MEMBER] }),
        looksUp('two'),
        ...buys('kin', 'with next_of_kin for next_of_kiln', {
          members: [{ ...withoutKin, next_of_kin: next_of_kiln }],
        }),
        ...buys('product', 'with the product as text', { product_id: String(productId) }),
        ...buys('gender', 'with the gender in capitals', { gender: 'FEMALE' }),
        ...buys('address', 'with an address of two lines', { group_contact_address: ADDRESS }),
        ...buys('white space', 'with white space around a name', { group_name: ` ${SURNAME} ` }),
        looksUp('white space'),
        ...buys('names', WITH_NAMES, {
          first_name: OTHER_FIRST_NAME,
          surname: OTHER_SURNAME,
          email: mixedEmailOf(run),
          group_name: OTHER_GROUP,
          members: [{ ...MEMBER, full_name: OTHER_SURNAME }],
        }),
        looksUp('names'),
        ...buys('unknown', 'with an unknown field', { sandbox_check: true }),
        ...listEnds(listPolicies, 'with the new policy', { per_page: String(MAX_PAGE_SIZE) }),
      ],
    },
    {
      name: 'Members',
      steps: [
        withMember('of an unknown gender', { gender: 'other' }),
        withMember('without a name', { full_name: undefined }),
        withMember('without next of kin', { next_of_kiln: undefined }),
        withMember('with a date of birth that does not exist', { date_of_birth: '1990-02-30' }),
        withMember('with a date of birth in the future', { date_of_birth: '2999-01-01' }),
        withMember('with a phone number of a digit less', { phone_number: PHONE.slice(0, -1) }),
        withMember('with a blank occupation', { occupation: ' ' }),
      ],
    },
    {
      name: 'Pages of policies',
      steps: [...buysMany([purchase, purchase, purchase]), ...pageSteps(listPolicies)],
    },
    namelessLookUps(calls),
    formScenario(initiatePolicy, purchase, [
      ['product_id', 'of another family', foreignProduct(catalogue, FAMILY)],
      ['dob', 'in the future', '2999-01-01'],
      ['status', 'that is a word', 'x'],
    ]),
    edgeScenario(initiatePolicy, purchase, [
      ['dob', 'of yesterday', dayBefore(run.today)],
      ['start_date', 'of a year ago', later(run.today, -12)],
      ['group_name', 'of 300 characters', LONG_TEXT],
      ['members', 'of 60 people', membersOf(60)],
      ['members', 'of 500 people', membersOf(500)],
      ['members', 'of a child', [{ ...MEMBER, date_of_birth: dayBefore(run.today) }]],
    ]),
    ...sharedScenarios(calls),
  ];
}

/** Finds out with an initiate whether a product is sold. Group life has no quotes. */
async function learn({ ask, buys, run }: Learner, product_id: number): Promise<LearntPrices> {
  if (!buys) return {};
  const answer = await ask(initiatePolicy, purchaseOf(product_id, run));
  return !isAccepted(answer) && refusesProduct(answer) ? 'not sold' : {};
}

/** A year after the first day. */
function endOf({ start_date }: DatedRecord) {
  const end = later(start_date, 12);
  return end === undefined ? undefined : ([end, 'group-life-dates'] as const);
}

export const groupLife: FamilyScenarios = {
  family: FAMILY,
  scenarios: groupLifeScenarios,
  notes: '- `response_code` is a number here, text elsewhere.',
  endOf,
  learn,
};
