/*
 * Checks servers of other authors, who list in test/strangers where they deviate: every deviation that an answer can
 * show is told, and nothing else is.
 */
import { describe, expect, test } from 'vitest';
import { toText } from '../../src/tools/check/report.ts';
import { checkStranger, type StrangerName } from './strangers.ts';
import { told } from './support.ts';

interface Deviations {
  /** By the number in the author's list, the probes and fields that tell it. */
  readonly told: Readonly<Record<number, string>>;
  /** What the author does not list and does all the same. */
  readonly unlisted: string;
  /** Deviations that no answer of this check shows, and why. */
  readonly silent: Readonly<Record<number, string>>;
}

/** What none of these authors thought of. */
const NOBODY =
  'body-size byte-order-mark control-characters amount-limits date-limits cover-limits email';
const SELECTIONS =
  'refuses-a-period-with-dates refuses-an-end-before-the-start refuses-a-date-that-does-not-exist';

const STRANGERS: Readonly<Record<StrangerName, Deviations>> = {
  laravel: {
    told: {
      1: 'error-envelope validation-messages',
      2: 'auth-challenge',
      3: 'error-envelope',
      4: 'error-envelope',
      5: 'status-of-malformed',
      6: 'status-of-unsupported-media-type',
      7: 'error-envelope-of-tokens error-code response_code data',
      8: 'error-envelope-of-tokens data',
      9: 'token-format',
      10: 'token-format',
      11: 'phone-digits',
      12: 'nin-number',
      13: 'id-url motor-images',
      14: 'month-end',
      15: 'time-zone',
      16: 'list-order',
      17: 'page-urls',
      18: 'links',
      19: 'channel deleted_at',
      20: 'amount',
      21: 'token-used',
      22: 'policy-no motor-policy-number motor-slug group-life-policy-number group-life-user',
      23: 'recurring',
      24: 'amount-check',
      25: 'frequency-words',
      27: 'password',
      28: 'per-page refuses-per-page-of-0 refuses-per-page-above-100',
      29: `refuses-an-unknown-period ${SELECTIONS}`,
      30: 'motor-details-field',
      31: 'group-life-start',
      32: 'success-messages token-unknown',
      34: 'text-trim',
      35: 'status-of-invalid',
      37: 'top-up-anchor',
    },
    // Motor's details read a body whatever its type is.
    unlisted: `motor-duration members-as-text members-next-of-kin group-life-details-field content-type ${NOBODY}`,
    silent: {
      26: 'rates are the provider’s',
      33: 'the catalogue is provider’s',
      36: 'the catalogue is provider’s',
    },
  },
  microservices: {
    told: {
      1: 'status-of-invalid status-of-token-unknown status-of-token-expired error-envelope errors',
      2: 'status-of-invalid error',
      3: 'error-envelope $',
      4: 'error-envelope unknown-route auth-failure',
      5: 'status-of-method-not-allowed allow',
      6: '$ error-envelope',
      7: 'content-type',
      8: 'token-format',
      9: 'token-format',
      10: 'start_date end_date created_at updated_at date_of_birth',
      11: 'subscription-end motor-dates top-up-anchor',
      13: 'quote_price premium',
      14: 'product_id id',
      15: 'from to',
      16: 'subscriptions-key',
      17: 'echo.micro-health',
      18: 'activated',
      19: 'trace_id',
      20: 'motor-policy-number-kept policy_number slug',
      21: 'response_code',
      22: 'token-used',
      23: 'amount-check',
      24: 'top-up-anchor',
      25: 'echo.micro-health',
      26: 'every-problem',
      27: 'unknown-fields',
      28: 'works.initiateGroupLifePolicy',
      29: 'echo.micro-health',
      30: 'next_of_kin_full_name principal_policy_no nin_number id_url profile_url company_id town state_of_residence transaction_pin occupation password policy_no have_beneficiaries enable merchant_user_id user_type verify_phone verify_email',
      31: 'per-page refuses-per-page-of-0 refuses-per-page-above-100',
      32: 'periods',
      33: 'status-of-policy-unknown',
      34: 'motor-policy-number motor-slug',
      35: 'status-of-policy-unknown',
      36: 'list-order',
    },
    unlisted: `success-messages token-unknown token-expired frequency-synonym policy-no motor-frequency motor-duration motor-details-field refuses-an-end-before-the-start refuses-a-date-that-does-not-exist phone-as-number error-envelope-of-tokens error-code validation-messages response_message message data ${NOBODY}`,
    silent: { 12: 'pages of another host are not asked for' },
  },
  minimal: {
    told: {
      1: 'status-of-invalid status-of-token-unknown status-of-policy-unknown error-code error-envelope-of-tokens response_code data',
      2: 'auth-failure auth-challenge $',
      3: 'unknown-route',
      4: 'status-of-method-not-allowed allow',
      5: 'status-of-malformed error-envelope',
      6: 'status-of-unsupported-media-type',
      7: 'phone-digits nin-number email motor-phone motor-images frequency-words frequency-unknown motor-year-make-limits motor-frequency-unknown motor-duration-whole members-count members-fields text-type phone-as-number amount-limits whole-numbers real-days date-limits cover-limits gender-words control-characters',
      9: 'token-format',
      10: 'token-format',
      11: 'policy-no motor-policy-number motor-slug group-life-policy-number group-life-user',
      12: 'start_date end_date created_at updated_at',
      13: 'deleted_at second_person_phone middle_name address gender password next_of_kin_full_name logo_url principal_policy_no nin_number id_url profile_url company_id town state_of_residence transaction_pin occupation surname email phone_no product_id from to',
      14: 'first_page_url last_page_url next_page_url prev_page_url',
      15: 'page-size per-page refuses-per-page-of-0 refuses-per-page-above-100',
      16: 'top-up-frequency',
      17: 'amount-check',
      18: 'token-lifetime expired-token',
      19: 'token-used one-policy',
      20: 'message response_message',
      21: 'per-page page-past-the-end data',
      22: 'response_code error-code-type',
      23: 'activated status',
      24: 'vehicle_value year_make',
      25: 'foreign-policy',
      26: 'pending motor-pending-details',
      27: 'catalogue motor-product users-limit',
      28: 'date_of_birth',
      29: 'active_date',
      30: 'start_date end_date',
      31: 'amount',
      32: 'subscriptions_type echo.micro-health',
      33: 'list-order',
      34: 'page-out-of-range current_page',
      35: 'details',
      36: 'text-trim',
    },
    unlisted: `success-messages token-unknown motor-duration refuses-an-unknown-period ${SELECTIONS} content-type validation-messages every-problem ${NOBODY}`,
    silent: {
      8: 'problems are told one at a time, so that the refusal of no fields does not list what is required',
      37: 'prices are the provider’s',
    },
  },
  django: {
    told: {
      1: 'status-of-invalid error-envelope $ validation-messages',
      2: 'error-envelope auth-failure unknown-route',
      3: 'error-envelope-of-tokens',
      4: 'error-envelope-of-tokens',
      5: 'current_page data first_page_url last_page_url next_page_url prev_page_url path from to last_page total per_page count next previous results',
      6: 'page-out-of-range page-past-the-end',
      7: 'refuses-per-page-of-0 refuses-per-page-above-100',
      9: `refuses-an-unknown-period ${SELECTIONS}`,
      10: 'quote_price premium amount_insured vehicle_value',
      11: 'timestamp-precision',
      13: 'text-trim',
      14: 'text-type phone-as-number',
      12: 'password',
      15: 'token-format',
      16: 'policy-no group-life-policy-number group-life-user',
      18: 'phone-digits',
      19: 'status-of-invalid',
      20: 'group-life-start',
      21: 'success-messages',
      22: 'token-used token-unknown token-expired',
      23: 'token purchase',
      25: 'gender-words',
    },
    unlisted: `members-as-text members-next-of-kin ${NOBODY}`,
    silent: {
      8: 'the items of a page are not where contract has them',
      17: 'no motor policy can be bought',
      24: 'its clock cannot be moved to the end of a cover',
      26: 'the items of a page are not where contract has them',
    },
  },
};

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');

