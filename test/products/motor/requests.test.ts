import { describe, expect, test } from 'vitest';
import { EXAMPLE_REQUEST } from '../../../src/products/motor/examples.ts';
import { MotorInitiateRequest } from '../../../src/products/motor/requests.ts';
import {
  getPolicyDetails,
  getQuote,
  initiatePolicy,
  verifyPolicy,
} from '../../../src/products/motor/routes.ts';
import { REQUEST, read, refusal } from './world.ts';

const initiate = (changes: object = {}) => read(initiatePolicy, { ...EXAMPLE_REQUEST, ...changes });
const refused = (changes: object) => refusal(() => initiate(changes)).messages;

describe('an initiate request', () => {
  test('is read as the document shows it', () => {
    expect(initiate()).toEqual(REQUEST);
  });

  test('that is empty is told of every field, in the order of the table', () => {
    const fields = Object.keys(MotorInitiateRequest.shape);
    expect(fields).toHaveLength(34);
    expect(fields).toEqual(Object.keys(EXAMPLE_REQUEST));
    expect(refusal(() => read(initiatePolicy, {})).messages).toEqual(
      fields.map((field) => `The ${field} field is required.`),
    );
  });

  test('may carry the fields of the documented sample', () => {
    expect(initiate({ address: 5, nok_gender: 'any', amount_insured: -1, id_url: '' })).toEqual(
      REQUEST,
    );
  });

  test('calls yearly annually too', () => {
    expect(initiate({ frequency_type: 'annually' })).toEqual(REQUEST);
    expect(refused({ frequency_type: 'weekly' })).toEqual([
      'The frequency_type field must be one of monthly, quarterly, yearly, annually.',
    ]);
  });

  test('names make and model as texts or numbers', () => {
    expect(initiate({ vehicle_make: 206, vehicle_model: '308' })).toMatchObject({
      vehicle_make: '206',
      vehicle_model: '308',
    });
  });

  test('takes numbers as texts, and keeps the form of the duration alone', () => {
    const sent = { sum_insured: '5000000.00', tracker_value: '0', diagnostic_cost: 0 };
    expect(initiate({ ...sent, duration: '3' })).toMatchObject({
      sum_insured: 5_000_000,
      tracker_value: 0,
      diagnostic_cost: 0,
      duration: '3',
    });
    expect(initiate({ duration: 3 })).toMatchObject({ duration: 3 });
  });

  test.each([0, -1, 1.5, '0', '00', '1.5', '-1', '1e3', ' 1', '9007199254740993', true, [1]])(
    'refuses a duration of %j',
    (duration) => {
      expect(refused({ duration })).toEqual([
        'The duration field must be a whole number, 1 or more.',
      ]);
    },
  );

  test('tells a cover beyond the calendar together with what is malformed', () => {
    expect(refused({ gender: 'x', product_id: 1, duration: 9000 })).toEqual([
      'The gender field must be female or male.',
      'The product_id field must name a product of this family: 4.',
      'The duration field must end the cover by 9999-12-31.',
    ]);
  });

  test('says what is wrong with a phone number, an image, a year or a day', () => {
    expect(
      refused({
        phone_number: 8031234567,
        rear_view_img: 'rear.png',
        start_date: '2026-02-30',
        year_make: '15',
        contact_person_phone_no: '0805',
      }),
    ).toEqual([
      'The phone_number field must be 11 digits.',
      'The rear_view_img field must be an absolute http or https URL.',
      'The start_date field must be a calendar day in the form YYYY-MM-DD.',
      'The year_make field must be a year in the form YYYY, from 1900 on.',
      'The contact_person_phone_no field must be 11 digits.',
    ]);
  });
});

test('a details request may use any spelling, and is told of a number that is no text', () => {
  expect(read(getPolicyDetails, { policyNumber: 'INS1', Policy_number: ' ' })).toEqual({
    policyNumber: 'INS1',
  });
  expect(refusal(() => read(getPolicyDetails, { policyNumber: 5 })).messages).toEqual([
    'The policyNumber field must be a text.',
  ]);
});

test('a verify request needs a token that is a text', () => {
  for (const [body, demand] of [
    [{}, 'is required.'],
    [{ token: '  ' }, 'is required.'],
    [{ token: 5 }, 'must be a text.'],
  ] as const) {
    expect(refusal(() => read(verifyPolicy, body)).messages).toEqual([`The token field ${demand}`]);
  }
});

test('a quote request takes numbers or digits, and tells every problem', () => {
  expect(read(getQuote, { product_id: '4', vehicle_value: '100.50' })).toEqual({
    product_id: 4,
    vehicle_value: 100.5,
  });
  expect(refusal(() => read(getQuote, { product_id: 1, vehicle_value: 0 })).messages).toEqual([
    'The product_id field must name a product of this family: 4.',
    'The vehicle_value field must be a number above 0 and at most 1000000000000.',
  ]);
});
