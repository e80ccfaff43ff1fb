/*
 * The fields of pending purchases as a World stores them: every value that initiate accepts under some profile, in the
 * form in which it stores it.
 */

import { z } from '@hono/zod-openapi';
import { isBlank } from '../api/request.ts';
import {
  address,
  date,
  email,
  gender,
  isInKobo,
  MAX_AMOUNT,
  patterned,
  text,
  year,
} from '../api/request-fields.ts';
import { ANY_PHONE_FORM } from '../api/request-forms.ts';
import { onFirstUse } from '../world/on-first-use.ts';

/** A text that a request field of this kind accepts. */
export const stored = (kind: z.ZodType, expected: string) =>
  z
    .string()
    .refine((value) => !isBlank(value) && kind.safeParse(value).success, { error: expected });

export const storedText = onFirstUse(() =>
  stored(text(), 'a text that is not blank and has no control characters or lone surrogates'),
);
export const storedAddress = onFirstUse(() =>
  stored(
    address(),
    'a text that is not blank and has no control characters but line breaks and tabs',
  ),
);
export const storedEmail = onFirstUse(() => stored(email(), 'an e-mail address'));
export const storedGender = onFirstUse(() => stored(gender(), 'female or male'));
export const storedDate = onFirstUse(() =>
  stored(date(), 'a calendar day from 1900-01-01 to 9999-12-31'),
);
export const storedYear = onFirstUse(() => stored(year(), 'a year from 1900 to 9999'));
/** The widest form of a phone number (`phone-digits`). */
export const storedPhone = onFirstUse(() =>
  stored(patterned(ANY_PHONE_FORM, ''), '7 to 15 digits, with or without a plus before them'),
);
export const storedAmount = onFirstUse(() =>
  z
    .number()
    .gt(0)
    .lte(MAX_AMOUNT)
    .refine(isInKobo, { error: 'naira with at most two decimal places' }),
);
