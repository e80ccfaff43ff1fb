/* The failures of operations: their bodies as schemas, their statuses and their assumptions. */

import { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import {
  type DomainError,
  type ErrorCode,
  type FieldError,
  fieldError,
  refused,
} from '../world/errors.ts';
import { MAX_PAGE_SIZE } from '../world/limits.ts';
import type { Settings } from '../world/settings.ts';
import { TOKEN_EXPIRED, TOKEN_UNKNOWN, tokenMessage, usedTokenCode } from '../world/tokens.ts';
import { type Envelope, fixed, HEADERS, successIs } from './envelope.ts';
import { assumptionsBehind, type RequestFields } from './known-fields.ts';
import {
  AUTH_FAILURE,
  ERROR_CODE_TYPE,
  ERROR_ENVELOPE,
  hasPublishedStatuses,
  isSpecified,
  PUBLISHED_STATUSES,
  refusal,
  type Statuses,
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

/* The failures that a route declares. */

const HEADERS_401 = {
  ...HEADERS,
  'WWW-Authenticate': { $ref: '#/components/headers/Authenticate' },
};

interface FailureKind {
  readonly summary: string;
  /** The message of the example, or its problem with a field. */
  readonly example: (settings: Settings, request: RouteRequest) => string | FieldError;
  /** The assumptions behind this failure, besides those of every failure. */
  readonly assumptions: readonly AssumptionId[];
}

/** The failures of routes. An unknown path or method belongs to no route and is not here. */
const FAILURES = {
  malformed: {
    summary: 'The body is not valid JSON',
    example: () => 'The request body must be valid JSON.',
    assumptions: ['encoding', 'request-body'],
  },
  token_unknown: {
    summary: 'The token is unknown',
    example: (settings) => TOKEN_UNKNOWN.in(settings).message,
    assumptions: ['token-unknown', 'foreign-policy'],
  },
  token_expired: {
    summary: 'The token has expired',
    example: (settings) => TOKEN_EXPIRED.in(settings).message,
    assumptions: ['token-expired', 'token-boundary'],
  },
  token_used: {
    summary: 'The token was used before',
    example: (settings) => tokenMessage('token_used', settings),
    assumptions: ['token-used'],
  },
  unauthenticated: {
    summary: 'The API key is missing or unknown',
    example: (settings) => AUTH_FAILURE.in(settings).message,
    assumptions: ['auth-failure'],
  },
  policy_unknown: {
    summary: 'The merchant has no policy with this number',
    example: () => 'The policy was not found.',
    assumptions: ['foreign-policy'],
  },
  too_large: {
    summary: 'The body is larger than 1 MiB',
    example: () => 'The request body must not be larger than 1 MiB.',
    assumptions: [],
  },
  unsupported_media_type: {
    summary: 'The Content-Type is not application/json',
    example: () => 'The Content-Type header must be application/json.',
    assumptions: [],
  },
  invalid: {
    summary: 'A field is missing or invalid',
    example: (_settings, request) =>
      request.query
        ? fieldError('per_page', 'range', `must be a whole number from 1 to ${MAX_PAGE_SIZE}.`)
        : fieldError(firstField(request), 'required', 'is required.'),
    assumptions: ['validation-messages', 'text-and-numbers'],
  },
} as const satisfies Partial<Record<ErrorCode, FailureKind>>;

const firstField = ({ body }: RouteRequest): string =>
  Object.keys(body?.content['application/json'].schema.shape ?? {})[0] ?? '';

/** The errors that a route can declare. */
export type DeclaredError = keyof typeof FAILURES;

/** The assumptions behind every failure that the specification does not show. A defect has no others. */
export const UNSPECIFIED: readonly AssumptionId[] = [
  'error-envelope',
  'error-code-type',
  'http-status',
];

/** The assumptions behind the declared errors of a route. */
export const failureAssumptions = (errors: readonly DeclaredError[]): readonly AssumptionId[] => [
  ...errors.flatMap((code): readonly AssumptionId[] => FAILURES[code].assumptions),
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
    code in FAILURES ? FAILURES[code as DeclaredError].assumptions : ['unknown-route'];
  const formAssumptions: readonly AssumptionId[] = isSpecified(envelope, code)
    ? ['http-status']
    : UNSPECIFIED;
  return [...new Set([...problemAssumptions, ...reasonAssumptions, ...formAssumptions])];
}

const ALWAYS = ['unauthenticated'] as const;
const WITH_QUERY = ['invalid'] as const;
const WITH_BODY = ['invalid', 'malformed', 'too_large', 'unsupported_media_type'] as const;

/** Every error of an operation in the order of `FAILURES`: those that any such request can cause, and its own. */
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
  return (Object.keys(FAILURES) as DeclaredError[]).filter((code) => met.includes(code));
}

/** What the failures of an operation depend on. */
interface Refusing {
  readonly settings: Settings;
  readonly statuses: Statuses;
  readonly envelope: Envelope;
  readonly request: RouteRequest;
  readonly errors: readonly DeclaredError[];
  failure(code: ErrorCode): z.ZodObject;
}

/** The failures of an operation in documents, by HTTP status. */
export function failureResponses(
  operation: Refusing,
): Readonly<Record<number, ReturnType<typeof failureResponse>>> {
  const { settings, statuses } = operation;
  const byStatus = new Map<number, DeclaredError[]>();
  for (const code of Object.keys(FAILURES) as DeclaredError[]) {
    // Under a profile a used token may fail as an expired or unknown one.
    const isAnswered = code !== 'token_used' || usedTokenCode(settings) === code;
    if (!isAnswered || !operation.errors.includes(code)) continue;
    byStatus.set(statuses[code], [...(byStatus.get(statuses[code]) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [status, failureResponse(operation, codes)]),
  );
}

function failureResponse(operation: Refusing, codes: readonly DeclaredError[]) {
  const { settings, envelope, request } = operation;
  return {
    description: `${oneOf(codes.map((code) => summaryOf(code, settings)))}.`,
    headers: codes.includes('unauthenticated') ? HEADERS_401 : HEADERS,
    content: {
      'application/json': {
        schema: schemaOfAll(operation, codes),
        examples: Object.fromEntries(
          codes.map((code) => {
            const example = (FAILURES[code] as FailureKind).example(settings, request);
            const { problems } =
              typeof example === 'string'
                ? refused(code as Exclude<DeclaredError, 'invalid'>, example)
                : { problems: [example] as const };
            const value = refusal(envelope, { code, problems }, settings);
            return [code, { summary: summaryOf(code, settings), value }];
          }),
        ),
      },
    },
  };
}

/** The body of a failure for any of these reasons. Under a profile they may have several forms. */
function schemaOfAll(operation: Refusing, codes: readonly DeclaredError[]): z.ZodType {
  const schemas = [...new Set(codes.map((code) => operation.failure(code)))];
  const [first, second, ...others] = schemas as [z.ZodObject, ...z.ZodObject[]];
  return second ? z.union([first, second, ...others]) : first;
}

/** "A, b or c": summaries as one sentence. */
function oneOf([first = '', ...others]: readonly string[]): string {
  const last = others.pop();
  if (last === undefined) return first;
  const lowered = (summary: string) => summary.charAt(0).toLowerCase() + summary.slice(1);
  return `${[first, ...others.map(lowered)].join(', ')}, or ${lowered(last)}`;
}

function summaryOf(code: DeclaredError, settings: Settings): string {
  const { summary } = FAILURES[code];
  const isForUsed = code !== 'token_used' && code === usedTokenCode(settings);
  return isForUsed ? `${summary} or was used before` : summary;
}
