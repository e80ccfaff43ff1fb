/*
 * Calls of the merchant API by the name of their operation: `call`, `data`, `buy` and `fetch` of merchants in this process
 * and behind a URL.
 */

import { type Operation, urlOf } from '../api/operation.ts';
import { samplePurchase } from '../products/samples.ts';
import { anyFamilies, operations } from '../products/world.ts';
import type {
  CallResult,
  ClockState,
  Family,
  JournalEntry,
  OperationId,
  Product,
  RecordQuery,
  RemoteMerchant,
} from '../types/public.ts';
import { parseJson } from '../world/json.ts';
import { describeValue, didYouMean, isPlainObject, truncate } from '../world/problem-texts.ts';
import { day, instantOf } from '../world/time.ts';
import { ControlError } from './control-error.ts';
import { operationIds } from './fields.ts';
import { RefusalError } from './refusal-error.ts';

type Fields = Readonly<Record<string, unknown>>;
type Fetch = typeof globalThis.fetch;

/** Any host: a sandbox in this process ignores it. */
const BASE = 'http://sandbox';

/** The same `fetch`, which adds the key of a merchant to a request without `Authorization`. */
export const fetchWithKey =
  (fetch: Fetch, keyOf: () => string): Fetch =>
  async (input, init) => {
    const sent = init?.headers ?? (input instanceof Request ? input.headers : undefined);
    const headers = new Headers(sent);
    const key = keyOf();
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${key}`);
    return fetch(input, { ...init, headers });
  };

/**
 * Sends a call of the merchant API, and reads its response. Throws `ControlError` 422 if no operation has this name or
 * the input is not an object or cannot be sent. A call that the service refuses is a result like any other.
 */
export async function callOperation(
  fetch: Fetch,
  operationId: OperationId,
  input: unknown = {},
): Promise<CallResult> {
  const operation = operationOf(operationId);
  if (!isPlainObject(input)) {
    throw new ControlError(
      422,
      `${operationId} takes an object with the fields of the call; got ${describeValue(input)}.`,
    );
  }
  const response = await fetch(...requestOf(operation, input));
  const { status, headers } = response;
  return { status, body: parsedOrText(await response.text()), headers } as CallResult;
}

/** What `fetch` takes for a call. */
function requestOf(operation: Operation, input: object): [URL, RequestInit] {
  const { operationId, method } = operation;
  try {
    const url = urlOf(BASE, operation, { ...input });
    if (method === 'get') return [url, {}];
    const headers = { 'content-type': 'application/json' };
    return [url, { method: 'POST', headers, body: JSON.stringify(input) }];
  } catch (error) {
    const why = error instanceof Error ? error.message : truncate(error);
    throw new ControlError(422, `The input of ${operationId} cannot be sent: ${why}`);
  }
}

/** A body is JSON unless a fault broke it. */
function parsedOrText(text: string): unknown {
  const json = parseJson(text);
  return json === undefined ? text : json;
}

function operationOf(name: unknown): Operation {
  const found = operations.find(({ operationId }) => operationId === name);
  if (found) return found;
  const hint = didYouMean(String(name), operationIds, '.');
  throw new ControlError(422, `call() takes an operationId; got ${truncate(name)}${hint}`);
}

interface Listed {
  readonly data: readonly object[];
}

/** The methods of a merchant that buying needs. */
export interface Buyer {
  call(operation: OperationId, input: unknown): Promise<CallResult>;
  readonly journal: { get(id: string): JournalEntry | Promise<JournalEntry> };
  readonly clock: { show(): ClockState | Promise<ClockState> };
  products(): readonly Product[] | Promise<readonly Product[]>;
  records(query: RecordQuery): Listed | Promise<Listed>;
}

/** The data of a success. Throws `RefusalError` if the call is none. */
async function dataOf(
  buyer: Pick<Buyer, 'call' | 'journal'>,
  operation: OperationId,
  input?: unknown,
): Promise<unknown> {
  const { status, body, headers } = await buyer.call(operation, input);
  if (status < 300 && isPlainObject(body) && Reflect.get(body, 'success') === true) {
    return Reflect.get(body, 'data');
  }
  const id = headers.get('sandbox-request-id');
  const entry = id === null ? undefined : await entryOf(buyer, id);
  throw new RefusalError({ operation, status, body, entry });
}

/** A call without a valid key is in no journal of a merchant. */
async function entryOf(
  buyer: Pick<Buyer, 'journal'>,
  id: string,
): Promise<JournalEntry | undefined> {
  try {
    return await buyer.journal.get(id);
  } catch {
    return undefined;
  }
}

/** The methods of a merchant that make calls of the merchant API and read their data. */
export const purchaseMethods = (buyer: Buyer) => ({
  data: (async (operation: OperationId, input: unknown) =>
    dataOf(buyer, operation, input)) as RemoteMerchant['data'],
  buy: (async (family: unknown, fields: unknown) =>
    buyPolicy(buyer, family, fields)) as RemoteMerchant['buy'],
});

/** Initiates and verifies a purchase of a family, and returns its policy as `records` does. */
async function buyPolicy(buyer: Buyer, familyKey: unknown, fields: unknown = {}): Promise<object> {
  const family = familyOf(familyKey);
  if (!isPlainObject(fields)) {
    throw new ControlError(
      422,
      `buy() takes an object with fields of ${family.initiateOperation}; got ${describeValue(fields)}.`,
    );
  }
  const today = day(instantOf((await buyer.clock.show()).now));
  const request = samplePurchase(family, await buyer.products(), today, fields as Fields);
  const initiated = (await dataOf(buyer, family.initiateOperation, request)) as Fields;
  const verify = family.operations.find(({ role }) => role === 'verify');
  const { token } = initiated;
  const verified = await dataOf(buyer, verify?.operationId as OperationId, { token });
  const { keyOf } = family.policyKeys;
  const policy_number = keyOf(verified as object);
  const { data } = await buyer.records({ family: family.key as Family, policy_number });
  const policy = data.find((each) => keyOf(each) === policy_number);
  if (policy) return policy;
  throw new ControlError(404, `The World no longer has the policy ${policy_number}.`);
}

function familyOf(key: unknown) {
  const family = anyFamilies.find((each) => each.key === key);
  if (family) return family;
  const known = anyFamilies.map((each) => each.key);
  const hint = didYouMean(String(key), known, '.');
  throw new ControlError(
    422,
    `buy() takes a family: ${known.join(', ')}; got ${truncate(key)}${hint}`,
  );
}
