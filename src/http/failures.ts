import { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../core/assumptions.ts';
import type { DomainError, ErrorCode } from '../core/errors.ts';
import { type Settings, SHARED_SETTINGS } from '../core/settings.ts';
import { type Envelope, failure } from './envelope.ts';
import { type RouteRequest, requestSchema } from './request.ts';
import { HEADERS, outcome } from './responses.ts';

/* The refusals a route declares. */

const FAILED = outcome(false);

const HEADERS_401 = {
  ...HEADERS,
  'WWW-Authenticate': { $ref: '#/components/headers/Authenticate' },
};

const FailureData = z
  .strictObject({
    error: z
      .array(z.string())
      .min(1)
      .meta({ description: 'One sentence per problem.', examples: [['Token has expired']] }),
  })
  .openapi('FailureData')
  .meta({ description: 'What was wrong.' });

const failureBody = (
  name: string,
  messageKey: Envelope['messageKey'],
  integerCode: boolean,
  description: string,
) =>
  z
    .strictObject({
      success: FAILED,
      [messageKey]: z.string().meta({ description: 'The first problem.' }),
      response_code: (integerCode
        ? z.int().min(400).max(599)
        : z.string().regex(/^[45]\d\d$/)
      ).meta({
        description: `The HTTP status, as ${integerCode ? 'an integer' : 'a text'}.`,
        examples: [integerCode ? 400 : '400'],
        'x-assumptions': ['error-code-type'],
      }),
      data: FailureData,
    })
    .openapi(name)
    .meta({ description, 'x-assumptions': ['error-envelope'] });

const MessageFailure = failureBody(
  'MessageFailure',
  'message',
  false,
  'A refusal by a call whose success says `message`.',
);
const CodedFailure = failureBody(
  'CodedFailure',
  'response_message',
  false,
  'A refusal by a call whose codes are texts.',
);
const StatusFailure = failureBody(
  'StatusFailure',
  'response_message',
  true,
  'A refusal by a call whose codes are integers.',
);

/** The body of every refusal in an envelope. */
export function failureSchema({ messageKey, integerCode }: Envelope): z.ZodObject {
  if (messageKey === 'message') return MessageFailure;
  return integerCode ? StatusFailure : CodedFailure;
}

interface FailureKind {
  readonly summary: string;
  /** What the example says. */
  readonly message: (request: RouteRequest) => string;
  /** The assumptions such a refusal rests on, besides those of every refusal. */
  readonly assumptions: readonly AssumptionId[];
}

const { messages, statuses } = SHARED_SETTINGS;

/** What a route can refuse. What no route has, a path or a method, is not here. */
const FAILURES = {
  malformed: {
    summary: 'The body is not JSON',
    message: () => 'The request body must be valid JSON.',
    assumptions: ['encoding', 'request-body'],
  },
  token_unknown: {
    summary: 'Nobody was given this token',
    message: () => messages.tokenUnknown,
    assumptions: ['token-unknown', 'foreign-policy'],
  },
  token_expired: {
    summary: 'The 15 minutes are over',
    message: () => messages.tokenExpired,
    assumptions: ['token-expired', 'token-boundary'],
  },
  token_used: {
    summary: 'The purchase is complete already',
    message: () => messages.tokenUsed,
    assumptions: ['token-used'],
  },
  unauthenticated: {
    summary: 'The key is missing or unknown',
    message: () => messages.unauthenticated,
    assumptions: ['auth-failure'],
  },
  policy_unknown: {
    summary: 'The merchant has no such policy',
    message: () => 'The policy was not found.',
    assumptions: ['foreign-policy'],
  },
  too_large: {
    summary: 'The body is larger than 1 MiB',
    message: () => 'The request body must not be larger than 1 MiB.',
    assumptions: [],
  },
  unsupported_media_type: {
    summary: 'The Content-Type is not application/json',
    message: () => 'The Content-Type header must be application/json.',
    assumptions: [],
  },
  invalid: {
    summary: 'A field is missing or wrong',
    message: (request) =>
      request.query
        ? 'The per_page field must be a whole number from 1 to 100.'
        : `The ${Object.keys(requestSchema(request)?.shape ?? {})[0]} field is required.`,
    assumptions: ['validation-messages', 'text-and-numbers'],
  },
} as const satisfies Partial<Record<ErrorCode, FailureKind>>;

/**
 * The one failure that the specification shows whole ("Errors" 2): whatever a profile says, its body is what is
 * shown.
 */
export const isSpecified = ({ integerCode }: Envelope, code: ErrorCode): boolean =>
  code === 'token_expired' && integerCode;

/**
 * The body of a refusal. Its code is the status that is published, whichever one HTTP carries
 * (`error-code-type`).
 */
export const refusal = (
  envelope: Envelope,
  { code, messages: told }: Pick<DomainError, 'code' | 'messages'>,
  { errorCodeType }: Pick<Settings, 'errorCodeType'>,
) =>
  isSpecified(envelope, code)
    ? failure(envelope, statuses[code], [messages.tokenExpired], 'by-family')
    : failure(envelope, statuses[code], told, errorCodeType);

/** The errors a route can declare. */
export type DeclaredError = keyof typeof FAILURES;

/** The assumptions that the declared errors of a route rest on. */
export const failureAssumptions = (errors: readonly DeclaredError[]): readonly AssumptionId[] => [
  ...errors.flatMap((code): readonly AssumptionId[] => FAILURES[code].assumptions),
  'error-envelope',
  'error-code-type',
  'http-status',
];

const ALWAYS = ['unauthenticated'] as const;
const WITH_BODY = ['invalid', 'malformed', 'too_large', 'unsupported_media_type'] as const;

type FailureStatus = 400 | 401 | 404 | 413 | 415 | 422;
type FailureResponses = Partial<Record<FailureStatus, ReturnType<typeof failureResponse>>>;

/** The refusals of a route, by status: those any call with such a request can meet, and its own. */
export function failures(
  envelope: Envelope,
  request: RouteRequest,
  ...own: readonly DeclaredError[]
): FailureResponses {
  const declared = new Set([...ALWAYS, ...(request.body ? WITH_BODY : []), ...own]);
  const byStatus = new Map<FailureStatus, DeclaredError[]>();
  for (const code of Object.keys(FAILURES) as DeclaredError[]) {
    if (!declared.has(code)) continue;
    const status = statuses[code] as FailureStatus;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [status, failureResponse(envelope, request, status, codes)]),
  );
}

function failureResponse(
  envelope: Envelope,
  request: RouteRequest,
  status: FailureStatus,
  codes: readonly DeclaredError[],
) {
  return {
    description: `${codes.map((code) => FAILURES[code].summary).join('; or: ')}.`,
    headers: status === 401 ? HEADERS_401 : HEADERS,
    content: {
      'application/json': {
        schema: failureSchema(envelope),
        examples: Object.fromEntries(
          codes.map((code) => {
            const { summary, message } = FAILURES[code] as FailureKind;
            const value = failure(envelope, status, [message(request)], 'by-family');
            return [code, { summary, value }];
          }),
        ),
      },
    },
  };
}
