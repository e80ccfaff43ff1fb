import { z } from '@hono/zod-openapi';
import type { Endpoint } from '../api/endpoint.ts';
import { failure } from '../api/envelope.ts';
import type { ProductFamily } from '../products/family.ts';
import { anyFamilies } from '../products/world.ts';
import type { Moment } from '../public.ts';
import { isClockInstant } from '../world/clock.ts';
import { nearest, truncate } from '../world/problem-texts.ts';
import { type Instant, MAX_INSTANT, MIN_INSTANT } from '../world/time.ts';
import { ControlError } from './control-error.ts';

/*
 * What the examples of the control plane have in common. They tell one story: a merchant buys a policy,
 * and the response of its verify is lost. The policy is of the family whose expired token the contract shows.
 */

const isOfTheStory = ({ errors, envelope }: Endpoint): boolean =>
  errors.includes('token_expired') && envelope.integerCode;

const family = anyFamilies.find(({ operations }) => operations.some(isOfTheStory)) as ProductFamily;

/** The call that completes the purchase of the story. */
const verify = family.operations.find(isOfTheStory) as Endpoint;

/** What that call takes: the token of the purchase. */
const [purchase] = verify.input?.meta()?.examples ?? [];

export const EXAMPLE = {
  now: '2026-01-31T10:00:00.000Z',
  /** When the pending purchase is over. */
  later: '2026-01-31T10:15:00.000Z',
  familyKey: family.key,
  initiate: family.initiateOperation,
  verify: verify.operationId,
  verifyPath: verify.path,
  /** The beginning of what the API answers of a policy of the family. */
  policy: { id: 1, product_id: 2, policy_number: 'IN59810802' },
  token: (purchase as { readonly token: string }).token,
  /** The body of the refusal of a verify that comes too late. */
  expired: failure(verify.envelope, 400, ['Token has expired'], 'by-family'),
} as const;

/*
 * The fields that several features have. Moments are ISO 8601 with an offset or Z, durations ISO 8601;
 * both are taken and given as texts.
 */

/** A moment as it is shown: UTC, to the millisecond. */
export const shownMoment = (description: string) =>
  z.iso
    .datetime({ precision: 3 })
    .meta({ description, examples: [EXAMPLE.now], format: 'date-time' });

/** A moment as it may be sent; what it says is read by `parseMoment`, which knows where clocks end. */
export const moment = (description: string) =>
  z.string().meta({ description, examples: [EXAMPLE.now], format: 'date-time' });

/** A duration as it may be sent; what it says is read by the rule. */
export const duration = (description: string, example: string) =>
  z.string().meta({ description, examples: [example], format: 'duration' });

export const clockMode = () =>
  z.enum(['running', 'frozen']).meta({ description: 'Whether time passes by itself.' });

/** The name of an operation; whether there is one is for `refuseUnknownOperation` to say. */
export const operationName = () =>
  z.string().meta({ description: 'An operationId of the merchant API.' });

/** The status of a response. */
export const httpStatus = () =>
  z.int().min(100).max(599).meta({ description: 'The status answered.' });

/** The names that faults, journal and profiles know operations by. */
export const operationIds: readonly string[] = anyFamilies.flatMap((family) =>
  family.operations.map((operation) => operation.operationId),
);

/** What is wrong with a name that no operation has, with the one that was meant, or all that there are. */
export function unknownOperation(name: string | undefined, field: string): string | undefined {
  if (name === undefined || operationIds.includes(name)) return undefined;
  const meant = nearest(name, operationIds);
  const hint =
    meant === undefined ? `known: ${operationIds.join(', ')}.` : `did you mean "${meant}"?`;
  return `${field}: there is no operation ${truncate(name)}; ${hint}`;
}

/** Refuses a name that no operation has. */
export function refuseUnknownOperation(name: string | undefined, field: string): void {
  const problem = unknownOperation(name, field);
  if (problem === undefined) return;
  throw new ControlError(422, problem, { errors: [problem], operations: operationIds });
}

const dateTime = () => z.iso.datetime({ offset: true });

/** The moment a text names. Throws 422 if it is none, or one that no clock shows. */
export function parseMoment(text: string, field: string): Instant {
  const at = dateTime().safeParse(text).success ? Date.parse(text) : Number.NaN;
  if (isClockInstant(at)) return at;
  throw new ControlError(
    422,
    `${field} must be a moment like 2026-01-31T10:00:00Z, from ${momentText(MIN_INSTANT)} to ${momentText(MAX_INSTANT)}; got ${truncate(text)}.`,
  );
}

const momentText = (at: Instant): string => new Date(at).toISOString();

/** A moment as the control plane writes it. What is none stays one that will be refused. */
export function momentToText(moment: Moment): string {
  if (typeof moment === 'string') return moment;
  const date = dateOf(moment);
  return Number.isNaN(date.getTime()) ? truncate(moment) : date.toISOString();
}

/** Code without types may hand in anything: Date takes null and true for 1970, and can't take a symbol. */
function dateOf(moment: unknown): Date {
  const isMoment = typeof moment === 'number' || (typeof moment === 'object' && moment !== null);
  try {
    return new Date(isMoment ? (moment as number | Date) : Number.NaN);
  } catch {
    return new Date(Number.NaN);
  }
}
