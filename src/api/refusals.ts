/* A refusal as its body tells it, and the settings that decide its form. */

import { z } from '@hono/zod-openapi';
import type { DomainError, ErrorCode } from '../world/errors.ts';
import {
  choice,
  messageSetting,
  PUBLISHED,
  type Setting,
  type Settings,
  setting,
  someOf,
} from '../world/settings.ts';
import { TOKEN_EXPIRED, tokenMessage } from '../world/tokens.ts';
import { type Envelope, failure } from './envelope.ts';

/** The HTTP status of each kind of refusal. */
export type Statuses = Readonly<Record<ErrorCode, number>>;

/** The published statuses. They are also the codes in bodies, under every profile (`error-code-type`). */
export const PUBLISHED_STATUSES: Statuses = {
  unauthenticated: 401,
  malformed: 400,
  unsupported_media_type: 415,
  too_large: 413,
  invalid: 422,
  token_unknown: 400,
  token_used: 400,
  token_expired: 400,
  policy_unknown: 404,
  route_unknown: 404,
  method_not_allowed: 405,
};

// 200 too: some services refuse with a success of HTTP, and let the body say it.
const STATUS_DEMAND = '200, or 400 to 599';
const refusalStatus = () =>
  z.int().refine((status) => status === 200 || (status >= 400 && status <= 599), {
    error: STATUS_DEMAND,
  });

const ERROR_CODES = Object.keys(PUBLISHED_STATUSES) as ErrorCode[];

const statusesSchema = (codes: readonly ErrorCode[]) => someOf(codes, refusalStatus);

/** The statuses that a profile sets: of every refusal of a kind, and of those of a family. */
type StatusesSet = Readonly<Record<string, number | Partial<Statuses>>>;

/** The HTTP statuses of refusals. Those of families stand beside them, by the key of the family: see `statusesOf`. */
export const HTTP_STATUS = setting<Statuses, StatusesSet>('http-status', {
  published: PUBLISHED_STATUSES,
  allowed: Object.fromEntries(ERROR_CODES.map((code) => [code, STATUS_DEMAND])),
  schema: () => statusesSchema(ERROR_CODES) as z.ZodType<StatusesSet>,
  merge: (set, held) => {
    const merged = Object.entries(set).map(([key, value]) => [
      key,
      typeof value === 'number' ? value : { ...Reflect.get(held, key), ...value },
    ]);
    return { ...held, ...Object.fromEntries(merged) };
  },
});

/** The HTTP statuses of refusals, with those that each of these families can have. */
export const httpStatusesWith = (families: readonly string[]): Setting => ({
  ...HTTP_STATUS,
  allowed: {
    ...(HTTP_STATUS.allowed as object),
    ...Object.fromEntries(families.map((family) => [family, 'the same, for its operations only'])),
  },
  schema: () => {
    // An unknown path belongs to no family.
    const ofFamily = statusesSchema(ERROR_CODES.filter((code) => code !== 'route_unknown'));
    return z.strictObject({
      ...Object.fromEntries(ERROR_CODES.map((code) => [code, refusalStatus().optional()])),
      ...Object.fromEntries(families.map((family) => [family, ofFamily.optional()])),
    });
  },
});

/** The HTTP statuses of the refusals of a family. */
export const statusesOf = (settings: Settings, family: string): Statuses => {
  const statuses = HTTP_STATUS.in(settings);
  return { ...statuses, ...Reflect.get(statuses, family) };
};

/** Whether every refusal has its published status, in every family. */
export const hasPublishedStatuses = (settings: Settings): boolean => {
  const isPublished = ([key, value]: readonly [string, unknown]): boolean =>
    typeof value === 'object'
      ? Object.entries(value as object).every(isPublished)
      : value === PUBLISHED_STATUSES[key as ErrorCode];
  return Object.entries(HTTP_STATUS.in(settings)).every(isPublished);
};

