import { z } from '@hono/zod-openapi';
import type { ErrorCode } from '../world/errors.ts';
import { type Settings, SHARED_SETTINGS } from '../world/settings.ts';
import { bySettings } from './by-settings.ts';
import type { Envelope } from './envelope.ts';
import { fixed, successIs } from './responses.ts';

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
