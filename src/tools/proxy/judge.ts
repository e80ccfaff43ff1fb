/* Judges one exchange: what the service should have answered, as far as a twin can know. */

import { messageOf, refusal } from '../../api/refusals.ts';
import { bearerKey, MAX_BODY_BYTES } from '../../api/request.ts';
import { parseJson, type ReceivedResponse } from '../../kit/receive.ts';
import { valueAt } from '../../scenarios/json.ts';
import { isAccepted } from '../../scenarios/received.ts';
import { runCooperatively, systemNow } from '../../world/clock.ts';
import type { ErrorCode } from '../../world/errors.ts';
import type { Settings } from '../../world/settings.ts';
import type { Instant } from '../../world/time.ts';
import { dateOf } from '../check/client.ts';
import { compareAnswers } from '../check/compare-answers.ts';
import { type Comparison, formFindings, WRITING_SLACK_MS } from '../check/compare-values.ts';
import type { Finding } from '../check/differences.ts';
import { withContractNames } from '../check/names.ts';
import { namedFields, problemsIn, refusalProblems } from '../check/problems.ts';
import { DATE_SLACK_MS, writtenAt } from '../check/record.ts';
import type { TwinAnswer } from '../check/twin.ts';
import { type Exchange, headersOf, type KnownCall } from './exchange.ts';
import {
  type LiveMerchant,
  type LiveTwin,
  TWIN_BASE,
  type TwinRequest,
  twinRequest,
} from './live-twin.ts';
import { listFindings, unknownFindings } from './records.ts';

/** Compares an exchange with the response of a twin that has replayed all earlier exchanges. */
export async function judge(
  exchange: Exchange,
  call: KnownCall,
  twin: LiveTwin,
): Promise<readonly Finding[]> {
  const { status, responseHeaders, responseText: text } = exchange;
  const received = { status, headers: headersOf(responseHeaders), text, body: parseJson(text) };
  const response = withContractNames(call.operation, received);
  const authorization = headersOf(exchange.headers).get('authorization') ?? undefined;
  const at = momentOf(call, response);
  if (isBegunAnew(response, twin.known(String(authorization)))) twin.forget(String(authorization));
  const live = twin.merchantOf(String(authorization), at ?? systemNow());
  const findings: Finding[] = [];
  const context: Comparison = {
    operation: call.operation.operationId,
    links: live.links,
    slackMs: at === undefined ? Number.POSITIVE_INFINITY : WRITING_SLACK_MS,
    base: TWIN_BASE,
    isProviderFree: true,
    isExclusive: false,
    add: (finding) => findings.push(finding),
    elsewhere: () => undefined,
  };
  const expected = await twinAnswerTo(exchange, call, response, { twin, live, at });
  if (expected === 'refused') {
    const forms = formFindings(call.operation.failure('policy_unknown'), response.body, '$');
    return forms.map((each) => ({ ...each, assumptions: ['error-envelope' as const] }));
  }
  if (expected === 'unknown') {
    findings.push(
      ...response.renamed,
      ...formFindings(call.operation.success, response.body, '$'),
      ...unknownFindings(exchange, call, response),
    );
    return findings;
  }
  const about = { operation: call.operation, about: [], twin: expected, server: response };
  await runCooperatively(compareAnswers(about, context));
  if (!expected.code && isAccepted(response))
    findings.push(...listFindings(exchange, call, response));
  return findings;
}

/** Whether the service is a sandbox that was reset: it issues the same tokens again. */
const isBegunAnew = (response: ReceivedResponse, live: LiveMerchant | undefined): boolean =>
  response.headers.has('sandbox-request-id') &&
  live?.links.twinFor('token', valueAt(response.body, 'data.token')) !== undefined;

/** The time of a response: when its record was written, or its Date. */
function momentOf({ operation }: KnownCall, response: ReceivedResponse): Instant | undefined {
  const isWritten = !operation.readOnly && isAccepted(response);
  const [date, written] = [
    dateOf(response),
    isWritten ? writtenAt(operation, response) : undefined,
  ];
  if (date === undefined) return written;
  const isNear = written !== undefined && Math.abs(written - date) < DATE_SLACK_MS;
  return isNear ? written : date;
}

interface Circumstances {
  readonly twin: LiveTwin;
  readonly live: LiveMerchant;
  readonly at: Instant | undefined;
}

/**
 * The response that the service should have sent; `unknown` if it depends on data that only the service has, `refused`
 * if a gateway in front of the service refused the request.
 */
async function twinAnswerTo(
  exchange: Exchange,
  call: KnownCall,
  response: ReceivedResponse,
  { twin, live, at }: Circumstances,
): Promise<TwinAnswer | 'unknown' | 'refused'> {
  const { operation } = call;
  const { settings } = operation;
  const key = bearerKey(headersOf(exchange.headers).get('authorization') ?? undefined);
  const asked = twinRequest(exchange, call, live, at);
  if (key === undefined) return twin.askUnknown(asked);
  if (isOfKey(response, settings, operation.envelope.messageKey)) {
    return refusedAs('unauthenticated', call, response);
  }
  if (exchange.sentBytes > MAX_BODY_BYTES && operation.request.body) {
    return refusedAs('too_large', call, response);
  }
  if (exchange.sentBytes > 0 && exchange.sent === undefined) {
    return isAccepted(response) ? 'unknown' : refusedAs(codeIn(call, response), call, response);
  }
  const isUnknown = asked.isForeign;
  if (isAccepted(response)) {
    const expected = await twin.ask(live, asked, response);
    // A token or policy from before the proxy started.
    if (expected.code && isUnknown && OF_STATE.includes(expected.code)) return 'unknown';
    if (expected.code === 'token_expired' && at === undefined) return 'unknown';
    if (expected.code === 'invalid' && isForProviderOnly(expected, call, asked)) return 'unknown';
    return expected;
  }
  if (response.status >= 500 && valueAt(response.body, 'success') === false) return 'refused';
  const expected = await twin.askWithoutEffect(live, asked, response);
  if (expected.code && !(isUnknown && OF_STATE.includes(expected.code))) {
    if (expected.code !== 'invalid' || !isForProviderOnly(expected, call, asked)) {
      return expected.code === 'invalid'
        ? withProviderFields(expected, call, response, asked)
        : expected;
    }
  }
  const named = namedFields(response.body);
  const isOfProvider = named.length > 0 && named.every((field) => OF_PROVIDER.test(field));
  const isList = operation.method === 'get' && operation.request.params === undefined;
  const isUnnamed = !isList && named.length === 0 && response.status === operation.statuses.invalid;
  const isLate = operation.errors.includes('token_unknown') && at === undefined;
  if (isUnknown || (isOfProvider && !isList) || isUnnamed || isLate) {
    return refusedAs(codeIn(call, response), call, response);
  }
  return expected;
}

