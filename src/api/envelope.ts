/* The envelopes of responses: the forms of a success and of a failure, and their schemas. */

import { z } from '@hono/zod-openapi';
import { anyText, setting } from '../world/settings.ts';

/**
 * The form of an operation's responses. Some operations have `message` and no code, all others have
 * `response_message`. Codes are strings or, in one family, integers (specification "Errors",
 * `error-envelope`, `error-code-type`).
 */
export interface Envelope {
  readonly messageKey: 'message' | 'response_message';
  /** The `response_code` of a success, undefined if there is none. */
  readonly code: ResponseCode;
  /** Whether failures have the status as an integer. */
  readonly integerCode: boolean;
  /** The keys of a success in order. */
  readonly order: readonly SuccessKey[];
  /** The message of a success (`success-messages`). */
  readonly message: string;
}

type ResponseCode = string | number | undefined;

type SuccessKey = 'success' | 'data' | 'message' | 'response_message' | 'response_code';

const envelope = (code: ResponseCode, order: readonly SuccessKey[], message: string): Envelope => ({
  messageKey: order.includes('message') ? 'message' : 'response_message',
  code,
  integerCode: typeof code === 'number',
  order,
  message,
});

/** `success`, `data`, `message`, without a code. */
export const messageEnvelope = (message: string): Envelope =>
  envelope(undefined, ['success', 'data', 'message'], message);

/** `success`, `data`, `response_message`, `response_code`, with a string code. */
export const codedEnvelope = (code: string, message: string): Envelope =>
  envelope(code, ['success', 'data', 'response_message', 'response_code'], message);

/** `success`, `response_message`, `response_code`, `data`, with a string code. */
export const dataLastEnvelope = (code: string, message: string): Envelope =>
  envelope(code, ['success', 'response_message', 'response_code', 'data'], message);

/** `success`, `response_message`, `response_code`, `data`, with the HTTP status as an integer code. */
export const statusEnvelope = (message: string): Envelope =>
  envelope(200, ['success', 'response_message', 'response_code', 'data'], message);

/** The form of a failure that belongs to no operation (`unknown-route`). */
export const unknownRouteEnvelope: Envelope = codedEnvelope('', '');

/** The messages of successes, by operation. Those that are missing are as the operations declare them. */
export const SUCCESS_MESSAGES = setting<Readonly<Record<string, string>>>('success-messages', {
  published: {},
  allowed: 'any text, by operation',
  schema: () => z.record(z.string(), anyText()),
  merge: (set, held) => ({ ...held, ...set }),
});

/** The body of a success with this data. */
export function ok(envelope: Envelope, data: unknown) {
  const { message } = envelope;
  const values = {
    success: true,
    data,
    message,
    response_message: message,
    response_code: envelope.code,
  };
  const body: Record<string, unknown> = {};
  for (const key of envelope.order) body[key] = values[key];
  return body;
}

/** The JSON before and after the data of a success. */
export function okFrame(envelope: Envelope): readonly [string, string] {
  const [before = '', after = ''] = JSON.stringify(ok(envelope, null)).split('"data":null');
  return [`${before}"data":`, after];
}

/** The body of a failure: the first problem as its message, all problems in its data. */
export function failure(
  envelope: Envelope,
  status: number,
  messages: readonly string[],
  isInteger: boolean,
) {
  return {
    success: false,
    [envelope.messageKey]: messages[0],
    response_code: isInteger ? status : String(status),
    data: { error: messages },
  };
}

/*
 * The responses that a route declares, with their whole bodies. The documents publish these, and tests and `check`
 * compare responses with them. Fixed values are refinements rather than literals, because a client generated from a
 * literal breaks on a service that returns another code, and some clients do not even compile. Only `success` is
 * published as a constant, because programs tell the two forms of a body apart by it.
 */

export const fixed = <S extends z.ZodType>(schema: S, value: z.output<S>, description: string) =>
  schema
    .refine((answered: unknown) => answered === value, { error: JSON.stringify(value) })
    .meta({ description, examples: [value] });

/** The `success` field: true in a success, false in a failure. */
export const successIs = (succeeded: boolean) =>
  fixed(z.boolean(), succeeded, `Always ${succeeded}.`).meta({ const: succeeded });

const SUCCEEDED = successIs(true);
const DONE = z.string().meta({
  description: 'Success message.',
  'x-assumptions': ['success-messages'],
});

/** The body of a success, as a named schema. */
export const successSchema = (name: string, envelope: Envelope, data: z.ZodType): z.ZodObject =>
  z.strictObject(successFields(envelope, data)).openapi(name);

function successFields({ order, code }: Envelope, data: z.ZodType) {
  const fields = {
    success: SUCCEEDED,
    data,
    message: DONE,
    response_message: DONE,
    response_code: codeSchema(code),
  };
  return Object.fromEntries(order.map((key) => [key, fields[key]]));
}

function codeSchema(code: ResponseCode): z.ZodType {
  if (typeof code === 'number') return fixed(z.int(), code, `Always ${code}.`);
  return fixed(
    z.string(),
    code ?? '',
    code === '' ? 'Always an empty string.' : `Always \`${code}\`.`,
  );
}
