/* Schemas and fields that features of the control plane share, and the values of their examples. */

import { z } from '@hono/zod-openapi';
import { failure } from '../api/envelope.ts';
import type { Operation } from '../api/operation.ts';
import type { ProductFamily } from '../products/family.ts';
import { families } from '../products/index.ts';
import { anyFamilies, operations } from '../products/world.ts';
import type { Moment, OperationId } from '../types/public.ts';
import { isClockInstant, momentText } from '../world/clock.ts';
import { DURATION_FORM } from '../world/duration.ts';
import { inputObject } from '../world/input-object.ts';
import { TOKEN_MINUTES } from '../world/limits.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import { isPlainObject, truncate } from '../world/problem-texts.ts';
import { type Instant, MAX_INSTANT, MIN_INSTANT, withTime } from '../world/time.ts';
import { TOKEN_LIFETIME_MS } from '../world/tokens.ts';

/*
 * Values that the examples of the control plane share. Together they tell one story: a merchant buys a policy, and the
 * response to its verify is lost. The family is the one whose expired token the contract shows.
 */

/** The operation that completes the purchase of the story. */
const verify = operations.find(
  ({ role, envelope }) => role === 'verify' && envelope.integerCode,
) as Operation;
const family = anyFamilies.find((each) => each.operations.includes(verify)) as ProductFamily;

/** The body of that operation: the purchase token. */
const [purchase] = verify.input?.meta()?.examples ?? [];

const now = '2026-01-31T10:00:00.000Z';

export const EXAMPLE = {
  now,
  /** How long the purchase is pending, and when it expires. */
  lifetime: `PT${TOKEN_MINUTES}M`,
  later: momentText(Date.parse(now) + TOKEN_LIFETIME_MS),
  familyKey: family.key,
  initiate: family.initiateOperation,
  verify: verify.operationId,
  verifyPath: verify.path,
  /** The first fields of a policy of the family, as the API returns it. */
  policy: { id: 1, product_id: 2, policy_number: 'IN59810802' },
  token: (purchase as { readonly token: string }).token,
  /** The body of the response when verify comes too late. */
  expired: failure(verify.envelope, 400, ['Token has expired'], verify.envelope.integerCode),
} as const;

/*
 * Schemas with a name in the document. Each is made on first use, because a program needs few of them.
 */

/** What the control plane returns. */
export const namedOutput = <Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  shape: () => Shape,
  example?: object,
) => onFirstUse(() => z.strictObject(shape()).openapi(name).meta(about(description, example)));

/** What it takes. */
export const namedInput = <Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  shape: () => Shape,
  example?: object,
) => onFirstUse(() => inputObject(shape()).openapi(name).meta(about(description, example)));

const about = (description: string, example: object | undefined) => ({
  description,
  ...(example && { examples: [example] }),
});

/*
 * Fields that several features share. Moments are ISO 8601 texts with an offset or Z, durations are ISO 8601 texts.
 */

/** A moment in a response: UTC, with milliseconds. */
export const shownMoment = (description: string) =>
  z.iso
    .datetime({ precision: 3 })
    .meta({ description, examples: [EXAMPLE.now], format: 'date-time' });

/** The moment that a text names; NaN if there is no such moment. */
export function readMoment(text: string): Instant {
  const written = withTime(text);
  return dateTime().safeParse(written).success ? Date.parse(written) : Number.NaN;
}

const dateTime = () => z.iso.datetime({ offset: true });

export const MOMENT_FORM = `a time like 2026-01-31T10:00:00Z or a day like 2026-01-31, from ${momentText(MIN_INSTANT)} to ${momentText(MAX_INSTANT)}`;

/** A moment in a request. `readMoment` reads it. */
export const moment = (description: string) =>
  z
    .string()
    .refine((text) => isClockInstant(readMoment(text)), { error: MOMENT_FORM })
    .meta({
      description: `${description} A day means its midnight UTC.`,
      examples: [EXAMPLE.now],
      format: 'date-time',
    });

/** A moment in a request, or `next`: just past the next event of the World. */
export const momentOrNext = (description: string) =>
  z
    .string()
    .refine((text) => text === 'next' || isClockInstant(readMoment(text)), {
      error: `${MOMENT_FORM}, or "next"`,
    })
    .meta({
      description: `${description} A day means its midnight UTC. \`next\` is just past the next event of the World: a pending purchase expires, or a cover ends.`,
      examples: [EXAMPLE.now],
    });

/** A duration in a request. `later` validates it. */
export const duration = (description: string, example: string) =>
  z.string({ error: DURATION_FORM }).meta({ description, examples: [example], format: 'duration' });

export const clockMode = () => z.enum(['running', 'frozen']).describe('Whether time passes.');

/** The name of an operation. */
export const operationName = () =>
  z
    .enum(operationIds, { error: 'an operationId of the merchant API' })
    .describe('An operationId of the merchant API.');

/** The product family of a policy. */
export const familyKey = () =>
  z.enum(families.map(({ key }) => key)).meta({
    description: 'The product family.',
    examples: [EXAMPLE.familyKey],
  });

/** The operation that initiated a purchase. */
export const initiateName = () =>
  z
    .enum(anyFamilies.map(({ initiateOperation }) => initiateOperation))
    .describe('The operation that initiated it.');

export const purchaseToken = () => z.string().describe('The purchase token that verify takes.');

/** The status of a response. */
export const httpStatus = () =>
  z.int().min(100).max(599).describe('The HTTP status of the response.');

/** Every operationId of the merchant API. */
export const operationIds = operations.map(({ operationId }) => operationId as OperationId);

/** Converts a moment to a text. Untyped code may pass anything; what is no moment becomes a text that names none. */
export function momentToText(moment: Moment): string {
  if (typeof moment === 'string') return moment;
  // `Date` would read null and true as 1970.
  const isMoment = typeof moment === 'number' || (typeof moment === 'object' && moment !== null);
  try {
    if (isMoment) return new Date(moment).toISOString();
  } catch {
    // An invalid date.
  }
  return truncate(moment);
}

/** Returns an input with its moment as a text. */
export function withMomentText<Key extends 'now' | 'to'>(input: unknown, key: Key): unknown {
  if (!isPlainObject(input)) return input;
  const moment = Reflect.get(input, key) as Moment | undefined;
  return moment === undefined ? input : { ...input, [key]: momentToText(moment) };
}
