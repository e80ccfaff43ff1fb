/* The requests of micro-health, field by field, as documents show and schemas read them. */

import { z } from '@hono/zod-openapi';
import { pageFields } from '../../api/pagination.ts';
import {
  amount,
  count,
  date,
  email,
  lookupText,
  numberAsText,
  optionalText,
  personal,
  productId,
  text,
} from '../../api/request-fields.ts';
import { frequencyIn, imageMeta } from '../../api/request-forms.ts';
import { IDENTITY_LENGTH, paddedPhone } from '../../world/limits.ts';
import { nextDigits } from '../../world/random.ts';
import type { Settings } from '../../world/settings.ts';
import { TIME_ZONE } from '../../world/time-zone.ts';
import type { TokenRules } from '../../world/tokens.ts';
import { assumed, namedRequest, withExample } from '../named-schemas.ts';
import { type NumberForm, verifyRequest } from '../policy.ts';
import { birthDate, phoneOf } from '../subscriber.ts';
import { AMOUNT_CHECK, documentUrlIn, identityNumberIn } from './settings.ts';

/** The purchase tokens of micro-health (`token-format`). */
export const TOKENS: TokenRules = {
  example: '3f7a1c9be20d4586a7b1c3d5e7f90123456789ab',
  draw: (random) => nextDigits(random, 40, 16),
};

/** The policy numbers of micro-health (`policy-no`). */
export const POLICY_NUMBERS: NumberForm = { prefix: '', digits: 10 };
/** A policy of the demo merchant, so that look-ups and renewals work as the documents show them. */
const EXAMPLE_POLICY_NO = '1460282547';

const POLICY_NO = withExample(
  `Policy number, ${POLICY_NUMBERS.digits} digits.`,
  EXAMPLE_POLICY_NO,
  'policy-no',
);

/** A policy number in a response or a path. */
export const policyNo = z.string().meta(POLICY_NO);

/** Calendar months between two payments, by payment frequency. */
export const MONTHS = { monthly: 1, quarterly: 3, annually: 12 } as const;
export type Frequency = keyof typeof MONTHS;
export const FREQUENCIES = Object.keys(MONTHS) as Frequency[];

/** How requests may spell them. `yearly` is returned as `annually` (`frequency-words`). */
export const FREQUENCY_WORDS = {
  monthly: 'monthly',
  quarterly: 'quarterly',
  annually: 'annually',
  yearly: 'annually',
} as const;

const frequency = (settings: Settings) =>
  frequencyIn(settings, FREQUENCY_WORDS, {
    description: 'How often the premium is paid. `yearly` means `annually`.',
    examples: ['monthly'],
    'x-assumptions': ['frequency-words'],
  });

/** An amount that must be the premium, unless a profile ignores it. */
const premium = (settings: Settings, description: string) =>
  amount({
    description: `${description} ${AMOUNT_CHECK.of(settings).says}`,
    examples: [700],
    'x-assumptions': ['text-and-numbers', 'amount-check'],
    'x-accepted': numberAsText,
  });

const quoteRequest = (settings: Settings) =>
  namedRequest('MicroHealthQuoteRequest', assumed('The plan to quote.', 'micro-health-required'), {
    no_of_users: count({
      description:
        'Number of people covered: the principal and the beneficiaries. With one beneficiary it is 2.',
      examples: [2],
      'x-assumptions': ['text-and-numbers', 'users-count'],
      'x-accepted': numberAsText,
    }),
    subscription_type: frequency(settings),
    product_id: productId(withExample('Id of a micro-health product.', 1)),
  });
export type MicroHealthQuoteRequest = z.output<ReturnType<typeof quoteRequest>>;

/** The fields that name beneficiaries, in the order in which their names are stored. */
export const BENEFICIARY_FIELDS = [
  'first_beneficiary_full_name',
  'second_beneficiary_full_name',
  'third_beneficiary_full_name',
] as const;

const beneficiaryName = (which: string) =>
  optionalText(withExample(`Full name of the ${which} beneficiary.`, 'Bola Ade'));

