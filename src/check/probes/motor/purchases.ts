import type { AssumptionId } from '../../../core/assumptions.ts';
import { DAY_MS, day } from '../../../core/time.ts';
import type { Operation } from '../../../http/operation.ts';
import { EXAMPLE_IMAGES } from '../../../products/motor/examples.ts';
import { getPolicyDetails } from '../../../products/motor/routes/get-policy-details.ts';
import { initiatePolicy } from '../../../products/motor/routes/initiate-policy.ts';
import { verifyPolicy } from '../../../products/motor/routes/verify-policy.ts';
import {
  type Assertion,
  agrees,
  dayMonthsLater,
  equals,
  type Json,
  matches,
  repeatsFields,
} from '../../assertions.ts';
import { dataSchema, echoIn } from '../../contract.ts';
import type { Memory, Probe, Purchase } from '../../probe.ts';
import {
  ADDRESS,
  emailOf,
  FILE,
  FIRST_NAME,
  foreignFamilyToken,
  initiated,
  initiates,
  madeNow,
  observeTrim,
  PHONE,
  padded,
  parsedPurchase,
  refusedVerifies,
  SURNAME,
  sentIn,
  verifies,
  verifiesTwice,
} from '../purchases.ts';
import {
  type Input,
  refusedForms,
  refusesForeignProduct,
  refusing,
  refusingInput,
  requiresAll,
} from '../refusals.ts';

/** A purchase that is accepted, unless the changes spoil it. */
const inputOf = (memory: Memory, changes: Input): Input => ({
  first_name: FIRST_NAME,
  last_name: SURNAME,
  phone_number: PHONE,
  email: emailOf(memory),
  gender: 'female',
  product_id: '4',
  ...Object.fromEntries(Object.keys(EXAMPLE_IMAGES).map((name) => [name, `${FILE}/${name}.png`])),
  frequency_type: 'yearly',
  sum_insured: 3_500_000,
  insurance_cover: 'bronze',
  tracker_value: 0,
  diagnostic_cost: 15_000,
  duration: 1,
  vehicle_type: 'saloon',
  // A day that the months after it lack.
  start_date: `${new Date(memory.today).getUTCFullYear() + 1}-01-31`,
  registration_no: 'SANDBOX-CHECK',
  vehicle_make: 'Toyota',
  vehicle_model: 'Corolla',
  year_make: '2018',
  vehicle_color: 'silver',
  engine_no: 'CHECKENGINE01',
  chasis_no: 'CHECKCHASSIS0001',
  contact_person_name: `${FIRST_NAME} ${SURNAME}`,
  contact_person_address: ADDRESS,
  contact_person_phone_no: PHONE,
  inspection_date: day(memory.today + 7 * DAY_MS),
  ...changes,
});

/** A cover that the check buys. */
interface Cover extends Purchase {
  /** How long it lasts. */
  readonly months: number;
}

const coverOf = (frequency: string, months: number, changes: Input): Cover => ({
  initiate: initiatePolicy,
  verify: verifyPolicy,
  request: (memory) => ({ input: inputOf(memory, changes) }),
  saveAs: `motor ${frequency}`,
  months,
});

const CONTACT = padded(`${FIRST_NAME} ${SURNAME}`);

export const YEARLY = coverOf('yearly', 24, {
  frequency_type: 'annually',
  gender: 'FEMALE',
  duration: '2',
  sandbox_check: true,
});
export const MONTHLY = coverOf('monthly', 1, {
  frequency_type: 'monthly',
  vehicle_make: 207,
  sum_insured: '1000000',
  contact_person_name: CONTACT,
  address: 'ignored',
  id_type: 'ignored',
});
export const QUARTERLY = coverOf('quarterly', 3, {
  frequency_type: 'quarterly',
  product_id: 4,
  year_make: 2018,
  // No country has this code, and a number has no leading zero.
  phone_number: 99_900_000_000,
  contact_person_phone_no: 99_900_000_000,
});

/** What the fields of a policy rest on, where the contract does not say what they hold. */
const BASIS: Readonly<Record<string, readonly AssumptionId[]>> = {
  vehicle_make: ['motor-make-model'],
  vehicle_model: ['motor-make-model'],
  vehicle_value: ['motor-vehicle-value'],
  frequency_type: ['motor-frequency'],
  duration: ['motor-duration'],
  product_id: ['product-id-type', 'motor-product'],
  start_date: ['motor-dates'],
  end_date: ['motor-dates'],
  slug: ['motor-slug'],
  year_make: ['motor-year-make'],
  contact_person_name: ['text-trim'],
  contact_person_address: ['encoding'],
  contact_person_phone_no: ['text-and-numbers'],
};

