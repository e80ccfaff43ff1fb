import { z } from '@hono/zod-openapi';
import { phoneMeta } from '../api/request-forms.ts';
import { issuedId, timestamp, writtenFields } from '../api/response-fields.ts';
import { fieldError } from '../world/errors.ts';
import { midnight } from '../world/time.ts';
import { assumed } from './named-schemas.ts';

/** A field that the contract leaves open and no request sets (`subscriber-defaults`). */
const BY_DEFAULT = assumed(
  'Null for everybody who buys: no request sets it.',
  'subscriber-defaults',
);

/** A text that no request sets: null for everybody who buys. */
export const unsetText = z.string().nullable().meta(BY_DEFAULT);

/** A whole number that no request sets. */
export const unsetNumber = z.int().nullable().meta(BY_DEFAULT);

/** A moment that no request sets. */
export const unsetTimestamp = timestamp().nullable().meta(BY_DEFAULT);

/** The first fields of a subscriber in every answer. */
export const personFields = {
  id: issuedId('user'),
  first_name: z.string().describe('First name.'),
  middle_name: unsetText,
  surname: z.string().describe('Surname.'),
  phone_no: z.string().meta(phoneMeta('Phone number')),
  email: z.string().describe('E-mail address.'),
  address: unsetText,
  gender: unsetText.describe('As the request named it; null where it names none.'),
};

/** The fields of a subscriber in every family; `policyNo` is the family's own. */
export const subscriberFields = (policyNo: z.ZodString) => ({
  ...personFields,
  date_of_birth: timestamp({ description: 'Midnight UTC of the day of birth.' }),
  password: z.null().describe('Always null.'),
  policy_no: policyNo,
  have_beneficiaries: z.boolean().describe('Whether the purchase named any.'),
  enable: z.boolean().describe('True for everybody who buys.'),
  next_of_kin_full_name: unsetText,
  merchant_user_id: issuedId('merchant').nullable().describe('The merchant.'),
  user_type: z.string().meta({
    ...BY_DEFAULT,
    description: 'principal for everybody who buys.',
    examples: ['principal'],
  }),
  ...writtenFields,
});

/** What is wrong with a date of birth, if it is known: it must not be after today. */
export const checkBirthDate = (field: string, born: string | undefined, today: string) =>
  born === undefined || born <= today
    ? []
    : [fieldError(field, 'must not be after today.', 'text-and-numbers')];

/** The person who buys, as a purchase names them. */
export interface Purchaser {
  readonly first_name: string;
  readonly surname: string;
  readonly phone_no: string;
  readonly email: string;
  readonly gender?: string;
  /** Y-m-d */
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
    /** The timestamp of the purchase. */
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
