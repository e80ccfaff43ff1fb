import type { AssumptionId } from '../core/assumptions.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import type { Envelope } from '../http/envelope.ts';
import { failureSchema } from '../http/failure-schemas.ts';
import { type Json, jsonPath, valueAt } from './assertions.ts';
import type { ReceivedResponse } from './client.ts';
import { type SchemaMismatch, schemaMismatches } from './contract.ts';
import type { Memory, Observation, Probe } from './probe.ts';

/** What a response is held against, besides its probe. */
export interface AssertionContext {
  /** The assumptions as they are expected to be taken. */
  readonly settings: Settings;
  readonly memory: Memory;
}

/** A place where a response says something else; what was seen is still the value itself. */
type Finding = SchemaMismatch;

/** What one response tells. */
export interface AssertionResult {
  /** One for each place. */
  readonly findings: readonly Finding[];
  /** The assumptions it agrees with, one for each time it does. */
  readonly confirmed: readonly AssumptionId[];
  readonly observed: readonly Observation[];
}

/** A place of a response that was held against something. */
interface Outcome extends Finding {
  readonly holds: boolean;
}

/** What a response tells, in order: places it was held against, and what it was seen to do. */
type Outcomes = Iterable<Outcome | Observation>;

const outcome = (
  holds: boolean,
  path: string,
  expected: string,
  seen: unknown,
  ...assumptions: readonly AssumptionId[]
): Outcome => ({ holds, path, expected, seen, assumptions });

const is = (path: string, value: unknown, seen: unknown, ...assumptions: AssumptionId[]): Outcome =>
  outcome(seen === value, path, JSON.stringify(value), seen, ...assumptions);

/** Holds the response to a probe against what the probe, the contract and the assumptions say. */
export function assertResponse(
  probe: Probe,
  response: ReceivedResponse,
  context: AssertionContext,
): AssertionResult {
  const findings = new Map<string, Finding>();
  const confirmed: AssumptionId[] = [];
  const observed: Observation[] = [];
  for (const each of assertBody(probe, response, context)) {
    if (!('holds' in each)) observed.push(each);
    else if (each.holds) confirmed.push(...each.assumptions);
    else findings.set(each.path, merge(findings.get(each.path), each));
  }
  return { findings: [...findings.values()], confirmed, observed };
}

/** A place is named once; what else is found there only adds the assumptions it contradicts. */
const merge = (first: Finding | undefined, { holds: _differs, ...next }: Outcome): Finding =>
  first
    ? { ...first, assumptions: [...new Set([...first.assumptions, ...next.assumptions])] }
    : next;

function* assertBody(
  probe: Probe,
  response: ReceivedResponse,
  context: AssertionContext,
): Outcomes {
  const { status, headers, text, body } = response;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const seen = `${status} ${headers.get('content-type') ?? 'no type'}: ${text}`;
    yield outcome(false, '$', 'a JSON object', seen, 'error-envelope');
    return;
  }
  const { refused: code, assumptions = [], shows } = probe;
  const success = valueAt(body, 'success');
  const refused = success === false || (success === undefined && status >= 400);
  if (shows) {
    const { assumption, ifRefused, ifAccepted } = shows;
    yield { assumption, value: refused ? ifRefused : ifAccepted };
  }
  const expected = code ? `false: refused with ${context.settings.statuses[code]}` : 'true';
  const seen = code ? success : { status, body };
  yield outcome(refused === Boolean(code), '$.success', expected, seen, ...assumptions);
  if (code && refused) yield* assertRefusal(probe, code, response, context.settings);
  if (!code && !refused) yield* assertSuccess(probe, response, context);
}

function* assertSuccess(
  probe: Probe,
  { status, body }: ReceivedResponse,
  { settings, memory }: AssertionContext,
): Outcomes {
  const { operationId, envelope } = probe.operation;
  const success = probe.operation.successUnder(settings);
  yield is('status', 200, status, 'http-status');
  for (const mismatch of schemaMismatches(success, body)) yield { ...mismatch, holds: false };
  const message = valueAt(body, envelope.messageKey);
  const expected = settings.messages.success[operationId] ?? envelope.message;
  yield { assumption: 'success-messages', key: operationId, value: message };
  yield is(`$.${envelope.messageKey}`, expected, message, 'success-messages');
  yield* assertData(probe, valueAt(body, 'data'), memory);
}

/** What a probe has to say of the data; data too far from its form says nothing more. */
function* assertData(probe: Probe, data: Json, memory: Memory): Outcomes {
  try {
    yield* probe.observe?.(data ?? {}, memory) ?? [];
    for (const assertion of probe.assertions?.(data ?? {}, memory) ?? []) {
      const { path, expected, assumptions } = assertion;
      const seen = valueAt(data, path);
      const place = jsonPath(['data', ...(path === '' ? [] : path.split('.'))]);
      yield outcome(assertion.holds(seen), place, expected, seen, ...assumptions);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    yield outcome(false, '$.data', 'data of the declared form', data ?? {});
  }
}

/** The words of a refusal that a profile can set, by its code. */
const MESSAGES = {
  unauthenticated: ['auth-failure', 'unauthenticated'],
  token_expired: ['token-expired', 'tokenExpired'],
  token_unknown: ['token-unknown', 'tokenUnknown'],
  token_used: ['token-used', 'tokenUsed'],
} as const;

const isWorded = (code: ErrorCode): code is keyof typeof MESSAGES => Object.hasOwn(MESSAGES, code);

function* assertRefusal(
  probe: Probe,
  code: ErrorCode,
  { status, headers, body }: ReceivedResponse,
  settings: Settings,
): Outcomes {
  const { envelope, method } = probe.operation;
  yield { assumption: 'http-status', key: code, value: status };
  yield is('status', settings.statuses[code], status, 'http-status');
  yield* assertCode(envelope, status, valueAt(body, 'response_code'), settings);
  yield* assertFailureForm(envelope, body);

  const errors = valueAt(body, 'data.error');
  const message = valueAt(body, envelope.messageKey);
  const path = `$.${envelope.messageKey}`;
  if (Array.isArray(errors)) yield is(path, errors[0], message, 'error-envelope');
  if (isWorded(code)) {
    const [assumption, key] = MESSAGES[code];
    yield { assumption, key: 'message', value: message };
    yield is(path, settings.messages[key], message, assumption);
  }
  if (code === 'unauthenticated') {
    const challenge = headers.get('www-authenticate');
    const holds = /^bearer\b/i.test(challenge ?? '');
    yield outcome(holds, 'header www-authenticate', 'Bearer', challenge, 'auth-failure');
  }
  if (code === 'method_not_allowed') {
    const allow = headers.get('allow');
    const holds = (allow ?? '').split(/\s*,\s*/).includes(method.toUpperCase());
    yield outcome(holds, 'header allow', method.toUpperCase(), allow, 'http-status');
  }
  if (probe.fields && Array.isArray(errors)) yield assertFields(probe, probe.fields, errors);
}

function* assertCode(
  { integerCode }: Envelope,
  status: number,
  seen: unknown,
  { errorCodeType }: Settings,
): Outcomes {
  const integer = errorCodeType === 'integer' || (errorCodeType === 'by-family' && integerCode);
  if (seen !== undefined) {
    const key = integerCode ? 'integer' : 'string';
    yield { assumption: 'error-code-type', key, value: typeof seen };
  }
  yield is('$.response_code', integer ? status : String(status), seen, 'error-code-type');
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
