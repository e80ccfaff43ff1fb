import { z } from '@hono/zod-openapi';
import { pageFields } from '../../api/pagination.ts';
import {
  amount,
  count,
  date,
  email,
  identityNumber,
  lookupText,
  optionalText,
  productId,
  text,
} from '../../api/request-fields.ts';
import {
  bySettings,
  frequencyIn,
  imageIn,
  imageMeta,
  phoneIn,
  type RequestForms,
  underForms,
} from '../../api/request-forms.ts';
import { SHARED_SETTINGS } from '../../world/settings.ts';
import { assumed, namedRequest, withExample } from '../named-schemas.ts';
import { verifyRequest } from '../policy.ts';
import { SETTINGS } from './settings.ts';

export const EXAMPLE_TOKEN = '3f7a1c9be20d4586a7b1c3d5e7f90123456789ab';

const POLICY_NO = withExample('The policy number, 10 digits.', '4017395826', 'policy-no');

/** A policy number, in an answer or in a path. */
export const policyNo = z.string().meta({
  ...POLICY_NO,
  'x-issued': { as: 'policy_no', form: /^\d{10}$/, says: '10 digits' },
  'x-key': true,
});

/** Payment frequencies a subscription may have, and `yearly`, answered as `annually` (`frequency-words`). */
const FREQUENCY_WORDS = {
  monthly: 'monthly',
  quarterly: 'quarterly',
  annually: 'annually',
  yearly: 'annually',
} as const;

const frequency = (forms: RequestForms) =>
  frequencyIn(forms, FREQUENCY_WORDS, {
    description: 'How often the premium is paid; yearly means annually.',
    examples: ['monthly'],
    'x-assumptions': ['frequency-words'],
  });

/** An amount that is compared with the premium, unless a profile ignores it. */
const premium = (description: string) =>
  amount({
    ...bySettings(SETTINGS, ({ amountCheck }) => ({
      description: `${description}; ${amountCheck === 'exact' ? 'another amount is refused' : 'another amount is taken as well'}.`,
    })),
    examples: [700],
    'x-assumptions': ['text-and-numbers', 'amount-check'],
  });

const quoteRequest = (forms: RequestForms) =>
  namedRequest('MicroHealthQuoteRequest', assumed('What to price.', 'micro-health-required'), {
    no_of_users: count({
      description: 'The principal and the beneficiaries: one beneficiary makes 2 users.',
      examples: [2],
      'x-assumptions': ['text-and-numbers', 'users-count'],
    }),
    subscription_type: frequency(forms),
    product_id: productId(withExample('A micro-health product.', '1')),
  });
export const MicroHealthQuoteRequest = quoteRequest(SHARED_SETTINGS);
export const otherQuoteRequest = underForms(quoteRequest);
export type MicroHealthQuoteRequest = z.output<typeof MicroHealthQuoteRequest>;

/** The fields that name beneficiaries, in the order their names are kept in. */
export const BENEFICIARY_FIELDS = [
  'first_beneficiary_full_name',
  'second_beneficiary_full_name',
  'third_beneficiary_full_name',
] as const;

const beneficiaryName = (which: string) =>
  optionalText(withExample(`Full name of the ${which} beneficiary.`, 'Bola Ade'));

const initiateRequest = (forms: RequestForms) =>
  namedRequest(
    'MicroHealthInitiateRequest',
    assumed('A first-time subscription.', 'micro-health-required'),
    {
      first_name: text(withExample('First name of the principal.', 'Ada')),
      surname: text(withExample('Surname of the principal.', 'Obi')),
      email: email(withExample('E-mail address of the principal.', 'ada@example.com')),
      phone_no: phoneIn(forms, withExample('11 digits.', '08031234567')),
      date_of_birth: date({
        description: 'Y-m-d, not after today.',
        examples: ['1990-04-12'],
        'x-documented': ['time-zone'],
      }),
      product_id: productId(withExample('A micro-health product.', 1)),
      subscription_type: frequency(forms),
      amount: premium('The premium in naira for this number of users and frequency'),
      nin_number: identityNumber({
        'x-assumptions': ['nin-number'],
        description: 'National identity number, 11 digits.',
        examples: [12345678901],
      }),
      first_beneficiary_full_name: beneficiaryName('first'),
      second_beneficiary_full_name: beneficiaryName('second'),
      third_beneficiary_full_name: beneficiaryName('third'),
      id_url: imageIn(forms, {
        ...imageMeta('an identity document'),
        examples: ['https://files.example.com/id.png'],
      }),
      profile_url: optionalText({
        description: 'URL of a portrait; any text is accepted.',
        examples: ['https://files.example.com/me.png'],
        'x-assumptions': ['text-and-numbers', 'encoding'],
      }),
    },
    ['second_beneficiary_full_name', 'third_beneficiary_full_name'],
  );
export const MicroHealthInitiateRequest = initiateRequest(SHARED_SETTINGS);
export const otherInitiateRequest = underForms(initiateRequest);
export type MicroHealthInitiateRequest = z.output<typeof MicroHealthInitiateRequest>;

export const MicroHealthVerifyRequest = verifyRequest('MicroHealthVerifyRequest', EXAMPLE_TOKEN);

const topUpRequest = (forms: RequestForms) =>
  namedRequest(
    'MicroHealthTopUpRequest',
    assumed('The renewal of a subscription for one more period.', 'micro-health-required'),
    {
      subscription_type: frequencyIn(forms, FREQUENCY_WORDS, {
        description: 'The frequency chosen at subscription.',
        examples: ['monthly'],
        'x-assumptions': ['top-up-frequency', 'frequency-words'],
      }),
      amount: premium('The premium in naira for one period'),
      policy_no: lookupText(POLICY_NO),
    },
  );
export const MicroHealthTopUpRequest = topUpRequest(SHARED_SETTINGS);
export const otherTopUpRequest = underForms(topUpRequest);
export type MicroHealthTopUpRequest = z.output<typeof MicroHealthTopUpRequest>;

export const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Period = (typeof PERIODS)[number];

export const MicroHealthListRequest = z
  .object({
    ...pageFields,
    period: z
      .enum(PERIODS, { error: `must be one of ${PERIODS.join(', ')}.` })
      .meta({
        description:
          'Only subscriptions of the current day, week (from Monday), month, quarter or year, UTC.',
        'x-assumptions': ['list-selection'],
        'x-documented': ['time-zone'],
      })
      .optional(),
    start_date: date({
      description: 'Only subscriptions from this day on, UTC.',
      examples: ['2023-09-01'],
      'x-assumptions': ['list-selection'],
      'x-documented': ['date-limits', 'time-zone'],
    }).optional(),
    end_date: date({
      description: 'Only subscriptions up to and including this day, UTC.',
      examples: ['2023-11-30'],
      'x-assumptions': ['list-selection'],
      'x-documented': ['date-limits', 'time-zone'],
    }).optional(),
  })
  .openapi('MicroHealthListRequest');
export type MicroHealthListRequest = z.output<typeof MicroHealthListRequest>;

export const MicroHealthValidateRequest = z
  .object({ policy_no: policyNo })
  .openapi('MicroHealthValidateRequest');
