import { z } from '@hono/zod-openapi';
import { pageFields } from '../../api/pagination.ts';
import {
  amount,
  count,
  date,
  email,
  identityNumber,
  lookupText,
  optional,
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
  WIDEST_FORMS,
} from '../../api/request-forms.ts';
import { SHARED_SETTINGS } from '../../world/settings.ts';
import { verifyRequest } from '../purchase-token.ts';
import { EXAMPLE_POLICY_NO, EXAMPLE_REQUEST, EXAMPLE_TOKEN } from './examples.ts';
import { POLICY_NO, policyNo } from './schemas.ts';
import { SETTINGS } from './settings.ts';

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

const quoteRequest = (forms: RequestForms) =>
  z
    .object({
      no_of_users: count({
        description: 'The principal and the beneficiaries: one beneficiary makes 2 users.',
        examples: [2],
        'x-assumptions': ['text-and-numbers', 'users-count'],
      }),
      subscription_type: frequency(forms),
      product_id: productId({ description: 'A micro-health product.', examples: ['1'] }),
    })
    .openapi('MicroHealthQuoteRequest')
    .meta({
      description: 'What to price.',
      examples: [{ no_of_users: 2, subscription_type: 'monthly', product_id: '1' }],
      'x-assumptions': ['micro-health-required'],
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
  optional(text({ description: `Full name of the ${which} beneficiary.`, examples: ['Bola Ade'] }));

/** What a document says of an amount that is compared with the premium, unless a profile ignores it. */
const premiumMeta = (description: string) =>
  bySettings(SETTINGS, ({ amountCheck }) => ({
    description: `${description}; ${amountCheck === 'exact' ? 'another amount is refused' : 'another amount is taken as well'}.`,
  }));

const initiateRequest = (forms: RequestForms) =>
  z
    .object({
      first_name: text({ description: 'First name of the principal.', examples: ['Ada'] }),
      surname: text({ description: 'Surname of the principal.', examples: ['Obi'] }),
      email: email({
        description: 'E-mail address of the principal.',
        examples: ['ada@example.com'],
      }),
      phone_no: phoneIn(forms, { description: '11 digits.', examples: ['08031234567'] }),
      date_of_birth: date({
        description: 'Y-m-d, not after today.',
        examples: ['1990-04-12'],
        'x-documented': ['time-zone'],
      }),
      product_id: productId({ description: 'A micro-health product.', examples: [1] }),
      subscription_type: frequency(forms),
      amount: amount({
        ...premiumMeta('The premium in naira for this number of users and frequency'),
        examples: [700],
        'x-assumptions': ['text-and-numbers', 'amount-check'],
      }),
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
      profile_url: optional(
        text({
          description: 'URL of a portrait; any text is accepted.',
          examples: ['https://files.example.com/me.png'],
          'x-assumptions': ['text-and-numbers', 'encoding'],
        }),
      ),
    })
    .openapi('MicroHealthInitiateRequest')
    .meta({
      description: 'A first-time subscription.',
      examples: [EXAMPLE_REQUEST],
      'x-assumptions': ['micro-health-required'],
    });
export const MicroHealthInitiateRequest = initiateRequest(SHARED_SETTINGS);
export const otherInitiateRequest = underForms(initiateRequest);
/** With every value that any profile lets into a pending purchase. */
export const widestInitiateRequest = () =>
  otherInitiateRequest(WIDEST_FORMS) ?? MicroHealthInitiateRequest;
export type MicroHealthInitiateRequest = z.output<typeof MicroHealthInitiateRequest>;

export const MicroHealthVerifyRequest = verifyRequest('MicroHealthVerifyRequest', EXAMPLE_TOKEN);

const topUpRequest = (forms: RequestForms) =>
  z
    .object({
      subscription_type: frequencyIn(forms, FREQUENCY_WORDS, {
        description: 'The frequency chosen at subscription.',
        examples: ['monthly'],
        'x-assumptions': ['top-up-frequency', 'frequency-words'],
      }),
      amount: amount({
        ...premiumMeta('The premium in naira for one period'),
        examples: [700],
        'x-assumptions': ['text-and-numbers', 'amount-check'],
      }),
      policy_no: lookupText(POLICY_NO),
    })
    .openapi('MicroHealthTopUpRequest')
    .meta({
      description: 'The renewal of a subscription for one more period.',
      examples: [
        {
          subscription_type: EXAMPLE_REQUEST.subscription_type,
          amount: EXAMPLE_REQUEST.amount,
          policy_no: EXAMPLE_POLICY_NO,
        },
      ],
      'x-assumptions': ['micro-health-required'],
    });
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
