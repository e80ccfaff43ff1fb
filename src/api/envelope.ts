/**
 * The form of a call's responses. There are few: some calls say `message` and carry no code, all others say
 * `response_message`; codes are texts or, in one family, integers (specification "Errors",
 * `error-envelope`, `error-code-type`).
 */
export interface Envelope<Code extends ResponseCode = ResponseCode> {
  readonly messageKey: 'message' | 'response_message';
  /** The `response_code` of a success; undefined where successes carry none. */
  readonly code: Code;
  /** Whether failures carry the status as an integer. */
  readonly integerCode: boolean;
  /** The keys of a success in the order they are answered. */
  readonly order: readonly SuccessKey[];
  /** The message of a success (`success-messages`). */
  readonly message: string;
}

export type ResponseCode = string | number | undefined;

type SuccessKey = 'success' | 'data' | 'message' | 'response_message' | 'response_code';

/** The body of a success. */
export type SuccessBody<Code extends ResponseCode, Data> = Code extends string | number
  ? { success: boolean; data: Data; response_message: string; response_code: Code }
  : { success: boolean; data: Data; message: string };

const envelope = <Code extends ResponseCode>(
  code: Code,
  order: readonly SuccessKey[],
  message: string,
): Envelope<Code> => ({
  messageKey: order.includes('message') ? 'message' : 'response_message',
  code,
  integerCode: typeof code === 'number',
  order,
  message,
});

/** `success`, `data`, `message`, without a code. */
export const messageEnvelope = (message: string): Envelope<undefined> =>
  envelope(undefined, ['success', 'data', 'message'], message);

/** `success`, `data`, `response_message`, `response_code`, with a text code. */
export const codedEnvelope = (code: string, message: string): Envelope<string> =>
  envelope(code, ['success', 'data', 'response_message', 'response_code'], message);

/** `success`, `response_message`, `response_code`, `data`, with a text code. */
export const dataLastEnvelope = (code: string, message: string): Envelope<string> =>
  envelope(code, ['success', 'response_message', 'response_code', 'data'], message);

/** `success`, `response_message`, `response_code`, `data`, with the HTTP status as an integer code. */
export const statusEnvelope = (message: string): Envelope<number> =>
  envelope(200, ['success', 'response_message', 'response_code', 'data'], message);

/** The form of a refusal that belongs to no operation (`unknown-route`). */
export const unknownRouteEnvelope: Envelope = codedEnvelope('', '');

/** The body of a success around its data. */
export function ok(envelope: Envelope, data: unknown, message = envelope.message) {
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

const frames = new WeakMap<Envelope, Map<string, readonly [string, string]>>();

/** The JSON before and behind the data of a success. */
export function okFrame(envelope: Envelope, message: string): readonly [string, string] {
  const known = frames.get(envelope) ?? new Map<string, readonly [string, string]>();
  let frame = known.get(message);
  if (!frame) {
    const [before = '', after = ''] = JSON.stringify(ok(envelope, null, message)).split(
      '"data":null',
    );
    frame = [`${before}"data":`, after];
    frames.set(envelope, known.set(message, frame));
  }
  return frame;
}

/** The body of a refusal: the first problem as its message, every problem in its data. */
export function failure(
  envelope: Envelope,
  status: number,
  messages: readonly string[],
  codeType: 'by-family' | 'string' | 'integer',
) {
  const integer = codeType === 'integer' || (codeType === 'by-family' && envelope.integerCode);
  return {
    success: false,
    [envelope.messageKey]: messages[0],
    response_code: integer ? status : String(status),
    data: { error: messages },
  };
}
