import { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import type { DomainError, ErrorCode } from '../world/errors.ts';
import { type Settings, SHARED_SETTINGS } from '../world/settings.ts';
import { type Envelope, failure, fixed, HEADERS, successIs } from './envelope.ts';
import { type RouteRequest, requestSchema } from './request.ts';
import { bySettings } from './request-forms.ts';

/* The bodies of refusals: one for each form of success (`error-envelope`). */

type CodeType = Settings['errorCodeType'];

const FAILED = successIs(false);

const FailureData = z
  .strictObject({
    error: z
      .array(z.string())
      .min(1)
      .meta({
        description: 'One sentence per problem.',
        examples: [['Token has expired']],
        'x-assumptions': ['error-envelope'],
      }),
  })
  .openapi('FailureData')
  .meta({ description: 'What was wrong.', 'x-assumptions': ['error-envelope'] });

const { statuses } = SHARED_SETTINGS;

/** What a document says of a code; `form` is how the status is written in it. */
const codeMeta = (form: string): z.GlobalMeta => ({
  ...bySettings(SHARED_SETTINGS, (settings) => {
    const isHttp = Object.entries(settings.statuses).every(
      ([code, status]) => statuses[code as keyof typeof statuses] === status,
    );
    return {
      description: isHttp
        ? `The HTTP status, as ${form}.`
        : `The status published for such a refusal, as ${form}; that of HTTP may be another here.`,
    };
  }),
  'x-assumptions': ['error-code-type'],
});

const integerCode = () => z.int().min(400).max(599);
const textCode = () => z.string().regex(/^[45]\d\d$/);

/** The specification shows one refusal whole: an expired group-life token has an integer, always. */
const textOrExpiredCode = () =>
  z.union([textCode(), fixed(z.int(), statuses.token_expired, 'Where a token has expired.')]);

function failureCode(isInteger: boolean, codeType: CodeType): z.ZodType {
  if (codeType === 'integer' || (codeType === 'by-family' && isInteger)) {
    return integerCode().meta({ ...codeMeta('an integer'), examples: [400] });
  }
  const schema = isInteger ? textOrExpiredCode() : textCode();
  const form = isInteger ? 'a text, or as an integer where a token has expired' : 'a text';
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
    'A refusal by a call whose success says `message`.',
  ),
  coded: failureBody(
    'CodedFailure',
    'response_message',
    failureCode(false, codeType),
    'A refusal by a call whose success has a text as its code.',
  ),
  status: failureBody(
    'StatusFailure',
    'response_message',
    failureCode(true, codeType),
    'A refusal by a call whose success has an integer as its code.',
  ),
});

const created = new Map<CodeType, ReturnType<typeof createFailures>>();

/** The body of every refusal in an envelope. */
export function failureSchema(
  { messageKey, integerCode: isInteger }: Envelope,
  { errorCodeType }: Pick<Settings, 'errorCodeType'> = SHARED_SETTINGS,
): z.ZodObject {
  const schemas = created.get(errorCodeType) ?? createFailures(errorCodeType);
  created.set(errorCodeType, schemas);
  if (messageKey === 'message') return schemas.message;
  return isInteger ? schemas.status : schemas.coded;
}

/** Refusals that a framework makes before the service's own logic is asked. */
const OF_FRAMEWORK: readonly ErrorCode[] = [
  'invalid',
  'unauthenticated',
  'route_unknown',
  'method_not_allowed',
  'too_large',
  'unsupported_media_type',
  'malformed',
];

/** Whether a refusal has the form of a framework (`error-envelope`). */
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
        description: 'What is wrong with each field, by its wire name.',
        examples: [{ email: ['The email field must be an e-mail address.'] }],
        'x-assumptions': ['error-envelope'],
      }),
    })
    .openapi('ValidationFailure')
    .meta({ description: 'A refusal of fields.', 'x-assumptions': ['error-envelope'] }),
  others: z
    .strictObject({ message: frameworkMessage })
    .openapi('MessageOnlyFailure')
    .meta({
      description: 'A refusal before the service looked at the fields.',
      'x-assumptions': ['error-envelope'],
    }),
});

let frameworkFailures: ReturnType<typeof createFrameworkFailures> | undefined;

/** The body of a refusal for a reason. */
export function failureSchemaFor(
  envelope: Envelope,
  code: ErrorCode,
  settings: Pick<Settings, 'errorCodeType' | 'errorEnvelope'>,
): z.ZodObject {
  if (!isOfFramework(code, settings)) return failureSchema(envelope, settings);
  frameworkFailures ??= createFrameworkFailures();
  return code === 'invalid' ? frameworkFailures.invalid : frameworkFailures.others;
}

