import type { ErrorCode } from '../core/errors.ts';
import { type Settings, SHARED_SETTINGS } from '../core/settings.ts';
import type { Envelope } from '../http/envelope.ts';
import { failureSchema } from '../http/failure-schemas.ts';
import { isSpecified } from '../http/failures.ts';
import { type Json, valueAt } from './assertions.ts';
import type { ReceivedResponse } from './client.ts';
import { schemaMismatches } from './contract.ts';
import { is, type Outcome, type Outcomes, outcome, statusIs } from './outcomes.ts';
import type { Probe } from './probe.ts';

/** The words of a refusal that a profile can set, by its code. */
const MESSAGES = {
  unauthenticated: ['auth-failure', 'unauthenticated'],
  token_expired: ['token-expired', 'tokenExpired'],
  token_unknown: ['token-unknown', 'tokenUnknown'],
  token_used: ['token-used', 'tokenUsed'],
} as const;

const isWorded = (code: ErrorCode): code is keyof typeof MESSAGES => Object.hasOwn(MESSAGES, code);

/** The refusal that stands for one under these settings. */
const refusalUnder = (code: ErrorCode, { usedToken }: Settings): ErrorCode =>
  code === 'token_used' ? `token_${usedToken}` : code;

/** Holds a refusal against what it is meant to be: its status, code, form and words. */
export function* assertRefusal(
  probe: Probe,
  meant: ErrorCode | 'unknown',
  response: ReceivedResponse,
  settings: Settings,
): Outcomes {
  const { status, body } = response;
  const { envelope } = probe.operation;
  const code = meant === 'unknown' ? meant : refusalUnder(meant, settings);
  if (code !== 'unknown') {
    yield { assumption: 'http-status', key: meant, value: status };
    yield statusIs(settings.statuses[code], status, true);
  }
  yield* assertCode(envelope, code, valueAt(body, 'response_code'), settings);
  yield* assertFailureForm(envelope, body);

  const errors = valueAt(body, 'data.error');
  const message = valueAt(body, envelope.messageKey);
  const path = `$.${envelope.messageKey}`;
  if (Array.isArray(errors)) yield is(path, errors[0], message, 'error-envelope');
  if (meant !== 'unknown' && isWorded(meant)) {
    yield* assertMessage(path, message, [meant, refusalUnder(meant, settings)], envelope, settings);
  }
  yield* assertHeaders(probe, code, response);
  if (probe.fields && Array.isArray(errors)) yield assertFields(probe, probe.fields, errors);
}

/** The headers that belong to a refusal. */
function* assertHeaders(
  { operation: { method } }: Probe,
  code: ErrorCode | 'unknown',
  { headers }: ReceivedResponse,
): Outcomes {
  if (code === 'unauthenticated') {
    const challenge = headers.get('www-authenticate');
    const holds = /^bearer\b/i.test(challenge ?? '');
    yield outcome(holds, 'header www-authenticate', 'Bearer', challenge, 'auth-failure');
  }
  if (code === 'method_not_allowed') {
    const allow = headers.get('allow');
    const holds = (allow ?? '').split(',').some((each) => each.trim() === method.toUpperCase());
    yield outcome(holds, 'header allow', method.toUpperCase(), allow, 'http-status');
  }
}

/** The words of a refusal: those of the settings, unless the specification itself shows them. */
function* assertMessage(
  path: string,
  message: Json,
  [meant, code]: readonly [keyof typeof MESSAGES, ErrorCode],
  envelope: Envelope,
  { messages }: Settings,
): Outcomes {
  const [assumption] = MESSAGES[meant];
  const [, key] = MESSAGES[code as keyof typeof MESSAGES];
  const specified = isSpecified(envelope, code);
  if (specified && meant === code) {
    yield is(path, SHARED_SETTINGS.messages[key], message);
    return;
  }
  yield { assumption, key: 'message', value: message };
  yield is(path, (specified ? SHARED_SETTINGS.messages : messages)[key], message, assumption);
}

/** The code in a body is the published status, whichever one HTTP carries. */
function* assertCode(
  envelope: Envelope,
  code: ErrorCode | 'unknown',
  seen: unknown,
  { errorCodeType }: Settings,
): Outcomes {
  const path = '$.response_code';
  if (code !== 'unknown' && isSpecified(envelope, code)) {
    yield is(path, SHARED_SETTINGS.statuses[code], seen);
    return;
  }
  const { integerCode } = envelope;
  const integer = errorCodeType === 'integer' || (errorCodeType === 'by-family' && integerCode);
  if (seen !== undefined) {
    const key = integerCode ? 'integer' : 'string';
    yield { assumption: 'error-code-type', key, value: typeof seen };
  }
  if (code === 'unknown') {
    const expected = integer ? 'an integer from 400 to 599' : 'a text from 400 to 599';
    const holds = typeof seen === (integer ? 'number' : 'string') && /^[45]\d\d$/.test(`${seen}`);
    yield outcome(holds, path, expected, seen, 'error-code-type');
    return;
  }
  const published = SHARED_SETTINGS.statuses[code];
  yield is(path, integer ? published : String(published), seen, 'error-code-type');
}

/** The form of a refusal; the type of its code is an assumption of its own. */
function* assertFailureForm(envelope: Envelope, body: Json): Outcomes {
  const coded = Object.hasOwn(body, 'response_code')
    ? { ...body, response_code: envelope.integerCode ? 400 : '400' }
    : body;
  const mismatches = schemaMismatches(failureSchema(envelope), coded);
  if (mismatches.length === 0) yield outcome(true, '$', 'a refusal', body, 'error-envelope');
  for (const { path, expected, seen } of mismatches) {
    yield outcome(false, path, expected, seen, 'error-envelope');
  }
}

/** One sentence per field, in order, each in the wording of `validation-messages`. */
function assertFields(
  { assumptions = [] }: Probe,
  fields: readonly string[],
  errors: readonly unknown[],
): Outcome {
  const named = errors.map((text) => /^The (\S+) field .+\.$/s.exec(String(text))?.[1]);
  const holds = named.length === fields.length && named.every((name, n) => name === fields[n]);
  const basis = named.includes(undefined) ? [] : assumptions;
  const expected = fields.map((field) => `The ${field} field …`).join(' | ');
  return outcome(holds, '$.data.error', expected, errors, 'validation-messages', ...basis);
}
