/* What families share about policies: looking one up, the months of a cover, and buying one with initiate and verify. */

import { z } from '@hono/zod-openapi';
import { type FieldMeta, lookupText, otherName } from '../api/request-fields.ts';
import type { AssumptionId } from '../world/assumptions.ts';
import { fieldError, refused, throwIfInvalid } from '../world/errors.ts';
import { TOKEN_MINUTES } from '../world/limits.ts';
import { nextDigits, type RandomState } from '../world/random.ts';
import { choice, type Settings } from '../world/settings.ts';
import type { RecordTable } from '../world/tables.ts';
import { addMonths, addMonthsOverflowing } from '../world/time.ts';
import { TOKEN_BOUNDARY, type TokenRules } from '../world/tokens.ts';
import { namedRequest, namedResponse, withExample } from './named-schemas.ts';

/** The record with this policy number. Throws `policy_unknown`, also if it belongs to another merchant (`foreign-policy`). */
export function findByPolicyNumber<R>(records: RecordTable<R>, number: string): R {
  const record = records.get(number);
  if (record) return record;
  throw refused('policy_unknown', 'The policy was not found.');
}

/** Numbers that the service issues: a prefix and random digits. */
export interface NumberForm {
  readonly prefix: string;
  readonly digits: number;
}

/** Draws a number that is not taken. */
export function nextNumber(
  random: RandomState,
  { prefix, digits }: NumberForm,
  isTaken: (drawn: string) => boolean,
): string {
  let drawn: string;
  do drawn = prefix + nextDigits(random, digits);
  while (isTaken(drawn));
  return drawn;
}

/** A policy number with a prefix in responses. */
export const policyNumberField = (
  { prefix, digits }: NumberForm,
  example: string,
  assumption: AssumptionId,
) =>
  z.string().meta({
    description: `Policy number: ${prefix} followed by ${digits} digits.`,
    examples: [example],
    'x-assumptions': [assumption],
  });

/** How calendar months are added to the start of a cover whose day the last month may lack. */
export const MONTH_END = choice('month-end', {
  clamp: { addMonths },
  overflow: { addMonths: addMonthsOverflowing },
});

type Spelling = 'Policy_number' | 'policyNumber' | 'policy_number';

/** How a details request names its policy. */
export interface PolicyLookup {
  /** If a request has several, the first in this order is used. */
  readonly spellings: readonly [Exclude<Spelling, 'policyNumber'>, Spelling, Spelling];
  /** The spellings that the specification has. */
  readonly specified: readonly Spelling[];
  readonly assumption: AssumptionId;
  readonly example: string;
}

/**
 * A request for the details of a policy. Documents say only in words that one spelling is required: code generators do
 * not understand a schema of that. OpenAPI 3.0 has the first spelling only, because its generators give all three one
 * name.
 */
export function detailsRequest(
  name: string,
  { spellings: [first, ...others], specified, assumption, example }: PolicyLookup,
) {
  const number = (meta: FieldMeta) =>
    lookupText({ ...meta, examples: [example], 'x-assumptions': [assumption] }).optional();
  const accepted = `Policy number. Required unless it is sent as \`${others.join('` or `')}\`.`;
  const fields = [
    [first, number({ description: accepted })],
    ...others.map((other) => [
      other,
      number({
        description: `The same as \`${first}\`, which is used if both are sent.`,
        'x-spelling': true,
        ...(!specified.includes(other) && { 'x-accepted': otherName(first) }),
      }),
    ]),
  ];
  return z
    .object(Object.fromEntries(fields) as Record<Spelling, ReturnType<typeof number>>)
    .openapi(name)
    .meta({
      description: 'The policy to look up.',
      examples: [{ [first]: example }],
      minProperties: 1,
      'x-assumptions': [assumption],
    });
}

/** What such a request does. `included` says what the policy comes with. */
export const detailsDescription = (
  included: string,
  { spellings: [first, second, third] }: PolicyLookup,
): string =>
  `Returns the policy with this policy number${included}. Send the number as \`${first}\`, \`${second}\` or \`${third}\`. If a request has several of them, the first in this order is used.`;

/** The record that such a request names. Refuses a request without a number. Throws `policy_unknown`. */
export function findRequested<R>(
  records: RecordTable<R>,
  input: Readonly<Partial<Record<Spelling, string | undefined>>>,
  { spellings, assumption }: PolicyLookup,
): R {
  const number = spellings.map((each) => input[each]).find((sent) => sent !== undefined) ?? '';
  if (number === '')
    throwIfInvalid([fieldError(spellings[0], 'required', 'is required.', assumption)]);
  return findByPolicyNumber(records, number);
}

/* A purchase takes two steps: initiate returns a token, and verify takes it. */

/** What an initiate that returns only the token does. */
export const INITIATE_DESCRIPTION = `Saves the purchase details for ${TOKEN_MINUTES} minutes and returns the token for verify. There is no policy until verify succeeds.`;

/** What a verify does. */
export const VERIFY_DESCRIPTION = `Turns the pending purchase into a policy and returns it. Send the purchase token within ${TOKEN_MINUTES} minutes of initiate. Each token works once.`;

/** The token in the response of an initiate. */
export const tokenField = (
  settings: Settings,
  { example }: TokenRules,
  ...assumptions: readonly AssumptionId[]
) =>
  z.string().meta({
    description: `Purchase token. Send it to verify within ${TOKEN_MINUTES} minutes. At exactly ${TOKEN_MINUTES}:00.000 it ${TOKEN_BOUNDARY.of(settings).atEnd}.`,
    examples: [example],
    'x-assumptions': [...assumptions, 'token-boundary'],
  });

/** The `data` of an initiate that returns only the token. */
export const purchaseToken = (settings: Settings, name: string, rules: TokenRules) =>
  namedResponse(
    name,
    { description: 'The token of a pending purchase.' },
    { token: tokenField(settings, rules, 'token-format') },
  );

/** The body of a verify. */
export const verifyRequest = (name: string, { example }: TokenRules, meta: FieldMeta = {}) =>
  namedRequest(
    name,
    { description: 'The purchase to complete.' },
    {
      token: lookupText({
        ...withExample('Purchase token that initiate returned.', example, 'token-unknown'),
        ...meta,
      }),
    },
  );
