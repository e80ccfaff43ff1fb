import { bearerKey } from '../../api/activity.ts';
import { failureSchema, refusal } from '../../api/failures.ts';
import { MAX_BODY_BYTES } from '../../api/request.ts';
import { inTurns, systemNow } from '../../world/clock.ts';
import { DomainError, type ErrorCode } from '../../world/errors.ts';
import type { Settings } from '../../world/settings.ts';
import type { Instant } from '../../world/time.ts';
import type { ReceivedResponse } from '../client.ts';
import { type Comparison, formFindings, insideOf, metaOf, WRITING_SLACK_MS } from '../compare.ts';
import { compareAnswers, namedFields } from '../compare-answers.ts';
import type { Finding } from '../finding.ts';
import { type Json, parseJson, valueAt } from '../json.ts';
import { DATE_SLACK_MS, dateOf, isAccepted, writtenAt } from '../record.ts';
import type { TwinAnswer } from '../twin.ts';
import { type Exchange, headersOf, type KnownCall, queryOf } from './exchange.ts';
import type { LiveMerchant, LiveTwin, TwinRequest } from './live-twin.ts';
import { listFindings, recordFindings } from './records.ts';

/** What an exchange was compared with, so that it can be compared again under other settings. */
export interface Judged {
  readonly call: KnownCall;
  readonly own: TwinAnswer;
  readonly seen: ReceivedResponse;
  readonly findings: readonly Finding[];
}

/** An address that no service has: page URLs are compared by path and query. */
const BASE = 'http://twin.invalid';

/** Compares an exchange with what a twin answers that lived all exchanges before. */
export async function judge(
  exchange: Exchange,
  call: KnownCall,
  settings: Settings,
  twin: LiveTwin,
): Promise<Judged> {
  const { status, responseHeaders, responseText: text } = exchange;
  const seen = { status, headers: headersOf(responseHeaders), text, body: parseJson(text) };
  const authorization = headersOf(exchange.headers).get('authorization') ?? undefined;
  const at = momentOf(call, seen);
  if (isBegunAnew(seen, twin.known(String(authorization)))) twin.forget(String(authorization));
  const live = twin.merchantOf(String(authorization), at ?? systemNow());
  const findings: Finding[] = [];
  const context: Comparison = {
    operation: call.operation.operationId,
    links: live.links,
    slackMs: at === undefined ? Number.POSITIVE_INFINITY : WRITING_SLACK_MS,
    base: BASE,
    isProviderFree: true,
    isExclusive: false,
    add: (finding) => findings.push(finding),
    elsewhere: () => undefined,
  };
  const own = await ownAnswer(exchange, call, seen, { settings, twin, live, at });
  if (own === 'refused') {
    const schema = failureSchema(call.operation.envelope, settings);
    const forms = formFindings(schema, seen.body, '$');
    const told = forms.map((each) => ({ ...each, assumptions: ['error-envelope' as const] }));
    return { call, own: { ...seen, code: 'invalid', due: seen.status }, seen, findings: told };
  }
  if (own === 'unknown') {
    const schema = call.operation.successUnder(settings);
    for (const finding of formFindings(schema, seen.body, '$')) context.add(finding);
    findings.push(
      ...numberFindings(exchange, call, seen),
      ...recordFindings(valueAt(seen.body, 'data'), '$.data', call.operation.operationId),
    );
    const about = { operation: call.operation, about: [], seen, settings };
    const answer = { ...seen, code: undefined, due: 200 };
    return { call, own: answer, seen, findings: [...findings, ...envelopeFindings(about)] };
  }
  const about = { operation: call.operation, about: [], own, seen, settings };
  await inTurns(compareAnswers(about, context));
  if (!own.code && isAccepted(seen)) findings.push(...ownFindings(exchange, call, seen, settings));
  return { call, own, seen, findings };
}

/** Whether a sandbox was reset: it gives the tokens again that it gave before. */
const isBegunAnew = (seen: ReceivedResponse, live: LiveMerchant | undefined): boolean =>
  seen.headers.has('sandbox-request-id') &&
  live?.links.ownFor('token', valueAt(seen.body, 'data.token')) !== undefined;

