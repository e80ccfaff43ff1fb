import type { AssumptionId } from '../core/assumptions.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import { failureSchema, successSchema } from '../http/answers.ts';
import { unknownRouteEnvelope } from '../http/envelope.ts';
import type { Operation } from '../http/operation.ts';
import type { Reply } from './connection.ts';
import {
  at,
  type Claim,
  type Json,
  jsonPath,
  type Memory,
  type Observation,
  type Probe,
} from './probe.ts';
import { misshapes } from './shape.ts';

/** A difference before it is told: what was seen is still the value itself. */
export interface Finding {
  readonly path: string;
  readonly expected: string;
  readonly seen: unknown;
  readonly decisions: readonly AssumptionId[];
}

/** What one answer tells. */
export interface Verdict {
  readonly findings: Finding[];
  readonly confirmed: AssumptionId[];
  readonly observed: Observation[];
}

/** What an answer is held against. */
export interface Bench {
  readonly operation: Operation;
  /** The decisions as they are expected to be taken. */
  readonly settings: Settings;
  readonly memory: Memory;
}

const nothing = (): Verdict => ({ findings: [], confirmed: [], observed: [] });

/** Holds the answer to a probe against what the probe, the contract and the decisions say. */
export function judge(probe: Probe, reply: Reply, bench: Bench): Verdict {
  const verdict = nothing();
  const { body } = reply;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const type = reply.headers.get('content-type') ?? 'no type';
    add(verdict, '$', 'a JSON object', `${reply.status} ${type}: ${reply.text}`, [
      'error-envelope',
    ]);
    return verdict;
  }
  const refused =
    (body as Json).success === false ||
    ((body as Json).success === undefined && reply.status >= 400);
  for (const decision of probe.decisions ?? []) {
    verdict.observed.push({ decision, key: 'refused', value: refused });
  }
  if (probe.refused) judgeRefusal(verdict, probe, probe.refused, reply, refused, bench);
  else judgeSuccess(verdict, probe, reply, refused, bench);
  return verdict;
}

function judgeSuccess(
  verdict: Verdict,
  probe: Probe,
  { status, body }: Reply,
  refused: boolean,
  { operation, settings, memory }: Bench,
): void {
  const { decisions = [] } = probe;
  if (refused) {
    add(verdict, '$.success', 'true', { status, body }, decisions);
    return;
  }
  verdict.confirmed.push(...decisions);
  claim(verdict, 'status', '200', status, status === 200, ['http-status']);
  const declared = unlisted(operation, settings, body);
  for (const { path, ...misshape } of misshapes(successSchema(operation), declared)) {
    add(verdict, path, misshape.expected, misshape.seen, misshape.decisions);
  }
  const { messageKey } = operation.envelope;
  const message = at(body, messageKey);
  const expected = settings.messages.success[operation.operationId] ?? operation.message;
  verdict.observed.push({
    decision: 'success-messages',
    key: operation.operationId,
    value: message,
  });
  claim(verdict, `$.${messageKey}`, JSON.stringify(expected), message, message === expected, [
    'success-messages',
  ]);
  const { data } = body as Json;
  for (const each of told(verdict, probe, data ?? {}, memory)) {
    const keys = each.path === '' ? [] : each.path.split('.');
    const seen = at(data, each.path);
    claim(
      verdict,
      jsonPath(['data', ...keys]),
      each.expected,
      seen,
      each.holds(seen),
      each.decisions,
    );
  }
}

/** What a probe has to say of the data; data too far from its form says nothing more. */
function told(verdict: Verdict, probe: Probe, data: Json, memory: Memory): readonly Claim[] {
  try {
    verdict.observed.push(...(probe.observe?.(data, memory) ?? []));
    return probe.claims?.(data, memory) ?? [];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    add(verdict, '$.data', 'data of the declared form', data, []);
    return [];
  }
}

/** The form an answer has once a profile's list of one subscription is out of its list. */
function unlisted(operation: Operation, settings: Settings, body: Json): Json {
  const listed = operation.operationId === 'listMicroHealthSubscriptions';
  if (!listed || settings.subscriptionsKey === 'object' || !Array.isArray(body.data?.data)) {
    return body;
  }
  const out = (subscriptions: Json) =>
    Array.isArray(subscriptions) && subscriptions.length === 1 ? subscriptions[0] : [subscriptions];
  const data = body.data.data.map((item: Json) => ({
    ...item,
    subscriptions: out(item?.subscriptions),
  }));
  return { ...body, data: { ...body.data, data } };
}

function judgeRefusal(
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

function claim(
  verdict: Verdict,
  path: string,
  expected: string,
  seen: unknown,
  holds: boolean,
  decisions: readonly AssumptionId[],
): void {
  if (holds) verdict.confirmed.push(...decisions);
  else add(verdict, path, expected, seen, decisions);
}

/** A place is told once; what is found there later only adds the decisions it contradicts. */
function add(
  { findings }: Verdict,
  path: string,
  expected: string,
  seen: unknown,
  decisions: readonly AssumptionId[],
): void {
  const told = findings.findIndex((finding) => finding.path === path);
  const before = findings[told];
  if (!before) findings.push({ path, expected, seen, decisions });
  else findings[told] = { ...before, decisions: [...new Set([...before.decisions, ...decisions])] };
}
