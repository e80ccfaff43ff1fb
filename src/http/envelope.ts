/**
 * The form of a call's answers. There are few: the calls that answer micro-health policies say
 * `message` and carry no code, all others say `response_message`; codes are texts, in group life
 * integers (specification "Errors", `error-envelope`, `error-code-type`).
 */
export interface Envelope {
  readonly messageKey: 'message' | 'response_message';
  /** The `response_code` of a success; undefined where successes carry none. */
  readonly code: string | number | undefined;
  /** Whether failures carry the status as an integer. */
  readonly integerCode: boolean;
  /** The keys of a success in the order they are answered. */
  readonly order: readonly (
    | 'success'
    | 'data'
    | 'message'
    | 'response_message'
    | 'response_code'
  )[];
}

const envelope = (code: Envelope['code'], order: Envelope['order']): Envelope => ({
  messageKey: order.includes('message') ? 'message' : 'response_message',
  code,
  integerCode: typeof code === 'number',
  order,
});

/** `success`, `data`, `message`: the micro-health calls that answer policies. */
export const messageEnvelope: Envelope = envelope(undefined, ['success', 'data', 'message']);

/** `success`, `data`, `response_message`, `response_code`, with a text code. */
export const codedEnvelope = (code: string): Envelope =>
  envelope(code, ['success', 'data', 'response_message', 'response_code']);

/** `success`, `response_message`, `response_code`, `data`, with a text code. */
export const dataLastEnvelope = (code: string): Envelope =>
  envelope(code, ['success', 'response_message', 'response_code', 'data']);

/** `success`, `response_message`, `response_code`, `data`, with the HTTP status as an integer code. */
export const statusEnvelope: Envelope = envelope(200, [
  'success',
  'response_message',
  'response_code',
  'data',
]);

/** The form of an answer to a call that belongs to no operation (`unknown-route`). */
export const unknownRouteEnvelope: Envelope = codedEnvelope('');

export function success(envelope: Envelope, data: unknown, message: string) {
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

/** The JSON of a success around data whose JSON is there already. */
export function successText(envelope: Envelope, dataText: string, message: string): string {
  const known = frames.get(envelope) ?? new Map<string, readonly [string, string]>();
  let frame = known.get(message);
  if (!frame) {
    const [before = '', after = ''] = JSON.stringify(success(envelope, null, message)).split(
      '"data":null',
    );
    frame = [`${before}"data":`, after];
    frames.set(envelope, known.set(message, frame));
  }
  return frame[0] + dataText + frame[1];
}

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