/** The message of a call without a valid key. */
export const AUTH_FAILURE = messageSetting('auth-failure', 'Unauthenticated.');

/** The message that a profile can set of a refusal. Undefined if the rule words it. */
export function messageOf(code: ErrorCode, settings: Settings): string | undefined {
  if (code === 'unauthenticated') return AUTH_FAILURE.in(settings).message;
  return code === 'token_expired' || code === 'token_unknown' || code === 'token_used'
    ? tokenMessage(code, settings)
    : undefined;
}

/** The type of the code in a failure. */
export const ERROR_CODE_TYPE = choice('error-code-type', {
  'by-family': { isInteger: ({ integerCode }: Envelope) => integerCode },
  string: { isInteger: () => false },
  integer: { isInteger: () => true },
});

/** Failures that a framework returns before the service's own code runs. */
const OF_FRAMEWORK: readonly ErrorCode[] = [
  'invalid',
  'unauthenticated',
  'route_unknown',
  'method_not_allowed',
  'too_large',
  'unsupported_media_type',
  'malformed',
];

const ENVELOPE = `\`success: false\`, the first problem as the message, the status as \`response_code\`
and all problems in \`data.error\` (\`error-envelope\`, \`error-code-type\`). There are three forms, one for
each form of success: \`MessageFailure\`, \`CodedFailure\` and \`StatusFailure\`.`;

/** The form of failures: all in an envelope, or those of the framework without one. */
export const ERROR_ENVELOPE = choice('error-envelope', {
  envelope: {
    says: `A failure has ${ENVELOPE}`,
    /** How the body of a failure differs from that of a success. */
    refusedIf: '`success` is false',
    isBare: (_code: ErrorCode) => false,
  },
  laravel: {
    says: `The failure of a token or an unknown policy has ${ENVELOPE}

All other failures have no envelope. \`ValidationFailure\` has the first problem as \`message\` and the problems of
each field in \`errors\`. \`MessageOnlyFailure\` has only \`message\`.`,
    refusedIf: '`success` is false or absent',
    isBare: (code: ErrorCode) => OF_FRAMEWORK.includes(code),
  },
});

/**
 * The one failure that the specification shows whole ("Errors" 2): whatever a profile says, its body is what is
 * shown.
 */
export const isSpecified = ({ integerCode }: Envelope, code: ErrorCode): boolean =>
  code === 'token_expired' && integerCode;

/** A refusal, as far as its body tells it. */
export type Refusal = Pick<DomainError, 'code' | 'problems'>;

/** The problems that the body of a refusal tells. */
export const shownProblems = (
  envelope: Envelope,
  { code, problems }: Refusal,
): Refusal['problems'] =>
  code === 'token_expired' && isSpecified(envelope, code)
    ? [{ rule: code, message: TOKEN_EXPIRED.in(PUBLISHED).message, assumptions: [] }]
    : problems;

/**
 * The body of a refusal. Its code is the status that is published, whichever one HTTP carries
 * (`error-code-type`).
 */
export function refusal(envelope: Envelope, error: Refusal, settings: Settings): object {
  const { code } = error;
  const shown = shownProblems(envelope, error);
  if (ERROR_ENVELOPE.of(settings).isBare(code)) return frameworkFailure(code, shown);
  return failure(
    envelope,
    PUBLISHED_STATUSES[code],
    shown.map(({ message }) => message),
    isSpecified(envelope, code) || ERROR_CODE_TYPE.of(settings).isInteger(envelope),
  );
}

/** A failure in the form of a framework (`error-envelope`): a message, and the problems of each field if any. */
function frameworkFailure(code: ErrorCode, problems: Refusal['problems']): object {
  const [{ message: first }] = problems;
  if (code !== 'invalid') return { message: first };
  const errors: Record<string, string[]> = {};
  for (const { field, message } of problems) {
    if (field !== undefined) errors[field] = [...(errors[field] ?? []), message];
  }
  return { message: first, errors };
}
