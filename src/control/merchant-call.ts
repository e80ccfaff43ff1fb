import { type Operation, urlOf } from '../api/operation.ts';
import { anyFamilies } from '../products/world.ts';
import type { CallResult, OperationId } from '../public.ts';
import { truncate } from '../world/problem-texts.ts';
import { ControlError } from './control-error.ts';
import { refuseUnknownOperation } from './fields.ts';

type Fetch = typeof globalThis.fetch;

/** Any host: a sandbox in this process ignores it. */
const BASE = 'http://sandbox';

/** The same `fetch` with the key of a merchant. It replaces a key in the request. */
export const fetchWithKey =
  (fetch: Fetch, keyOf: () => string): Fetch =>
  async (input, init) => {
    const sent = init?.headers ?? (input instanceof Request ? input.headers : undefined);
    const headers = new Headers(sent);
    headers.set('authorization', `Bearer ${keyOf()}`);
    return fetch(input, { ...init, headers });
  };

/**
 * Sends a call of the merchant API, and reads its response. Throws `ControlError` 422 if no operation has this name or
 * the input is not an object. A call that the service refuses is a result like any other.
 */
export async function callOperation(
  fetch: Fetch,
  operationId: OperationId,
  input: unknown = {},
): Promise<CallResult> {
  const operation = operationOf(operationId);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new ControlError(
      422,
      `${operationId} takes an object with the fields of the call; got ${truncate(input)}.`,
    );
  }
  const response = await fetch(urlOf(BASE, operation, { ...input }), {
    method: operation.method.toUpperCase(),
    ...(operation.method === 'post' && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    }),
  });
  const { status, headers } = response;
  return { status, body: parsedOrText(await response.text()), headers } as CallResult;
}

/** A body is JSON unless a fault broke it. */
function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function operationOf(name: unknown): Operation {
  refuseUnknownOperation(String(name), 'operation');
  return anyFamilies
    .flatMap(({ operations }) => operations)
    .find(({ operationId }) => operationId === name) as Operation;
}