/** Whether a field is well-formed, so that only the provider's catalogue can be a reason to refuse it. */
const isForProvider = (field: string, { operation }: KnownCall, { input }: TwinRequest): boolean =>
  OF_PROVIDER.test(field) &&
  operation.input?.shape[field]?.safeParse(input[field]).success === true;

/** Whether the twin refuses only a plan that the provider may sell. */
function isForProviderOnly(expected: TwinAnswer, call: KnownCall, asked: TwinRequest): boolean {
  const fields = namedFields(expected.body);
  return fields.length > 0 && fields.every((field) => isForProvider(field, call, asked));
}

/** The twin's refusal, adjusted to the service's for fields that depend on the provider's catalogue. */
function withProviderFields(
  expected: TwinAnswer,
  call: KnownCall,
  { body }: ReceivedResponse,
  asked: TwinRequest,
): TwinAnswer {
  const due = namedFields(expected.body);
  if (due.length === 0) return expected;
  const more = problemsIn(body).filter(
    ({ field = '' }) => OF_PROVIDER.test(field) && !due.includes(field),
  );
  const named = namedFields(body);
  const kept = problemsIn(expected.body).filter(
    ({ field = '' }) => named.includes(field) || !isForProvider(field, call, asked),
  );
  const { operation } = call;
  const order = Object.keys(operation.input?.shape ?? {});
  const placeOf = ({ field = '' }) => order.indexOf(field.split('.', 1)[0] as string);
  const listed = [...kept, ...more].toSorted((a, b) => placeOf(a) - placeOf(b));
  const problems = refusalProblems(listed);
  const { envelope, settings } = operation;
  return { ...expected, body: refusal(envelope, { code: 'invalid', problems }, settings) };
}

/** Refusals that depend on earlier purchases. */
const OF_STATE: readonly ErrorCode[] = [
  'token_unknown',
  'token_used',
  'token_expired',
  'policy_unknown',
];

/** Why a response is not of the service itself, by its status and content type; undefined if it may be. */
export function passedReason(status: number, contentType: string): string | undefined {
  if (status === 429) return 'a rate limit (429)';
  if (status === 408) return 'a time-out (408)';
  if (status >= 300 && status < 400) return `a redirect (${status})`;
  const isPage = !/json/i.test(contentType);
  return OF_GATEWAY.includes(status) && isPage ? `the page of a gateway (${status})` : undefined;
}

/** Statuses that a gateway returns for a service that does not answer. */
const OF_GATEWAY: readonly number[] = [502, 503, 504];

/** Fields that a service may refuse because of its catalogue or the current date. */
const OF_PROVIDER =
  /^(product_id|amount|no_of_users|\w+_beneficiary_full_name|subscription_type|duration|start_date|year_make)$/;

function isOfKey(
  { status, headers, body }: ReceivedResponse,
  settings: Settings,
  key: string,
): boolean {
  if (status === 401 || valueAt(body, key) === messageOf('unauthenticated', settings)) return true;
  return status === 403 || /^bearer\b/i.test(headers.get('www-authenticate') ?? '');
}

const WORDS: readonly (readonly [ErrorCode, RegExp])[] = [
  ['token_expired', /expir/i],
  ['token_used', /\bused\b|already|complete/i],
  ['token_unknown', /invalid|unknown|not (found|exist|recogni)|no such/i],
];

/** The reason of the service's refusal, from its message and status. */
function codeIn({ operation }: KnownCall, response: ReceivedResponse): ErrorCode {
  const { errors, envelope, statuses } = operation;
  const message = String(valueAt(response.body, envelope.messageKey));
  const worded = WORDS.find(([, words]) => words.test(message))?.[0];
  if (errors.includes('token_unknown') && worded) return worded;
  const ofRules = errors.filter((code) => code === 'policy_unknown' || code === 'invalid');
  const isNamed = namedFields(response.body).length > 0;
  const byStatus = isNamed ? 'invalid' : ofRules.find((code) => statuses[code] === response.status);
  return byStatus ?? (errors.includes('policy_unknown') ? 'policy_unknown' : 'invalid');
}

/** A refusal with the contract's message, or the service's if the contract has none. */
function refusedAs(
  code: ErrorCode,
  { operation }: KnownCall,
  response: ReceivedResponse,
): TwinAnswer {
  const { settings, statuses } = operation;
  const word = messageOf(code, settings);
  const listed =
    word === undefined ? problemsIn(response.body) : [{ message: word, assumptions: [] }];
  const problems = refusalProblems(listed);
  const body = refusal(operation.envelope, { code, problems }, settings);
  const due = response.status >= 500 ? 200 : statuses[code];
  return { status: due, due, code, headers: new Headers(), text: '', body };
}
