/* The scenarios of motor: quotes, purchases, look-ups and the list. */

import { motor as family } from '../products/motor/index.ts';
import { IMAGE_FIELDS } from '../products/motor/requests.ts';
import {
  getPolicyDetails,
  getQuote,
  initiatePolicy,
  listPolicies,
  verifyPolicy,
} from '../products/motor/routes.ts';
import {
  type LearntPrices,
  type PricedProduct,
  productsOf,
  type ServerCatalogue,
} from './catalogue.ts';
import { valueAt } from './json.ts';
import { isAccepted } from './received.ts';
import { edgeScenario, formScenario } from './refusals.ts';
import {
  type CheckRun,
  call,
  type DatedRecord,
  type FamilyScenarios,
  from,
  type Input,
  type Learner,
  refusesProduct,
  type Scenario,
} from './scenario.ts';
import {
  ADDRESS,
  emailOf,
  type FamilyCalls,
  FILES,
  FIRST_NAME,
  foreignProduct,
  LONG_TEXT,
  later,
  NUMERIC_PHONE,
  namelessLookUps,
  OTHER_FIRST_NAME,
  OTHER_GROUP,
  OTHER_SURNAME,
  PHONE,
  SECOND_PHONE,
  SURNAME,
  sharedScenarios,
  stepsOf,
  WITH_NAMES,
} from './shared.ts';

const FAMILY = family.key;

const purchaseOf = (productId: number, run: CheckRun): Input => ({
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
});

/** A value above what most insurers cover. */
const LARGE_VALUE = 2_000_000_000;