describe.each(Object.entries(STRANGERS))('the report of the %s server', (name, deviations) => {
  test('tells every deviation that its author lists, and nothing else', async () => {
    const report = await checkStranger(name as StrangerName);
    const expected = [...Object.values(deviations.told), deviations.unlisted].flatMap(words);
    expect([...new Set(told(report))].toSorted()).toEqual([...new Set(expected)].toSorted());
  });

  test('has a reason for each deviation that it does not tell', () => {
    const numbers = [...Object.keys(deviations.told), ...Object.keys(deviations.silent)]
      .map(Number)
      .toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, place) => place + 1));
  });
});

test('a second check under the profile that the first one wrote tells no decision again', async () => {
  const { profile } = await checkStranger('laravel');
  const again = await checkStranger('laravel', { profile });
  expect(again.profile).toEqual(profile);
  const differ = again.probes.filter(({ outcome }) => outcome === 'differs');
  expect(differ.filter(({ about }) => about in profile.decisions).map(({ id }) => id)).toEqual([
    // No profile can set these.
    'body-size',
    'status-of-invalid',
    'error-envelope-of-tokens',
  ]);
});

test('what sells twice or shows policies of others comes first', async () => {
  const lines = toText(await checkStranger('minimal')).split('\n');
  const titles = lines.filter((line) => line.startsWith('✗ ')).slice(0, 3);
  expect(titles).toEqual([
    '✗ Two verifies at once create one policy',
    '✗ A second verify is refused: the token has already been used',
    '✗ A policy of another merchant is answered as an unknown one, and cannot be renewed',
  ]);
});
