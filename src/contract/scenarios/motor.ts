import { IMAGE_FIELDS } from '../../products/motor/requests.ts';
import {
  getPolicyDetails,
  getQuote,
  initiatePolicy,
  listPolicies,
  verifyPolicy,
} from '../../products/motor/routes.ts';
import { type Catalogue, type PricedProduct, productsOf } from '../catalogue.ts';
import { type Json, valueAt } from '../json.ts';
import { type Learn, refusesProduct } from '../learner.ts';
import { isAccepted } from '../record.ts';
import {
  ADDRESS,
  type CheckRun,
  emailOf,
  FILES,
  FIRST_NAME,
  NUMERIC_PHONE,
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
  requestScenarios,
  tokenScenarios,
} from './shared.ts';

const FAMILY = 'motor';

/** The life of a policy, from its quote to its look-up. */
function motorScenarios(catalogue: Catalogue, run: CheckRun): Scenario[] {
  const [productId] = productsOf(catalogue, FAMILY);
  if (productId === undefined) return [];
  const asSpecified: Input = {
    first_name: FIRST_NAME,
    last_name: SURNAME,
    phone_number: PHONE,
    email: emailOf(run),
    gender: 'female',
    product_id: String(productId),
    ...Object.fromEntries(IMAGE_FIELDS.map((field) => [field, `${FILES}/${field}.png`])),
    frequency_type: 'yearly',
    sum_insured: 5_000_000,
    insurance_cover: 'bronze',
    tracker_value: 60_000,
    diagnostic_cost: 15_000,
    duration: 1,
    vehicle_type: 'saloon',
    start_date: run.today,
    registration_no: 'SBX-000CK',
    vehicle_make: 'Toyota',
    vehicle_model: 'Corolla',
    year_make: '2015',
    vehicle_color: 'silver',
    engine_no: 'SANDBOXCHECK1',
    chasis_no: 'SANDBOXCHECK2',
    contact_person_name: `Contact ${SURNAME}`,
    contact_person_address: 'Sandbox Check, no street',
    contact_person_phone_no: SECOND_PHONE,
    inspection_date: run.today,
  };
  const calls: FamilyCalls = {
    family: FAMILY,
    initiate: initiatePolicy,
    verify: verifyPolicy,
    list: listPolicies,
    lookUp: getPolicyDetails,
    lookUpInput: (answer, at = '') => ({ Policy_number: from(answer, `${at}policy_number`) }),
    question: getQuote,
    purchase: asSpecified,
  };
  const looksUp = (bought: string, field = 'Policy_number'): Call => ({
    operation: getPolicyDetails,
    shows: field === 'Policy_number' ? 'of what was bought' : `by ${field}`,
    input: { [field]: from(bought, 'policy_number') },
    about: [field],
  });
  const lists = (shows: string): Call => ({ operation: listPolicies, shows });
  const quotes = (vehicle_value: unknown, shows: string, id: unknown = productId): Call => ({
    operation: getQuote,
    shows,
    input: { product_id: id, vehicle_value },
  });
  const with_ = (changes: Input, shows: string, as: string) =>
    buys(calls, as, { ...asSpecified, ...changes }, shows, Object.keys(changes));
  return [
    {
      name: 'A purchase in the words of the specification',
      family: FAMILY,
      steps: [
        quotes(5_000_000, 'of the vehicle that is insured next'),
        ...buys(calls, 'bought', asSpecified, 'in the words of the specification'),
        looksUp('bought'),
        looksUp('bought', 'policyNumber'),
        lists('with what was bought'),
      ],
    },
    {
      name: 'Quotes',
      family: FAMILY,
      steps: [
        quotes(1000.2, 'whose premium has a third of a kobo'),
        quotes(1_234_567.89, 'of an odd value'),
        quotes('1234567.89', 'of a value as text'),
        quotes(5_000_000, 'with the product as text', String(productId)),
      ],
    },
    {
      name: 'Covers of several lengths',
      family: FAMILY,
      steps: [
        ...with_(
          { frequency_type: 'monthly', duration: 1, start_date: '2027-01-31' },
          'of a month from a 31st',
          'month',
        ),
        looksUp('month'),
        ...with_({ frequency_type: 'quarterly', duration: 3 }, 'of three quarters', 'quarters'),
        looksUp('quarters'),
        ...with_(
          { frequency_type: 'annually', start_date: '2028-02-29' },
          'of a year from a leap day',
          'leap',
        ),
        ...with_({ duration: '2' }, 'with the duration as text', 'text'),
        looksUp('text'),
        lists('with what was bought'),
      ],
    },
    {
      name: 'Other forms of a purchase',
      family: FAMILY,
      steps: [
        ...with_(
          { phone_number: NUMERIC_PHONE, contact_person_phone_no: NUMERIC_PHONE },
          'with phone numbers as numbers',
          'phone',
        ),
        ...with_({ product_id: productId }, 'with the product as a number', 'product'),
        ...with_({ vehicle_make: 12, vehicle_model: 7 }, 'with make and model as numbers', 'make'),
        ...with_({ year_make: 2015 }, 'with the year as a number', 'year'),
        ...with_({ gender: 'FEMALE' }, 'with the gender in capitals', 'gender'),
        ...with_({ sum_insured: '5000000.50' }, 'with the sum insured as text', 'sum'),
        ...with_({ tracker_value: 0, diagnostic_cost: '0' }, 'without a tracker', 'tracker'),
        ...with_({ contact_person_address: ADDRESS }, 'with an address of two lines', 'address'),
        ...with_(
          { contact_person_name: ` ${SURNAME} ` },
          'with white space around a name',
          'white space',
        ),
        looksUp('white space'),
        ...with_(
          { address: ADDRESS, id_type: 'none', sandbox_check: true },
          'with fields of the sample',
          'sample',
        ),
        lists('with what was bought'),
      ],
    },
    {
      name: 'Policies that wait for verify',
      family: FAMILY,
      steps: [
        { operation: initiatePolicy, shows: 'that waits', input: asSpecified, as: 'waiting' },
        {
          operation: getPolicyDetails,
          shows: 'of a policy that waits for verify',
          input: { Policy_number: from('waiting', 'policy_number') },
        },
      ],
    },
    {
      name: 'The list of policies',
      family: FAMILY,
      steps: [...manyBought(calls, [asSpecified, asSpecified]), lists('as it is')],
    },
    {
      name: 'Look-ups',
      family: FAMILY,
      steps: [
        { operation: getPolicyDetails, shows: 'without a policy number', input: {} },
        {
          operation: getPolicyDetails,
          shows: 'with a blank policy number',
          input: { Policy_number: ' ' },
          about: ['Policy_number'],
        },
      ],
    },
    formScenario(FAMILY, initiatePolicy, asSpecified, [
      ['product_id', 'of another family', foreignProduct(catalogue, FAMILY)],
      ['year_make', 'of 1899', '1899'],
      ['duration', 'beyond the last year there is', 9000],
    ]),
    formScenario(FAMILY, getQuote, { product_id: productId, vehicle_value: 5_000_000 }, [
      ['product_id', 'of another family', foreignProduct(catalogue, FAMILY)],
    ]),
    ...tokenScenarios(calls),
    ...isolationScenarios(calls),
    ...requestScenarios(calls, [
      initiatePolicy,
      verifyPolicy,
      listPolicies,
      getPolicyDetails,
      getQuote,
    ]),
  ];
}

const RATED_VALUE = 5_000_000;

/** The rate of a product follows from one quote. */
const learn: Learn = async ({ ask }, product_id) => {
  const answer = await ask(getQuote, { product_id, vehicle_value: RATED_VALUE });
  const premium = isAccepted(answer) ? Number(valueAt(answer.body, 'data.premium')) : Number.NaN;
  if (!(premium > 0)) return refusesProduct(answer) ? 'not sold' : undefined;
  const rate = Math.round((premium / RATED_VALUE) * 1e6) / 1e6;
  return { premium_rates: [{ product_id, rate } as PricedProduct] };
};

const MONTHS: Readonly<Record<string, number>> = { monthly: 1, quarterly: 3, yearly: 12 };

/** As many periods after the first day as the cover lasts. */
function endOf({ start_date, frequency_type, duration }: Json) {
  const end = later(start_date, (MONTHS[frequency_type] ?? Number.NaN) * Number(duration));
  return end === undefined ? undefined : ([end, 'motor-dates'] as const);
}

export const motor: FamilyScenarios = { family: FAMILY, scenarios: motorScenarios, endOf, learn };