/** From a quote to the look-up of a policy. */
function motorScenarios(catalogue: ServerCatalogue, run: CheckRun): Scenario[] {
  const [productId] = productsOf(catalogue, FAMILY);
  if (productId === undefined) return [];
  const purchase = purchaseOf(productId, run);
  const aQuote = { product_id: productId, vehicle_value: 5_000_000 };
  const calls: FamilyCalls = {
    initiate: initiatePolicy,
    verify: verifyPolicy,
    list: listPolicies,
    lookUp: getPolicyDetails,
    lookUpField: 'Policy_number',
    numberField: 'policy_number',
    question: getQuote,
    accepted: { operation: getQuote, input: aQuote },
    family,
    purchase,
  };
  const { buys, buysMany, initiates, looksUp } = stepsOf(calls);
  const lists = (shows: string) => call(listPolicies, shows);
  const quotes = (shows: string, vehicle_value: unknown, id: unknown = productId) =>
    call(getQuote, shows, { product_id: id, vehicle_value });
  return [
    {
      name: 'A purchase as specified',
      steps: [
        quotes('of a vehicle before its purchase', 5_000_000),
        ...buys('bought', 'as specified'),
        looksUp('bought'),
        looksUp('bought', 'policyNumber'),
        looksUp('bought', 'policy_number'),
        lists('with the new policy'),
      ],
    },
    {
      name: 'Quotes',
      steps: [
        quotes('with a premium in fractions of a kobo', 1000.2),
        quotes('of an odd value', 1_234_567.89),
        quotes('of a value as text', '1234567.89'),
        quotes('with the product as text', 5_000_000, String(productId)),
      ],
    },
    {
      name: 'Covers of different lengths',
      steps: [
        ...buys('month', 'of one month from the 31st', {
          frequency_type: 'monthly',
          duration: 1,
          start_date: '2027-01-31',
        }),
        looksUp('month'),
        ...buys('quarters', 'of three quarters', { frequency_type: 'quarterly', duration: 3 }),
        looksUp('quarters'),
        ...buys('leap', 'of a year from a leap day', { start_date: '2028-02-29' }),
        ...buys('annually', 'with annually for yearly', { frequency_type: 'annually' }),
        ...buys('text', 'with the duration as text', { duration: '2' }),
        looksUp('text'),
        lists('with the new policy'),
      ],
    },
    {
      name: 'Other forms of a purchase',
      steps: [
        ...buys('phone', 'with phone numbers as numbers', {
          phone_number: NUMERIC_PHONE,
          contact_person_phone_no: NUMERIC_PHONE,
        }),
        ...buys('product', 'with the product as a number', { product_id: productId }),
        ...buys('make', 'with make and model as numbers', { vehicle_make: 12, vehicle_model: 7 }),
        ...buys('year', 'with the year as a number', { year_make: 2015 }),
        ...buys('gender', 'with the gender in capitals', { gender: 'FEMALE' }),
        ...buys('sum', 'with the sum insured as text', { sum_insured: '5000000.50' }),
        ...buys('tracker', 'without a tracker', { tracker_value: 0, diagnostic_cost: '0' }),
        ...buys('address', 'with an address of two lines', { contact_person_address: ADDRESS }),
        ...buys('white space', 'with white space around a name', {
          contact_person_name: ` ${SURNAME} `,
        }),
        looksUp('white space'),
        ...buys('names', WITH_NAMES, {
          first_name: OTHER_FIRST_NAME,
          last_name: OTHER_SURNAME,
          contact_person_name: OTHER_SURNAME,
          contact_person_address: OTHER_GROUP,
        }),
        looksUp('names'),
        ...buys('sample', 'with fields of the sample request', {
          address: ADDRESS,
          id_type: 'none',
        }),
        ...buys('unknown', 'with an unknown field', { sandbox_check: true }),
        lists('with the new policy'),
      ],
    },
    {
      name: 'Policies before verify',
      steps: [
        initiates('waiting', 'without verify'),
        call(getPolicyDetails, 'of a policy before verify', {
          Policy_number: from('waiting', 'policy_number'),
        }),
      ],
    },
    {
      name: 'The list of policies',
      steps: [...buysMany([purchase, purchase]), lists('with two new policies')],
    },
    namelessLookUps(calls),
    formScenario(initiatePolicy, purchase, [
      ['product_id', 'of another family', foreignProduct(catalogue, FAMILY)],
      ['year_make', 'of 1899', '1899'],
      ['duration', 'past the last supported year', 9000],
    ]),
    formScenario(getQuote, aQuote, [
      ['product_id', 'of another family', foreignProduct(catalogue, FAMILY)],
    ]),
    edgeScenario(initiatePolicy, purchase, [
      ['year_make', 'of 1900', '1900'],
      ['year_make', 'of the next year', String(Number(run.today.slice(0, 4)) + 1)],
      ['duration', 'of 120 periods', 120],
      ['sum_insured', 'of two billion', LARGE_VALUE],
      ['start_date', 'of a year ago', later(run.today, -12)],
      ['inspection_date', 'of a year ago', later(run.today, -12)],
      ['contact_person_name', 'of 300 characters', LONG_TEXT],
    ]),
    edgeScenario(getQuote, aQuote, [['vehicle_value', 'of two billion', LARGE_VALUE]]),
    ...sharedScenarios(calls),
  ];
}

const RATED_VALUE = 5_000_000;

/** Finds the rate of a product with one quote. */
async function learn({ ask }: Learner, product_id: number): Promise<LearntPrices> {
  const answer = await ask(getQuote, { product_id, vehicle_value: RATED_VALUE });
  const premium = isAccepted(answer) ? Number(valueAt(answer.body, 'data.premium')) : Number.NaN;
  if (!(premium > 0)) return refusesProduct(answer) ? 'not sold' : undefined;
  const rate = Math.round((premium / RATED_VALUE) * 1e6) / 1e6;
  return { premium_rates: [{ product_id, rate } as PricedProduct] };
}

const MONTHS: Readonly<Record<string, number>> = { monthly: 1, quarterly: 3, yearly: 12 };

/** The first day plus all periods of the cover. */
function endOf({ start_date, frequency_type, duration }: DatedRecord) {
  const end = later(start_date, (MONTHS[String(frequency_type)] ?? Number.NaN) * Number(duration));
  return end === undefined ? undefined : ([end, 'motor-dates'] as const);
}

const NOTES = `
- A quote has \`data.premium\`. Frequencies: monthly, quarterly, yearly.
- Initiate already has the final \`policy_number\`: look it up when the response of verify is lost.
- \`status\` is true in verify, "activated" in the list. \`duration\` is returned as sent.`.trim();

export const motor: FamilyScenarios = {
  family: FAMILY,
  notes: NOTES,
  scenarios: motorScenarios,
  endOf,
  learn,
};
