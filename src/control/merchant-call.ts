/* Sends calls of the merchant API by the name of their operation, for `merchant.call` and `merchant.fetch`. */

import { type Operation, urlOf } from '../api/operation.ts';
import { anyFamilies } from '../products/world.ts';
import type { CallResult, OperationId } from '../types/public.ts';
import { parseJson } from '../world/json.ts';
import { describeValue, didYouMean, isPlainObject, truncate } from '../world/problem-texts.ts';
import { ControlError } from './control-error.ts';
import { operationIds } from './fields.ts';

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
  const operations = anyFamilies.flatMap((family) => family.operations);
  const found = operations.find(({ operationId }) => operationId === name);
  if (found) return found;
  const hint = didYouMean(String(name), operationIds, '.');
  throw new ControlError(422, `call() takes an operationId; got ${truncate(name)}${hint}`);
}
