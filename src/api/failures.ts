/* The failures of operations: their bodies as schemas, their statuses and their assumptions. */

import { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import type { DomainError, ErrorCode } from '../world/errors.ts';
import type { Settings } from '../world/settings.ts';
import { type Envelope, fixed, successIs } from './envelope.ts';
import { assumptionsBehind, type RequestFields } from './known-fields.ts';
import {
  ERROR_CODE_TYPE,
  ERROR_ENVELOPE,
  hasPublishedStatuses,
  isSpecified,
  PUBLISHED_STATUSES,
} from './refusals.ts';
import type { RouteRequest } from './request.ts';

/* The bodies of failures: one for each form of success (`error-envelope`). */

const FAILED = successIs(false);

const MESSAGE = z.string().meta({
  description: 'The first problem.',
  'x-assumptions': ['error-envelope'],
});

const FailureData = z
  .strictObject({
    error: z
      .array(z.string())
      .min(1)
      .meta({
        description: 'One message per problem.',
        examples: [['Token has expired']],
        'x-assumptions': ['error-envelope'],
      }),
  })
  .openapi('FailureData')
  .meta({ description: 'The problems with the request.', 'x-assumptions': ['error-envelope'] });

/** The description of a code. `form` says how the status is written. */
function codeMeta(form: string, settings: Settings): z.GlobalMeta {
  return {
    description: hasPublishedStatuses(settings)
      ? `The HTTP status, as ${form}.`
      : `The published status of this failure, as ${form}. The HTTP status of this sandbox may differ.`,
    'x-assumptions': ['error-code-type'],
  };
}

const integerCode = () => z.int().min(400).max(599);
const textCode = () => z.string().regex(/^[45]\d\d$/);

/** The specification shows one whole failure: an expired group-life token, always with an integer. */
const textOrExpiredCode = () =>
  z.union([
    textCode(),
    fixed(z.int(), PUBLISHED_STATUSES.token_expired, 'If a token has expired.'),
  ]);

function failureCode(envelope: Envelope, settings: Settings): z.ZodType {
  const { integerCode: isInteger } = envelope;
  if (ERROR_CODE_TYPE.of(settings).isInteger(envelope)) {
    return integerCode().meta({ ...codeMeta('an integer', settings), examples: [400] });
  }
  const schema = isInteger ? textOrExpiredCode() : textCode();
  const form = isInteger ? 'a string, or as an integer if a token has expired' : 'a string';
  return schema.meta({ ...codeMeta(form, settings), examples: ['400'] });
}

/** The body of every failure in an envelope. */
function enveloped(envelope: Envelope, settings: Settings) {
  const { messageKey } = envelope;
  const [name, says] = failureName(envelope);
  return z
    .strictObject({
      success: FAILED,
      [messageKey]: MESSAGE,
      response_code: failureCode(envelope, settings),
      data: FailureData,
    })
    .openapi(name)
    .meta({
      description: `Failure of an operation whose success has ${says}.`,
      'x-assumptions': ['error-envelope'],
    });
}

/** The name of a failure in documents, and what the successes have that it belongs to. */
function failureName({ messageKey, integerCode: isInteger }: Envelope) {
  if (messageKey === 'message') return ['MessageFailure', '`message`'] as const;
  return isInteger
    ? (['StatusFailure', 'an integer as `response_code`'] as const)
    : (['CodedFailure', 'a string as `response_code`'] as const);
}

/* The bodies of failures without an envelope (`error-envelope`). */

const validationFailure = () =>
  z
    .strictObject({
      message: MESSAGE,
      errors: z.record(z.string(), z.array(z.string()).min(1)).meta({
        description: 'The problems of each field, by its name in the request.',
        examples: [{ email: ['The email field must be an e-mail address.'] }],
        'x-assumptions': ['error-envelope'],
      }),
    })
    .openapi('ValidationFailure')
    .meta({
      description: 'One or more fields are missing or invalid.',
      'x-assumptions': ['error-envelope'],
    });

const messageOnlyFailure = () =>
  z
    .strictObject({ message: MESSAGE })
    .openapi('MessageOnlyFailure')
    .meta({
      description: 'Failure before the fields are checked.',
      'x-assumptions': ['error-envelope'],
    });

/** The body of a failure in this envelope, by its reason. */
export function failureForms(
  envelope: Envelope,
  settings: Settings,
): (code: ErrorCode) => z.ZodObject {
  const ofService = enveloped(envelope, settings);
  const [invalid, others] = [validationFailure(), messageOnlyFailure()];
  const { isBare } = ERROR_ENVELOPE.of(settings);
  return (code) => {
    if (!isBare(code)) return ofService;
    return code === 'invalid' ? invalid : others;
  };
}

/** The errors that a route can declare, with the assumptions behind each. An unknown path belongs to no route. */
const DECLARED = {
  malformed: ['encoding', 'request-body'],
  token_unknown: ['token-unknown', 'foreign-policy'],
  token_expired: ['token-expired', 'token-boundary'],
  token_used: ['token-used'],
  unauthenticated: ['auth-failure'],
  policy_unknown: ['foreign-policy'],
  too_large: [],
  unsupported_media_type: [],
  invalid: ['validation-messages', 'text-and-numbers'],
} as const satisfies Partial<Record<ErrorCode, readonly AssumptionId[]>>;

export type DeclaredError = keyof typeof DECLARED;

/** The assumptions behind every failure that the specification does not show. A defect has no others. */
export const UNSPECIFIED: readonly AssumptionId[] = [
  'error-envelope',
  'error-code-type',
  'http-status',
];

/** The assumptions behind the declared errors of a route. */
export const failureAssumptions = (errors: readonly DeclaredError[]): readonly AssumptionId[] => [
  ...errors.flatMap((code): readonly AssumptionId[] => DECLARED[code]),
  ...UNSPECIFIED,
];

/** The assumptions behind a refusal: those of its problems and their fields, of its reason, and of its form. */
export function refusalAssumptions(
  envelope: Envelope,
  { code, problems }: DomainError,
  fields: RequestFields,
): readonly AssumptionId[] {
  const problemAssumptions = problems.flatMap(({ field, assumptions }) => [
    ...assumptions,
    ...assumptionsBehind(fields, field),
  ]);
  const reasonAssumptions: readonly AssumptionId[] =
    code in DECLARED ? DECLARED[code as DeclaredError] : ['unknown-route'];
  const formAssumptions: readonly AssumptionId[] = isSpecified(envelope, code)
    ? ['http-status']
    : UNSPECIFIED;
  return [...new Set([...problemAssumptions, ...reasonAssumptions, ...formAssumptions])];
}

const ALWAYS = ['unauthenticated'] as const;
const WITH_QUERY = ['invalid'] as const;
const WITH_BODY = ['invalid', 'malformed', 'too_large', 'unsupported_media_type'] as const;

/** Every error of an operation in the order in which documents show them: those that any such request can cause, and its own. */
export function everyError(
  { body, query }: RouteRequest,
  own: readonly DeclaredError[] = [],
): DeclaredError[] {
  const met: readonly DeclaredError[] = [
    ...ALWAYS,
    ...(body ? WITH_BODY : []),
    ...(query ? WITH_QUERY : []),
    ...own,
  ];
  return (Object.keys(DECLARED) as DeclaredError[]).filter((code) => met.includes(code));
}
