import {
  initiatePolicy,
  listPolicies,
  policyDetails,
  verifyPolicy,
} from '../../products/group-life/routes.ts';
import { type Catalogue, productsOf } from '../catalogue.ts';
import type { Json } from '../json.ts';
import {
  ADDRESS,
  type CheckRun,
  emailOf,
  FIRST_NAME,
  PHONE,
  SECOND_PHONE,
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

const FAMILY = 'group_life';

/** The life of a policy, from its quote to its look-up. */
function groupLifeScenarios(catalogue: Catalogue, run: CheckRun): Scenario[] {
  const [productId] = productsOf(catalogue, FAMILY);
  if (productId === undefined) return [];
  const member = {
    full_name: `First ${SURNAME}`,
    gender: 'female',
    occupation: 'Tailor',
    date_of_birth: '1992-08-03',
    next_of_kiln: `Kin ${SURNAME}`,
    phone_number: PHONE,
  };
  const { next_of_kiln, ...withoutKin } = member;
  const purchase: Input = {
    email: emailOf(run),
    first_name: FIRST_NAME,
    surname: SURNAME,
    phone_no: PHONE,
    gender: 'female',
    dob: '1990-04-12',
    product_id: productId,
    group_name: SURNAME,
    group_type: 'Trade association',
    group_contact_address: 'Sandbox Check, no street',
    first_person_name: `First ${SURNAME}`,
    first_person_phone: PHONE,
    second_person_name: `Second ${SURNAME}`,
    members: [member],
  };
  const calls: FamilyCalls = {
    family: FAMILY,
    initiate: initiatePolicy,
    verify: verifyPolicy,
    list: listPolicies,
    lookUp: policyDetails,
    lookUpInput: (answer, at = '') => ({ policy_number: from(answer, `${at}policy_number`) }),
    question: policyDetails,
    purchase,
  };
  const looksUp = (bought: string, field = 'policy_number'): Call => ({
    operation: policyDetails,
    shows: field === 'policy_number' ? 'of what was bought' : `by ${field}`,
    input: { [field]: from(bought, 'policy_number') },
    about: [field],
  });
  const lists = (shows: string): Call => ({
    operation: listPolicies,
    shows,
    input: { per_page: '100' },
  });
  const with_ = (changes: Input, shows: string, as: string) =>
    buys(calls, as, { ...purchase, ...changes }, shows, Object.keys(changes));
  const withMember = (changes: Input, shows: string): Call => ({
    operation: initiatePolicy,
    shows: `with a member ${shows}`,
    input: { ...purchase, members: [member, { ...member, ...changes }] },
    about: ['members'],
  });
  return [
    {
      name: 'A purchase in the words of the specification',
      family: FAMILY,
      steps: [
        ...buys(calls, 'bought', purchase, 'in the words of the specification'),
        looksUp('bought'),
        looksUp('bought', 'Policy_number'),
        looksUp('bought', 'policyNumber'),
        { operation: listPolicies, shows: 'with what was bought', input: {} },
      ],
    },
    {
      name: 'Other forms of a purchase',
      family: FAMILY,
      steps: [
        ...with_({ start_date: '2028-02-29' }, 'that starts on a leap day', 'leap'),
        looksUp('leap'),
        ...with_(
          { second_person_phone: SECOND_PHONE, status: true },
          'with a second phone',
          'second',
        ),
        looksUp('second'),
        ...with_({ members: JSON.stringify([member]) }, 'with its members as text', 'text'),
        ...with_(
          { members: [member, { ...withoutKin, next_of_kin: next_of_kiln }] },
          'with two members',
          'two',
        ),
        looksUp('two'),
        ...with_({ product_id: String(productId) }, 'with the product as text', 'product'),
        ...with_({ gender: 'FEMALE' }, 'with the gender in capitals', 'gender'),
        ...with_({ group_contact_address: ADDRESS }, 'with an address of two lines', 'address'),
        ...with_({ group_name: ` ${SURNAME} ` }, 'with white space around a name', 'white space'),
        looksUp('white space'),
        ...with_({ sandbox_check: true }, 'with a field nobody knows', 'unknown'),
        lists('with what was bought'),
      ],
    },
    {
      name: 'Members',
      family: FAMILY,
      steps: [
        withMember({ gender: 'other' }, 'of an unknown gender'),
        withMember({ full_name: undefined }, 'without a name'),
        withMember({ next_of_kiln: undefined }, 'without next of kin'),
        withMember({ date_of_birth: '1990-02-30' }, 'born on a day that the calendar lacks'),
        withMember({ date_of_birth: '2999-01-01' }, 'not born yet'),
        withMember({ phone_number: '0999000000' }, 'with a phone number of ten digits'),
        withMember({ occupation: ' ' }, 'with a blank occupation'),
      ],
    },
    {
      name: 'Pages of policies',
      family: FAMILY,
      steps: [...manyBought(calls, [purchase, purchase, purchase]), ...pageSteps(listPolicies)],
    },
    {
      name: 'Look-ups',
      family: FAMILY,
      steps: [
        { operation: policyDetails, shows: 'without a policy number', input: {} },
        {
          operation: policyDetails,
          shows: 'with a blank policy number',
          input: { policy_number: ' ' },
          about: ['policy_number'],
        },
      ],
    },
    formScenario(FAMILY, initiatePolicy, purchase, [
      ['product_id', 'of another family', foreignProduct(catalogue, FAMILY)],
      ['dob', 'to come', '2999-01-01'],
    ]),
    ...tokenScenarios(calls),
    ...isolationScenarios(calls),
    ...requestScenarios(calls, [initiatePolicy, verifyPolicy, listPolicies, policyDetails]),
  ];
}

/** A year after the first day. */
function endOf({ start_date }: Json) {
  const end = later(start_date, 12);
  return end === undefined ? undefined : ([end, 'group-life-dates'] as const);
}

export const groupLife: FamilyScenarios = { family: FAMILY, scenarios: groupLifeScenarios, endOf };
