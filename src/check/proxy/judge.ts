import type { Settings } from '../../core/settings.ts';
import type { Instant } from '../../core/time.ts';
import { type AssertionResult, assertResponse } from '../assert-response.ts';
import { type Assertion, equals, type Json, valueAt } from '../assertions.ts';
import { DATE_SLACK_MS, parseJson, type ReceivedResponse } from '../client.ts';
import { dataSchema, echoIn } from '../contract.ts';
import type { SeenExchange } from '../exchange-rules.ts';
import type { Observation, Probe } from '../probe.ts';
import { observeTrim } from '../probes/purchases.ts';
import { type Exchange, headersOf, type KnownCall } from './exchange.ts';
import { ageOf, type ProxyMemory, type RememberedPurchase, tokenOf } from './memory.ts';
import { expectedRefusal } from './refusal.ts';
import { type ReadRequest, readRequest } from './request.ts';

/** Holds an exchange against the contract, and remembers what it tells of later ones. */
export function judge(
  exchange: Exchange,
  call: KnownCall,
  settings: Settings,
  memory: ProxyMemory,
): AssertionResult {
  const response = receivedOf(exchange);
  const request = readRequest(exchange, call, settings);
  // A token is one of its family and of the merchant it was given to.
  const key = `${call.operation.tag} ${headersOf(exchange.headers).get('authorization')}`;
  const token = call.operation.errors.includes('token_unknown') ? tokenOf(request.sent) : undefined;
  const purchase = token === undefined ? undefined : memory.find(key, token);
  const now = dateOf(response);
  const probe = probeOf(call, request, response, { settings, memory, purchase, now });
  const context = { settings, memory: { run: '', today: 0, settings } };
  const result = assertResponse(probe, response, context);
  remember(response, request, key, { memory, purchase, now });
  return result;
}

/** What is known besides the exchange itself. */
interface Known {
  readonly memory: ProxyMemory;
  readonly purchase: RememberedPurchase | undefined;
  /** The moment of the service's Date; NaN where it gives none, or is a sandbox, whose clocks may be moved. */
  readonly now: Instant;
}

function receivedOf({ status, responseHeaders, responseText: text }: Exchange): ReceivedResponse {
  return { status, headers: headersOf(responseHeaders), text, body: parseJson(text) };
}

const dateOf = ({ headers }: ReceivedResponse): Instant =>
  headers.has('sandbox-request-id') ? Number.NaN : Date.parse(headers.get('date') ?? '');

const isAccepted = ({ status, body }: ReceivedResponse): boolean => {
  const success = valueAt(body, 'success');
  return success === true || (success !== false && status < 400);
};

/** The question that the exchange answers, with what is to be said of the answer. */
function probeOf(
  call: KnownCall,
  request: ReadRequest,
  response: ReceivedResponse,
  { settings, memory, purchase, now }: Known & { readonly settings: Settings },
): Probe {
  const { operation, rules } = call;
  const age = purchase && !Number.isNaN(now) ? ageOf(purchase, now) : 'unknown';
  const between = Number.isNaN(now)
    ? undefined
    : ([now - DATE_SLACK_MS, now + DATE_SLACK_MS] as const);
  const seen: SeenExchange = { sent: request.sent, purchase, bought: memory.policies, between };
  const untrimmed = purchase?.untrimmed ?? request.untrimmed;
  const expected = isAccepted(response)
    ? expectedAcceptance(request, purchase, age)
    : expectedRefusal(response, { ...call, request, settings, purchase, age });
  return {
    name: operation.operationId,
    operation,
    request: () => ({}),
    ...expected,
    assertions: (data) => [
      ...(rules.assertions?.(data, seen) ?? []),
      ...trimAssertions(paddedTexts(call, untrimmed), settings),
    ],
    observe: (data) => [
      ...(rules.observe?.(data, seen) ?? []),
      ...observeTrims(paddedTexts(call, untrimmed), data),
    ],
  };
}

/** What is accepted though the contract refuses it. */
function expectedAcceptance(
  { refused, assumptions }: ReadRequest,
  purchase: RememberedPurchase | undefined,
  age: string,
): Pick<Probe, 'refused' | 'assumptions'> {
  if (refused) return { refused, assumptions };
  if (purchase?.isVerified) return { refused: 'token_used', assumptions: ['token-used'] };
  return age === 'late' ? { refused: 'token_expired' } : {};
}

type Padded = readonly [path: string, text: string];

/** Texts that were sent with white space around them and are answered again, by their place in the data. */
function paddedTexts({ operation }: KnownCall, sent: Json): Padded[] {
  const found: Padded[] = [];
  const collect = (value: Json, path: string) => {
    if (typeof value === 'string' && value !== value.trim()) found.push([path, value]);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, held] of Object.entries(value)) {
      collect(held, path === '' ? key : `${path}.${key}`);
    }
  };
  if (sent && !operation.request.query) collect(echoIn(dataSchema(operation), sent), '');
  return found;
}

const trimAssertions = (padded: readonly Padded[], { textTrim }: Settings): Assertion[] =>
  padded.map(([path, text]) => equals(path, textTrim === 'trim' ? text.trim() : text, 'text-trim'));

const observeTrims = (padded: readonly Padded[], data: Json): Observation[] =>
  padded.flatMap(([path, text]) => observeTrim(text, valueAt(data, path)));

/** Keeps a purchase for its verify, and the order of what was bought. */
function remember(
  response: ReceivedResponse,
  { sent, untrimmed }: ReadRequest,
  key: string,
  { memory, purchase, now }: Known,
): void {
  if (!isAccepted(response)) return;
  const data: Json = valueAt(response.body, 'data');
  const token = tokenOf(data);
  if (token !== undefined && sent) {
    memory.initiated(key, token, { sent, untrimmed, answered: data }, now);
  }
  if (!purchase || purchase.isVerified) return;
  purchase.isVerified = true;
  const number = data?.policy_number ?? data?.policy_no;
  if (typeof number === 'string') memory.bought(number);
}
