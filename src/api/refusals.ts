import type { DomainError, ErrorCode } from '../world/errors.ts';
import { type Settings, SHARED_SETTINGS } from '../world/settings.ts';
import { type Envelope, failure } from './envelope.ts';

/* A refusal as its body tells it. */

/** The codes in bodies. They are the same under every profile. */
const { statuses: PUBLISHED_STATUSES } = SHARED_SETTINGS;

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

/** Whether a failure has the form of a framework (`error-envelope`). */
export const isOfFramework = (
  code: ErrorCode,
  { errorEnvelope }: Pick<Settings, 'errorEnvelope'>,
): boolean => errorEnvelope === 'laravel' && OF_FRAMEWORK.includes(code);

/**
 * The one failure that the specification shows whole ("Errors" 2): whatever a profile says, its body is what is
 * shown.
 */
export const isSpecified = ({ integerCode }: Envelope, code: ErrorCode): boolean =>
  code === 'token_expired' && integerCode;

/** A refusal, as far as its body tells it. */
export type Refusal = Pick<DomainError, 'code' | 'problems'>;

/** The problems that the body of a refusal tells. */
export const problemsTold = (
  envelope: Envelope,
  { code, problems }: Refusal,
): Refusal['problems'] =>
  isSpecified(envelope, code)
    ? [{ message: SHARED_SETTINGS.messages.tokenExpired, assumptions: [] }]
    : problems;

/**
 * The body of a refusal. Its code is the status that is published, whichever one HTTP carries
 * (`error-code-type`).
 */
export function refusal(
  envelope: Envelope,
  error: Refusal,
  { errorCodeType, errorEnvelope }: Pick<Settings, 'errorCodeType' | 'errorEnvelope'>,
): object {
  const { code } = error;
  const told = problemsTold(envelope, error);
  if (isOfFramework(code, { errorEnvelope })) return frameworkFailure(code, told);
  return failure(
    envelope,
    PUBLISHED_STATUSES[code],
    told.map(({ message }) => message),
    isSpecified(envelope, code) ? 'by-family' : errorCodeType,
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