/** What initiate and verify answer of the policy that was asked for, whoever did. */
export function policyAssertions(
  operation: Operation,
  sent: Json,
  months: number,
  data: Json,
): Assertion[] {
  const policy = {
    ...sent,
    vehicle_value: sent.sum_insured,
    end_date: dayMonthsLater(sent.start_date, months),
    slug: `comprehensive-motor-${String(data.policy_number).toLowerCase()}`,
  };
  return [
    ...repeatsFields('', echoIn(dataSchema(operation), policy), BASIS),
    matches('policy_number', /^INS\d{13}$/, 'INS and 13 digits', 'motor-policy-number'),
  ];
}

/** The token of initiate. */
export const TOKEN = matches(
  'token',
  /^CMP\d{18}$/,
  'CMP and 18 digits',
  'motor-initiate-token',
  'token-format',
);

const initiatesCover = (
  frequency: string,
  cover: Cover,
  ...assumptions: readonly AssumptionId[]
): Probe =>
  initiates(`initiates a ${frequency} policy`, cover, {
    assumptions,
    observe: (data, memory) =>
      observeTrim(sentIn(memory, cover, 'contact_person_name'), data.contact_person_name),
    assertions: (data, memory) => [
      ...policyAssertions(initiatePolicy, parsedPurchase(memory, cover), cover.months, data),
      TOKEN,
    ],
  });

const verified = (cover: Cover): Pick<Probe, 'assertions'> => ({
  assertions: (data, memory) => {
    const { policy_number, merchant_user_id } = initiated(memory, cover);
    return [
      ...policyAssertions(verifyPolicy, parsedPurchase(memory, cover), cover.months, data),
      agrees('policy_number', policy_number, 'motor-policy-number'),
      equals('merchant_id', merchant_user_id),
      equals('status', true),
      ...madeNow(data, memory, ['motor-dates'], []),
    ];
  },
});

const refuses = refusingInput(initiatePolicy, (mistake, memory) => ({
  input: inputOf(memory, mistake),
}));

/** Purchases of motor policies: those that are refused, and those that are completed. */
export const motorPurchases: readonly Probe[] = [
  requiresAll(initiatePolicy, 'asks for every field, in the order of the contract', [
    'validation-messages',
  ]),
  refuses('refuses a phone number of ten digits', { phone_number: '0803000000' }, 'phone-digits'),
  refuses(
    'refuses a contact with a phone number of ten digits',
    { contact_person_phone_no: '0803000000' },
    'phone-digits',
  ),
  refuses('refuses another gender than female or male', { gender: 'f' }, 'text-and-numbers'),
  refuses('refuses an image that is no address', { engine_img: 'engine.png' }),
  refuses('refuses another frequency', { frequency_type: 'weekly' }),
  refuses('refuses no duration', { duration: 0 }),
  refuses('refuses a sum of nothing', { sum_insured: 0 }, 'text-and-numbers'),
  refuses('refuses a day the calendar lacks', { start_date: '2027-02-30' }),
  refuses('refuses a year of two digits', { year_make: '18' }),
  refuses('refuses a year before 1900', { year_make: '1899' }),
  refuses('refuses a year to come', { year_make: '2999' }),
  ...refusedForms(refuses, { name: 'registration_no', birth: 'start_date' }),
  {
    ...refuses(
      'refuses a cover that would end after the year 9999',
      { start_date: '9999-06-30', duration: 1 },
      'date-limits',
    ),
    fields: ['duration'],
  },
  refuses('refuses a third decimal place', { sum_insured: 1000.001 }, 'text-and-numbers'),
  refusesForeignProduct(refuses, initiatePolicy),
  initiatesCover(
    'yearly',
    YEARLY,
    'motor-gender',
    'unknown-fields',
    'motor-frequency',
    'motor-duration',
  ),
  refusing(getPolicyDetails)(
    'does not know a policy before it is verified',
    (memory) => ({ input: { Policy_number: initiated(memory, YEARLY).policy_number } }),
    'policy_unknown',
    'motor-policy-number',
  ),
  verifies('verifies a yearly policy', YEARLY, verified(YEARLY)),
  initiatesCover('monthly', MONTHLY, 'motor-make-model', 'motor-sample-fields', 'text-and-numbers'),
  verifies('verifies a monthly policy', MONTHLY, verified(MONTHLY)),
  initiatesCover('quarterly', QUARTERLY, 'product-id-type'),
  verifiesTwice('makes one policy of two verifies at once', QUARTERLY, verified(QUARTERLY)),
  ...refusedVerifies(YEARLY),
  foreignFamilyToken(YEARLY),
];
