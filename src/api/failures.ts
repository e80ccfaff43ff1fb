import { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import type { DomainError, ErrorCode } from '../world/errors.ts';
import { type Settings, SHARED_SETTINGS } from '../world/settings.ts';
import { type Envelope, failure, fixed, HEADERS, successIs } from './envelope.ts';
import { type RouteRequest, requestSchema } from './request.ts';
import { bySettings } from './request-forms.ts';

/* The bodies of failures: one for each form of success (`error-envelope`). */

type CodeType = Settings['errorCodeType'];

const FAILED = successIs(false);

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

const { statuses } = SHARED_SETTINGS;

/** The description of a code. `form` says how the status is written. */
const codeMeta = (form: string): z.GlobalMeta => ({
  ...bySettings(SHARED_SETTINGS, (settings) => {
    const isHttp = Object.entries(settings.statuses).every(
      ([code, status]) => statuses[code as keyof typeof statuses] === status,
    );
    return {
      description: isHttp
        ? `The HTTP status, as ${form}.`
        : `The published status of this failure, as ${form}. The HTTP status of this sandbox may differ.`,
    };
  }),
  'x-assumptions': ['error-code-type'],
});

const integerCode = () => z.int().min(400).max(599);
const textCode = () => z.string().regex(/^[45]\d\d$/);

/** The specification shows one whole failure: an expired group-life token, always with an integer. */
const textOrExpiredCode = () =>
  z.union([textCode(), fixed(z.int(), statuses.token_expired, 'If a token has expired.')]);

function failureCode(isInteger: boolean, codeType: CodeType): z.ZodType {
  if (codeType === 'integer' || (codeType === 'by-family' && isInteger)) {
    return integerCode().meta({ ...codeMeta('an integer'), examples: [400] });
  }
  const schema = isInteger ? textOrExpiredCode() : textCode();
  const form = isInteger ? 'a string, or as an integer if a token has expired' : 'a string';
  return schema.meta({ ...codeMeta(form), examples: ['400'] });
}

const failureBody = (
  name: string,
  messageKey: Envelope['messageKey'],
  code: z.ZodType,
  description: string,
) =>
  z
    .strictObject({
      success: FAILED,
      [messageKey]: z.string().meta({
        description: 'The first problem.',
        'x-assumptions': ['error-envelope'],
      }),
      response_code: code,
      data: FailureData,
    })
    .openapi(name)
    .meta({ description, 'x-assumptions': ['error-envelope'] });

const createFailures = (codeType: CodeType) => ({
  message: failureBody(
    'MessageFailure',
    'message',
    failureCode(false, codeType),
    'Failure of an operation whose success has `message`.',
  ),
  coded: failureBody(
    'CodedFailure',
    'response_message',
    failureCode(false, codeType),
    'Failure of an operation whose success has a string as `response_code`.',
  ),
  status: failureBody(
    'StatusFailure',
    'response_message',
    failureCode(true, codeType),
    'Failure of an operation whose success has an integer as `response_code`.',
  ),
});

const created = new Map<CodeType, ReturnType<typeof createFailures>>();

/** The body of every failure in an envelope. */
export function failureSchema(
  { messageKey, integerCode: isInteger }: Envelope,
  { errorCodeType }: Pick<Settings, 'errorCodeType'> = SHARED_SETTINGS,
): z.ZodObject {
  const schemas = created.get(errorCodeType) ?? createFailures(errorCodeType);
  created.set(errorCodeType, schemas);
  if (messageKey === 'message') return schemas.message;
  return isInteger ? schemas.status : schemas.coded;
}

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

const frameworkMessage = z.string().meta({
  description: 'The first problem.',
  'x-assumptions': ['error-envelope'],
});

const createFrameworkFailures = () => ({
  invalid: z
    .strictObject({
      message: frameworkMessage,
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
    }),
  others: z
    .strictObject({ message: frameworkMessage })
    .openapi('MessageOnlyFailure')
    .meta({
      description: 'Failure before the fields are checked.',
      'x-assumptions': ['error-envelope'],
    }),
});

let frameworkFailures: ReturnType<typeof createFrameworkFailures> | undefined;

/** The body of a failure for this reason. */
export function failureSchemaFor(
  envelope: Envelope,
  code: ErrorCode,
  settings: Pick<Settings, 'errorCodeType' | 'errorEnvelope'>,
): z.ZodObject {
  if (!isOfFramework(code, settings)) return failureSchema(envelope, settings);
  frameworkFailures ??= createFrameworkFailures();
  return code === 'invalid' ? frameworkFailures.invalid : frameworkFailures.others;
}

/* The failures that a route declares. */

/** The codes in bodies. They are the same under every profile. */
const { statuses: PUBLISHED_STATUSES } = SHARED_SETTINGS;

const HEADERS_401 = {
  ...HEADERS,
  'WWW-Authenticate': { $ref: '#/components/headers/Authenticate' },
};

interface FailureKind {
  readonly summary: string;
  /** The message of the example. */
  readonly message: (settings: Settings, request: RouteRequest) => string;
  /** The assumptions behind this failure, besides those of every failure. */
  readonly assumptions: readonly AssumptionId[];
}

/** The failures of routes. An unknown path or method belongs to no route and is not here. */
const FAILURES = {
  malformed: {
    summary: 'The body is not valid JSON',
    message: () => 'The request body must be valid JSON.',
    assumptions: ['encoding', 'request-body'],
  },
  token_unknown: {
    summary: 'The token is unknown',
    message: ({ messages }) => messages.tokenUnknown,
    assumptions: ['token-unknown', 'foreign-policy'],
  },
  token_expired: {
    summary: 'The token has expired',
    message: ({ messages }) => messages.tokenExpired,
    assumptions: ['token-expired', 'token-boundary'],
  },
  token_used: {
    summary: 'The token was used before',
    message: ({ messages }) => messages.tokenUsed,
    assumptions: ['token-used'],
  },
  unauthenticated: {
    summary: 'The API key is missing or unknown',
    message: ({ messages }) => messages.unauthenticated,
    assumptions: ['auth-failure'],
  },
  policy_unknown: {
    summary: 'The merchant has no policy with this number',
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
    summary: 'A field is missing or invalid',
    message: (_settings, request) =>
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
  { errorCodeType, errorEnvelope }: Pick<Settings, 'errorCodeType' | 'errorEnvelope'>,
): object => {
  if (isOfFramework(code, { errorEnvelope })) return frameworkFailure(code, told);
  return isSpecified(envelope, code)
    ? failure(
        envelope,
        PUBLISHED_STATUSES[code],
        [SHARED_SETTINGS.messages.tokenExpired],
        'by-family',
      )
    : failure(envelope, PUBLISHED_STATUSES[code], told, errorCodeType);
};

/** A failure in the form of a framework (`error-envelope`): a message, and the problems of each field if any. */
function frameworkFailure(code: ErrorCode, [message = '', ...more]: readonly string[]): object {
  if (code !== 'invalid') return { message };
  const errors: Record<string, string[]> = {};
  for (const problem of [message, ...more]) {
    const field = /^The (\S+) field /.exec(problem)?.[1];
    if (field !== undefined) errors[field] = [...(errors[field] ?? []), problem];
  }
  return { message, errors };
}

/** The errors that a route can declare. */
export type DeclaredError = keyof typeof FAILURES;

/** The assumptions behind every failure that the specification does not show. */
const UNSPECIFIED = ['error-envelope', 'error-code-type', 'http-status'] as const;

/** `Sandbox-Assumptions` of a failure without its own reason, such as a defect or a full disk. */
export const EVERY_REFUSAL = UNSPECIFIED.join(', ');

/** The assumptions behind the declared errors of a route. */
export const failureAssumptions = (errors: readonly DeclaredError[]): readonly AssumptionId[] => [
  ...errors.flatMap((code): readonly AssumptionId[] => FAILURES[code].assumptions),
  ...UNSPECIFIED,
];

/** `Sandbox-Assumptions` of a failure: those of its reason, whatever the request was. */
export function refusalAssumptions(envelope: Envelope, { code, assumptions }: DomainError): string {
  const ofReason: readonly AssumptionId[] =
    code in FAILURES ? FAILURES[code as DeclaredError].assumptions : ['unknown-route'];
  const ofForm: readonly AssumptionId[] = isSpecified(envelope, code)
    ? ['http-status']
    : UNSPECIFIED;
  return [...new Set([...assumptions, ...ofReason, ...ofForm])].join(', ');
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
  readonly envelope: Envelope;
  readonly request: RouteRequest;
  readonly errors: readonly DeclaredError[];
}

/** The failures of a route in a sandbox with these settings, by HTTP status. */
export function failuresUnder(
  settings: Settings,
  refusing: Refusing,
): Readonly<Record<number, ReturnType<typeof failureResponse>>> {
  const { statuses, usedToken } = settings;
  const byStatus = new Map<number, DeclaredError[]>();
  for (const code of Object.keys(FAILURES) as DeclaredError[]) {
    // Under a profile a used token may fail as an expired or unknown one.
    const isAnswered = code !== 'token_used' || usedToken === 'used';
    if (!isAnswered || !refusing.errors.includes(code)) continue;
    byStatus.set(statuses[code], [...(byStatus.get(statuses[code]) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [status, failureResponse(settings, refusing, codes)]),
  );
}

function failureResponse(
  settings: Settings,
  { envelope, request }: Refusing,
  codes: readonly DeclaredError[],
) {
  return {
    description: `${oneOf(codes.map((code) => summaryUnder(settings, code)))}.`,
    headers: codes.includes('unauthenticated') ? HEADERS_401 : HEADERS,
    content: {
      'application/json': {
        schema: schemaOfAll(envelope, codes, settings),
        examples: Object.fromEntries(
          codes.map((code) => {
            const told = [(FAILURES[code] as FailureKind).message(settings, request)];
            const value = refusal(envelope, { code, messages: told }, settings);
            return [code, { summary: summaryUnder(settings, code), value }];
          }),
        ),
      },
    },
  };
}

/** The body of a failure for any of these reasons. Under a profile they may have several forms. */
function schemaOfAll(
  envelope: Envelope,
  codes: readonly DeclaredError[],
  settings: Settings,
): z.ZodType {
  const schemas = [...new Set(codes.map((code) => failureSchemaFor(envelope, code, settings)))];
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

function summaryUnder({ usedToken }: Settings, code: DeclaredError): string {
  const { summary } = FAILURES[code];
  const isForUsed = code === `token_${usedToken}` && usedToken !== 'used';
  return isForUsed ? `${summary} or was used before` : summary;
}
