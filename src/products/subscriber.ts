/* The person who buys: the fields, checks and record that all families share. */

import { z } from '@hono/zod-openapi';
import { date } from '../api/request-fields.ts';
import { phoneIn, phoneMeta } from '../api/request-forms.ts';
import { id, timestamp, writtenFields } from '../api/response-fields.ts';
import { fieldError } from '../world/errors.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import type { Settings } from '../world/settings.ts';
import { midnight } from '../world/time.ts';
import { assumed } from './named-schemas.ts';

/** A field that no request sets and the contract leaves open (`subscriber-defaults`). */
const BY_DEFAULT = assumed(
  'Null for new customers. No request sets this field.',
  'subscriber-defaults',
);

/** A text that no request sets, null for new customers. */
export const unsetText = onFirstUse(() => z.string().nullable().meta(BY_DEFAULT));

/** A whole number that no request sets. */
export const unsetNumber = onFirstUse(() => z.int().nullable().meta(BY_DEFAULT));

/** A moment that no request sets. */
export const unsetTimestamp = onFirstUse(() => timestamp().nullable().meta(BY_DEFAULT));

/** The first fields of a subscriber in every response. */
export const personFields = (settings: Settings) => ({
  id: id(),
  first_name: z.string().describe('First name.'),
  middle_name: unsetText(),
  surname: z.string().describe('Surname.'),
  phone_no: z.string().meta(phoneMeta(settings, 'Phone number')),
  email: z.string().describe('E-mail address.'),
  address: unsetText(),
  gender: unsetText().describe('Gender as sent in the request. Null if none was sent.'),
});

/** The fields of a subscriber in every family. `policyNo` differs by family. */
export const subscriberFields = (settings: Settings, policyNo: z.ZodString) => ({
  ...personFields(settings),
  date_of_birth: timestamp({ description: 'Date of birth, as midnight UTC.' }),
  password: z.null().describe('Always null.'),
  policy_no: policyNo,
  have_beneficiaries: z.boolean().describe('Whether the purchase named beneficiaries.'),
  enable: z.boolean().describe('True for new customers.'),
  next_of_kin_full_name: unsetText(),
  merchant_user_id: id().nullable().describe('Id of the merchant.'),
  user_type: z.string().meta({
    ...BY_DEFAULT,
    description: '`principal` for new customers.',
    examples: ['principal'],
  }),
  ...writtenFields(),
});

/** A date of birth in a request. */
export const birthDate = (whose: string, example: string) =>
  date({
    description: `Date of birth of ${whose}, YYYY-MM-DD. Today or earlier.`,
    examples: [example],
    'x-documented': ['time-zone'],
  });

/** A phone number in a request. */
export const phoneOf = (settings: Settings, whose: string, example: string) =>
  phoneIn(settings, { ...phoneMeta(settings, `Phone number of ${whose}`), examples: [example] });

/** The problems of a date of birth, if it is known. It must not be after today. */
export const checkBirthDate = (field: string, born: string | undefined, today: string) =>
  born === undefined || born <= today
    ? []
    : [fieldError(field, 'range', 'must not be after today.', 'text-and-numbers')];

/** The person who buys. */
export interface Purchaser {
  readonly first_name: string;
  readonly surname: string;
  readonly phone_no: string;
  readonly email: string;
  readonly gender?: string;
  /** YYYY-MM-DD */
  readonly date_of_birth: string;
}

/** The subscriber record of a purchase. */
export function createSubscriber(
  purchaser: Purchaser,
  known: {
    readonly id: number;
    readonly policyNo: string;
    readonly merchantId: number;
    readonly haveBeneficiaries: boolean;
    /** Timestamp of the purchase. */
    readonly written: string;
  },
) {
  return {
    id: known.id,
    first_name: purchaser.first_name,
    middle_name: null,
    surname: purchaser.surname,
    phone_no: purchaser.phone_no,
    email: purchaser.email,
    address: null,
    gender: purchaser.gender ?? null,
    date_of_birth: midnight(purchaser.date_of_birth),
    password: null,
    policy_no: known.policyNo,
    have_beneficiaries: known.haveBeneficiaries,
    enable: true,
    next_of_kin_full_name: null,
    merchant_user_id: known.merchantId,
    user_type: 'principal',
    created_at: known.written,
    updated_at: known.written,
  };
}