/** What a list says of itself, whatever the twin knows. */
function ownFindings(
  { target }: Exchange,
  { operation }: KnownCall,
  { body }: ReceivedResponse,
  { listOrder }: Settings,
): Finding[] {
  const data: Json = valueAt(body, 'data');
  const query = Object.fromEntries(new URLSearchParams(queryOf(target)));
  if (Array.isArray(data))
    return listFindings(data, '$.data', query, listOrder, operation.operationId);
  if (!operation.request.query || !Array.isArray(data?.data)) return [];
  return listFindings(data.data, '$.data.data', query, listOrder, operation.operationId);
}

/** Whether a look-up answers the policy that was asked for. */
function numberFindings(exchange: Exchange, call: KnownCall, seen: ReceivedResponse): Finding[] {
  const shape = insideOf(call.operation.success.shape.data as never).shape ?? {};
  const field = Object.keys(shape).find((name) => metaOf(shape[name] as never)['x-key']);
  const answered: Json = field && valueAt(seen.body, `data.${field}`);
  const asked = askedNumber(exchange, call);
  if (typeof answered !== 'string' || asked === undefined) return [];
  if (asked === answered || asked.trim() === answered) return [];
  const assumptions = metaOf(shape[field as string] as never)['x-assumptions'] ?? [];
  return [
    { path: `$.data.${field}`, expected: JSON.stringify(asked), seen: answered, assumptions },
  ];
}

/** The policy number that a request names: of several spellings the first that the operation knows. */
function askedNumber({ sent }: Exchange, { operation, params }: KnownCall): string | undefined {
  const body: Json = sent && parseJson(new TextDecoder().decode(sent));
  const fields = Object.keys(operation.input?.shape ?? {}).filter(
    (field) => ISSUED[field] && field !== 'token',
  );
  const named = fields
    .map((field) => body?.[field])
    .find((value) => typeof value === 'string' && value.trim() !== '');
  return named ?? params.policy_no;
}

/** What an envelope says that is not known from a twin: status and message of a success. */
function envelopeFindings({
  operation,
  seen,
  settings,
}: {
  readonly operation: KnownCall['operation'];
  readonly seen: ReceivedResponse;
  readonly settings: Settings;
}): Finding[] {
  const { envelope, operationId } = operation;
  const message = settings.messages.success[operationId] ?? envelope.message;
  const said = valueAt(seen.body, envelope.messageKey);
  return [
    ...(seen.status === 200
      ? []
      : [
          {
            path: 'status',
            expected: '200',
            seen: seen.status,
            assumptions: ['http-status' as const],
          },
        ]),
    ...(said === message || typeof said !== 'string'
      ? []
      : [
          {
            path: `$.${envelope.messageKey}`,
            expected: JSON.stringify(message),
            seen: said,
            assumptions: ['success-messages' as const],
          },
        ]),
  ];
}

/** The moment of an answer: when its record was written, or else its Date. */
function momentOf({ operation }: KnownCall, seen: ReceivedResponse): Instant | undefined {
  const isWritten = !operation.readOnly && isAccepted(seen);
  const [date, written] = [dateOf(seen), isWritten ? writtenAt(operation, seen) : undefined];
  if (date === undefined) return written;
  const isNear = written !== undefined && Math.abs(written - date) < DATE_SLACK_MS;
  return isNear ? written : date;
}

interface Circumstances {
  readonly settings: Settings;
  readonly twin: LiveTwin;
  readonly live: LiveMerchant;
  readonly at: Instant | undefined;
}

/**
 * What the service should have answered; `unknown` where that depends on what only the service remembers, `refused`
 * where somebody before the service refused.
 */
