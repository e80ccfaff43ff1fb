import type { AssumptionId } from '../core/assumptions.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import { failureSchema } from '../http/answer-schemas.ts';
import { unknownRouteEnvelope } from '../http/envelope.ts';
import type { Reply } from './connection.ts';
import { at, type Json, type Probe } from './probe.ts';
import { misshapes } from './shape.ts';
import { add, type Bench, claim, type Verdict } from './verdict.ts';

/** Holds an answer that should be a refusal against the form of refusals, its status and its words. */
export function judgeRefusal(
  verdict: Verdict,
  probe: Probe,
  code: ErrorCode,
  { status, headers, body }: Reply,
  refused: boolean,
  { operation, settings }: Bench,
): void {
  const { decisions = [] } = probe;
  const expectedStatus = settings.statuses[code];
  if (!refused) {
    add(
      verdict,
      '$.success',
      `false: refused with ${expectedStatus}`,
      at(body, 'success'),
      decisions,
    );
    return;
  }
  verdict.confirmed.push(...decisions);
  verdict.observed.push({ decision: 'http-status', key: code, value: status });
  claim(verdict, 'status', String(expectedStatus), status, status === expectedStatus, [
    'http-status',
  ]);
  const envelope = code === 'route_unknown' ? unknownRouteEnvelope : operation.envelope;
  judgeCode(verdict, envelope.integerCode, status, at(body, 'response_code'), settings);
  // The code's type is a decision of its own, judged above.
  const coded = { ...(body as Json), response_code: envelope.integerCode ? 400 : '400' };
  if (!Object.hasOwn(body as object, 'response_code')) delete coded.response_code;
  const shape = misshapes(failureSchema(envelope), coded);
  for (const each of shape) {
    add(verdict, each.path, each.expected, each.seen, ['error-envelope']);
  }
  if (shape.length === 0) verdict.confirmed.push('error-envelope');

  const errors = at(body, 'data.error');
  const message = at(body, envelope.messageKey);
  if (Array.isArray(errors)) {
    claim(
      verdict,
      `$.${envelope.messageKey}`,
      JSON.stringify(errors[0]),
      message,
      message === errors[0],
      ['error-envelope'],
    );
  }
  judgeMessage(verdict, code, `$.${envelope.messageKey}`, message, settings);
  if (code === 'unauthenticated') {
    const challenge = headers.get('www-authenticate');
    claim(
      verdict,
      'header www-authenticate',
      'Bearer',
      challenge,
      /^bearer\b/i.test(challenge ?? ''),
      ['auth-failure'],
    );
  }
  if (code === 'method_not_allowed') {
    const allow = headers.get('allow');
    const method = operation.method.toUpperCase();
    claim(verdict, 'header allow', method, allow, (allow ?? '').split(/\s*,\s*/).includes(method), [
      'http-status',
    ]);
  }
  if (probe.fields && Array.isArray(errors)) judgeFields(verdict, probe, probe.fields, errors);
}

function judgeCode(
  verdict: Verdict,
  byFamily: boolean,
  status: number,
  seen: unknown,
  { errorCodeType }: Settings,
): void {
  const integer = errorCodeType === 'integer' || (errorCodeType === 'by-family' && byFamily);
  const expected = integer ? status : String(status);
  if (seen !== undefined) {
    const key = byFamily ? 'integer' : 'string';
    verdict.observed.push({ decision: 'error-code-type', key, value: typeof seen });
  }
  claim(verdict, '$.response_code', JSON.stringify(expected), seen, seen === expected, [
    'error-code-type',
  ]);
}

const MESSAGES = {
  unauthenticated: ['auth-failure', 'unauthenticated'],
  token_expired: ['token-expired', 'tokenExpired'],
  token_unknown: ['token-unknown', 'tokenUnknown'],
  token_used: ['token-used', 'tokenUsed'],
} as const;

function judgeMessage(
  verdict: Verdict,
  code: ErrorCode,
  path: string,
  message: unknown,
  settings: Settings,
): void {
  if (!Object.hasOwn(MESSAGES, code)) return;
  const [decision, key] = MESSAGES[code as keyof typeof MESSAGES];
  const expected = settings.messages[key];
  verdict.observed.push({ decision, key: 'message', value: message });
  claim(verdict, path, JSON.stringify(expected), message, message === expected, [decision]);
}

/** One sentence per field, in order, each in the wording of `validation-messages`. */
function judgeFields(
  verdict: Verdict,
  probe: Probe,
  fields: readonly string[],
  errors: readonly unknown[],
): void {
  const named = errors.map((text) => /^The (\S+) field .+\.$/s.exec(String(text))?.[1]);
  const holds = named.length === fields.length && named.every((name, n) => name === fields[n]);
  const worded = named.every((name) => name !== undefined);
  const expected = fields.map((field) => `The ${field} field …`).join(' | ');
  const decisions: AssumptionId[] = ['validation-messages'];
  if (worded) decisions.push(...(probe.decisions ?? []));
  claim(verdict, '$.data.error', expected, errors, holds, decisions);
}