/* The refusals a route declares. */

/** The codes in bodies are these, whatever HTTP carries. */
const { statuses: PUBLISHED_STATUSES } = SHARED_SETTINGS;

const HEADERS_401 = {
  ...HEADERS,
  'WWW-Authenticate': { $ref: '#/components/headers/Authenticate' },
};

interface FailureKind {
  readonly summary: string;
  /** What the example says. */
  readonly message: (settings: Settings, request: RouteRequest) => string;
  /** The assumptions such a refusal rests on, besides those of every refusal. */
  readonly assumptions: readonly AssumptionId[];
}

/** What a route can refuse. What no route has, a path or a method, is not here. */
const FAILURES = {
  malformed: {
    summary: 'The body is not JSON',
    message: () => 'The request body must be valid JSON.',
    assumptions: ['encoding', 'request-body'],
  },
  token_unknown: {
    summary: 'Nobody was given this token',
    message: ({ messages }) => messages.tokenUnknown,
    assumptions: ['token-unknown', 'foreign-policy'],
  },
  token_expired: {
    summary: 'The 15 minutes are over',
    message: ({ messages }) => messages.tokenExpired,
    assumptions: ['token-expired', 'token-boundary'],
  },
  token_used: {
    summary: 'The purchase is complete already',
    message: ({ messages }) => messages.tokenUsed,
    assumptions: ['token-used'],
  },
  unauthenticated: {
    summary: 'The key is missing or unknown',
    message: ({ messages }) => messages.unauthenticated,
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

/** A refusal as a framework makes it (`error-envelope`): its message, and for fields what is wrong with each. */
function frameworkFailure(code: ErrorCode, [message = '', ...more]: readonly string[]): object {
  if (code !== 'invalid') return { message };
  const errors: Record<string, string[]> = {};
  for (const problem of [message, ...more]) {
    const field = /^The (\S+) field /.exec(problem)?.[1];
    if (field !== undefined) errors[field] = [...(errors[field] ?? []), problem];
  }
  return { message, errors };
}

/** The errors a route can declare. */
export type DeclaredError = keyof typeof FAILURES;

/** What every refusal rests on that the specification does not show. */
const UNSPECIFIED = ['error-envelope', 'error-code-type', 'http-status'] as const;

/** `Sandbox-Assumptions` of a refusal that no reason of its own explains: a defect, a full disk. */
export const EVERY_REFUSAL = UNSPECIFIED.join(', ');

/** The assumptions that the declared errors of a route rest on. */
export const failureAssumptions = (errors: readonly DeclaredError[]): readonly AssumptionId[] => [
  ...errors.flatMap((code): readonly AssumptionId[] => FAILURES[code].assumptions),
  ...UNSPECIFIED,
];

/** `Sandbox-Assumptions` of a refusal: those of its reason, whatever the request was. */
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

/** Every error of a call, in the order of `FAILURES`: those that any such request can meet, and its own. */
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

/** What is known of a call that refuses. */
interface Refusing {
  readonly envelope: Envelope;
  readonly request: RouteRequest;
  readonly errors: readonly DeclaredError[];
}

/** The refusals of a route of a sandbox with these settings, by the status that HTTP carries. */
export function failuresUnder(
  settings: Settings,
  refusing: Refusing,
): Readonly<Record<number, ReturnType<typeof failureResponse>>> {
  const { statuses, usedToken } = settings;
  const byStatus = new Map<number, DeclaredError[]>();
  for (const code of Object.keys(FAILURES) as DeclaredError[]) {
    // A profile may refuse a used token as if it had expired, or had never been given.
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
    description: `${codes.map((code) => summaryUnder(settings, code)).join('; or: ')}.`,
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

/** The body of a refusal for any of these reasons: under a profile they may have several forms. */
function schemaOfAll(
  envelope: Envelope,
  codes: readonly DeclaredError[],
  settings: Settings,
): z.ZodType {
  const schemas = [...new Set(codes.map((code) => failureSchemaFor(envelope, code, settings)))];
  const [first, second, ...others] = schemas as [z.ZodObject, ...z.ZodObject[]];
  return second ? z.union([first, second, ...others]) : first;
}

function summaryUnder({ usedToken }: Settings, code: DeclaredError): string {
  const { summary } = FAILURES[code];
  const isForUsed = code === `token_${usedToken}` && usedToken !== 'used';
  return isForUsed ? `${summary}, or the purchase is complete already` : summary;
}