const initiateRequest = (settings: Settings) =>
  namedRequest(
    'MicroHealthInitiateRequest',
    assumed('The details of a new policy.', 'micro-health-required'),
    {
      first_name: text(withExample('First name of the principal.', 'Ada')),
      surname: text(withExample('Surname of the principal.', 'Obi')),
      email: email(withExample('E-mail address of the principal.', 'ada@example.com')),
      phone_no: phoneOf(settings, 'the principal', paddedPhone('0803', '1234567')),
      date_of_birth: birthDate('the principal', '1990-04-12'),
      product_id: productId(withExample('Id of a micro-health product.', 1)),
      subscription_type: frequency(settings),
      amount: premium(
        settings,
        'The premium for this number of users and payment frequency, in naira.',
      ),
      nin_number: personal(
        identityNumberIn(settings, 'National identification number of the principal', {
          'x-assumptions': ['nin-number'],
          examples: ['1'.padEnd(IDENTITY_LENGTH, '2345678901')],
        }),
        'nin',
      ),
      first_beneficiary_full_name: beneficiaryName('first'),
      second_beneficiary_full_name: beneficiaryName('second'),
      third_beneficiary_full_name: beneficiaryName('third'),
      id_url: documentUrlIn(settings, {
        ...imageMeta(settings, 'an identity document'),
        examples: ['https://files.example.com/id.png'],
        'x-assumptions': ['text-and-numbers', 'id-url'],
      }),
      profile_url: optionalText({
        description: 'Photo of the principal: a URL or any other text.',
        examples: ['https://files.example.com/me.png'],
        'x-assumptions': ['text-and-numbers', 'encoding'],
      }),
    },
    ['second_beneficiary_full_name', 'third_beneficiary_full_name'],
  );
export type MicroHealthInitiateRequest = z.output<ReturnType<typeof initiateRequest>>;

const MicroHealthVerifyRequest = verifyRequest('MicroHealthVerifyRequest', TOKENS);

const topUpRequest = (settings: Settings) =>
  namedRequest(
    'MicroHealthTopUpRequest',
    assumed('The policy to renew.', 'micro-health-required'),
    {
      subscription_type: frequencyIn(settings, FREQUENCY_WORDS, {
        description: 'The payment frequency chosen at purchase.',
        examples: ['monthly'],
        'x-assumptions': ['top-up-frequency', 'frequency-words'],
      }),
      amount: premium(settings, 'The premium for one period, in naira.'),
      policy_no: lookupText(POLICY_NO),
    },
  );
export type MicroHealthTopUpRequest = z.output<ReturnType<typeof topUpRequest>>;

export const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Period = (typeof PERIODS)[number];

const listRequest = (settings: Settings, zone = TIME_ZONE.in(settings)) =>
  z
    .object({
      ...pageFields(settings),
      period: z
        .enum(PERIODS, { error: `must be one of ${PERIODS.join(', ')}.` })
        .meta({
          description: `Only policies bought in the current day, week, month, quarter or year. Periods are in ${zone} and weeks start on Monday.`,
          'x-assumptions': ['list-selection'],
          'x-documented': ['time-zone'],
        })
        .optional(),
      start_date: date({
        description: `Only policies bought on or after this day, YYYY-MM-DD, in ${zone}.`,
        examples: ['2023-09-01'],
        'x-assumptions': ['list-selection'],
        'x-documented': ['date-limits', 'time-zone'],
      }).optional(),
      end_date: date({
        description: `Only policies bought on or before this day, YYYY-MM-DD, in ${zone}.`,
        examples: ['2023-11-30'],
        'x-assumptions': ['list-selection'],
        'x-documented': ['date-limits', 'time-zone'],
      }).optional(),
    })
    .openapi('MicroHealthListRequest');
export type MicroHealthListRequest = z.output<ReturnType<typeof listRequest>>;

const MicroHealthValidateRequest = namedRequest(
  'MicroHealthValidateRequest',
  { description: 'The policy to look up.' },
  { policy_no: policyNo },
);

/** The requests of micro-health under these settings, by their names in documents. */
export const createRequests = (settings: Settings) => ({
  MicroHealthQuoteRequest: quoteRequest(settings),
  MicroHealthInitiateRequest: initiateRequest(settings),
  MicroHealthVerifyRequest,
  MicroHealthTopUpRequest: topUpRequest(settings),
  MicroHealthListRequest: listRequest(settings),
  MicroHealthValidateRequest,
});