async function ownAnswer(
  exchange: Exchange,
  call: KnownCall,
  seen: ReceivedResponse,
  { settings, twin, live, at }: Circumstances,
): Promise<TwinAnswer | 'unknown' | 'refused'> {
  const { operation } = call;
  const key = bearerKey(headersOf(exchange.headers).get('authorization') ?? undefined);
  const asked = twinRequest(exchange, call, live, at);
  if (key === undefined) return twin.askUnknown(asked.request);
  if (isOfKey(seen, settings, operation.envelope.messageKey)) {
    return refusedAs('unauthenticated', call, seen, settings);
  }
  if (exchange.sentBytes > MAX_BODY_BYTES && operation.request.body) {
    return refusedAs('too_large', call, seen, settings);
  }
  if (exchange.sentBytes > 0 && exchange.sent === undefined) {
    return isAccepted(seen)
      ? 'unknown'
      : refusedAs(codeIn(call, seen, settings), call, seen, settings);
  }
  const isUnknown = asked.isForeign;
  if (isAccepted(seen)) {
    const own = await twin.ask(live, asked, seen);
    // A token or policy from before the proxy listened.
    if (own.code && isUnknown && OF_STATE.includes(own.code)) return 'unknown';
    if (own.code === 'token_expired' && at === undefined) return 'unknown';
    if (own.code === 'invalid' && isForProviderOnly(own, call, asked)) return 'unknown';
    return own;
  }
  if (ELSEWHERE.includes(seen.status)) return 'refused';
  if (seen.status >= 500 && valueAt(seen.body, 'success') === false) return 'refused';
  const own = await twin.askWithoutEffect(live, asked, seen);
  if (own.code && !(isUnknown && OF_STATE.includes(own.code))) {
    if (own.code !== 'invalid' || !isForProviderOnly(own, call, asked)) {
      return own.code === 'invalid' ? withProviderFields(own, call, seen, asked, settings) : own;
    }
  }
  const named = namedFields(seen.body);
  const isOfProvider = named.length > 0 && named.every((field) => OF_PROVIDER.test(field));
  const isList = operation.method === 'get' && operation.request.params === undefined;
  const isUnnamed = !isList && named.length === 0 && seen.status === settings.statuses.invalid;
  const isLate = operation.errors.includes('token_unknown') && at === undefined;
  if (isUnknown || (isOfProvider && !isList) || isUnnamed || isLate) {
    return refusedAs(codeIn(call, seen, settings), call, seen, settings);
  }
  return own;
}

/** Whether a field has its form, so that only what the provider sells speaks against it. */
const isForProvider = (field: string, { operation }: KnownCall, { input }: TwinRequest): boolean =>
  OF_PROVIDER.test(field) &&
  operation.input?.shape[field]?.safeParse(input[field]).success === true;

/** Whether the twin refuses nothing but plans that the provider may sell. */
function isForProviderOnly(own: TwinAnswer, call: KnownCall, asked: TwinRequest): boolean {
  const fields = namedFields(own.body);
  return fields.length > 0 && fields.every((field) => isForProvider(field, call, asked));
}

/** A refusal that names, of the fields that only the provider can refuse, those that the service names. */
function withProviderFields(
  own: TwinAnswer,
  call: KnownCall,
  { body }: ReceivedResponse,
  asked: TwinRequest,
  settings: Settings,
): TwinAnswer {
  const due = namedFields(own.body);
  const problems: unknown = valueAt(body, 'data.error');
  const more = (Array.isArray(problems) ? problems.map(String) : []).filter((problem) => {
    const [field = ''] = namedFields({ data: { error: [problem] } });
    return OF_PROVIDER.test(field) && !due.includes(field);
  });
  const named = namedFields(body);
  const kept = (valueAt(own.body, 'data.error') as string[]).filter((problem) => {
    const [field = ''] = namedFields({ data: { error: [problem] } });
    return named.includes(field) || !isForProvider(field, call, asked);
  });
  if (due.length === 0) return own;
  const { operation } = call;
  const order = Object.keys(operation.input?.shape ?? {});
  const placeOf = (problem: string) => {
    const [field = ''] = namedFields({ data: { error: [problem] } });
    return order.indexOf(field.split('.', 1)[0] as string);
  };
  const told = [...kept, ...more];
  const ordered = told.toSorted((a, b) => placeOf(a) - placeOf(b)) as [string, ...string[]];
  return {
    ...own,
    body: refusal(operation.envelope, new DomainError('invalid', ordered), settings),
  };
}

/** Refusals that depend on what was bought before. */
const OF_STATE: readonly ErrorCode[] = [
  'token_unknown',
  'token_used',
  'token_expired',
  'policy_unknown',
];

/** What gateways say: too much, too often, not now, go elsewhere. */
const ELSEWHERE: readonly number[] = [301, 302, 303, 307, 308, 408, 429];

/** The fields that a service may refuse for what it sells, and for the day it is. */
const OF_PROVIDER =
  /^(product_id|amount|no_of_users|\w+_beneficiary_full_name|subscription_type|duration|start_date|year_make)$/;

function isOfKey(
  { status, headers, body }: ReceivedResponse,
  settings: Settings,
  key: string,
): boolean {
  if (status === 401 || valueAt(body, key) === settings.messages.unauthenticated) return true;
  return status === 403 || /^bearer\b/i.test(headers.get('www-authenticate') ?? '');
}

const WORDS: readonly (readonly [ErrorCode, RegExp])[] = [
  ['token_expired', /expir/i],
  ['token_used', /\bused\b|already|complete/i],
  ['token_unknown', /invalid|unknown|not (found|exist|recogni)|no such/i],
];

/** Why a service refused, by its own words and status. */
function codeIn({ operation }: KnownCall, seen: ReceivedResponse, settings: Settings): ErrorCode {
  const { errors, envelope } = operation;
  const message = String(valueAt(seen.body, envelope.messageKey));
  const worded = WORDS.find(([, words]) => words.test(message))?.[0];
  if (errors.includes('token_unknown') && worded) return worded;
  const ofRules = errors.filter((code) => code === 'policy_unknown' || code === 'invalid');
  const isNamed = namedFields(seen.body).length > 0;
  const byStatus = isNamed
    ? 'invalid'
    : ofRules.find((code) => settings.statuses[code] === seen.status);
  return byStatus ?? (errors.includes('policy_unknown') ? 'policy_unknown' : 'invalid');
}

/** A refusal in the words of the service, where the contract has none for it. */
function refusedAs(
  code: ErrorCode,
  { operation }: KnownCall,
  seen: ReceivedResponse,
  settings: Settings,
): TwinAnswer {
  const { messages } = settings;
  const words: Partial<Record<ErrorCode, string>> = {
    unauthenticated: messages.unauthenticated,
    token_expired: messages.tokenExpired,
    token_unknown: messages.tokenUnknown,
    token_used: messages.tokenUsed,
  };
  const said = [valueAt(seen.body, 'data.error')].flat().map(String);
  const known = words[code];
  const told: [string, ...string[]] =
    known === undefined ? [said[0] ?? '', ...said.slice(1)] : [known];
  const body = refusal(operation.envelope, new DomainError(code, told), settings);
  const due = seen.status >= 500 ? 200 : settings.statuses[code];
  return { status: due, due, code, headers: new Headers(), text: '', body };
}

/** The request as the twin is sent it: with its own tokens and policy numbers in the place of the service's. */
function twinRequest(
  { method, target, headers, sent }: Exchange,
  { operation, params }: KnownCall,
  { links }: LiveMerchant,
  at: Instant | undefined,
): TwinRequest & { readonly isForeign: boolean } {
  const body = sent && sent.length > 0 ? parseJson(new TextDecoder().decode(sent)) : undefined;
  const input: Json =
    typeof body === 'object' && body !== null
      ? body
      : Object.fromEntries(new URLSearchParams(queryOf(target)));
  let isForeign = false;
  const own = (kind: string, value: Json): Json => {
    const found = links.ownFor(kind, value) ?? links.ownFor(kind, String(value).trim());
    isForeign ||= found === undefined;
    return found ?? value;
  };
  const translated: Record<string, Json> = { ...input };
  for (const [field, kind] of Object.entries(ISSUED)) {
    if (typeof translated[field] === 'string') translated[field] = own(kind, translated[field]);
  }
  let path = operation.path;
  for (const [name, value] of Object.entries(params)) {
    path = path.replace(`:${name}`, encodeURIComponent(own('policy_no', value)));
  }
  const query = queryOf(target);
  const isChanged = Object.keys(ISSUED).some((field) => translated[field] !== input[field]);
  const given = headersOf(headers);
  const kept = new Headers();
  for (const name of ['authorization', 'content-type']) {
    const value = given.get(name);
    if (value !== null) kept.set(name, value);
  }
  const verb = method === 'HEAD' ? 'GET' : method;
  const content = isChanged ? JSON.stringify(translated) : sent;
  const request = new Request(`${BASE}${path}${query === '' ? '' : `?${query}`}`, {
    method: verb,
    headers: kept,
    ...(verb !== 'GET' && content !== undefined && { body: content as BodyInit }),
  });
  return { operation, request, input: translated, at, isForeign };
}

/** The fields of requests that carry what the service issued, and what that is. */
const ISSUED: Readonly<Record<string, string>> = {
  token: 'token',
  policy_no: 'policy_no',
  policy_number: 'policy_number',
  Policy_number: 'policy_number',
  policyNumber: 'policy_number',
};
