/* Reads what a client sent as messages of JSON-RPC, or says which error JSON-RPC wants in their place. */

import { z } from '@hono/zod-openapi';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { MAX_DEPTH } from '../../api/request.ts';
import { exceedsDepth } from '../../world/json.ts';
import { isPlainObject } from '../../world/problem-texts.ts';
import { fitted } from './arguments.ts';

/** The answer to what is no message. */
export interface MessageError {
  readonly jsonrpc: '2.0';
  /** Null if it could not be read. */
  readonly id: RequestId | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** A message, or the error in its place. */
export type ReadMessage = { readonly message: JSONRPCMessage } | { readonly error: MessageError };

/** What a client sent at once: one message, or a batch of them. */
export type ClientMessages = ReadMessage | { readonly batch: readonly ReadMessage[] };

/** The only revision of the protocol that has batches. */
export const BATCH_REVISION = '2025-03-26';

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** The highest number of messages in a batch. */
const MAX_BATCH = 100;

/** @param revision of the protocol, which decides whether there are batches */
export function readMessages(text: string, revision: string): ClientMessages {
  // Command lines of Windows begin a text with a byte order mark.
  const json = text.replace(/^\uFEFF/, '');
  if (exceedsDepth(json, MAX_DEPTH)) {
    return failed(PARSE_ERROR, null, `nested deeper than ${MAX_DEPTH} levels`);
  }
  let sent: unknown;
  try {
    sent = JSON.parse(json);
  } catch {
    return failed(PARSE_ERROR, null, 'not JSON');
  }
  if (!Array.isArray(sent)) return readMessage(sent);
  if (revision !== BATCH_REVISION) {
    return failed(INVALID_REQUEST, null, `revision ${revision} has no batches`);
  }
  if (sent.length === 0) return failed(INVALID_REQUEST, null, 'an empty batch');
  if (sent.length > MAX_BATCH) {
    return failed(INVALID_REQUEST, null, `a batch of more than ${MAX_BATCH} messages`);
  }
  return { batch: sent.map(readMessage) };
}

function readMessage(sent: unknown): ReadMessage {
  if (!isPlainObject(sent)) return failed(INVALID_REQUEST, null, 'not an object');
  const { params, ...request } = sent as Record<string, unknown>;
  const { jsonrpc, id, method } = request;
  const knownId = isId(id) ? id : null;
  const refuse = (why: string) => failed(INVALID_REQUEST, knownId, why);
  if (jsonrpc !== '2.0') return refuse('jsonrpc must be "2.0"');
  if (!('method' in sent)) {
    const isAnswer = isId(id) && ('result' in sent || 'error' in sent);
    if (!isAnswer) return refuse('a method is required');
    return { message: sent as unknown as JSONRPCMessage };
  }
  if (typeof method !== 'string') return refuse('method must be a text');
  if ('id' in sent && knownId === null) return refuse('id must be a text or a whole number');
  if (params === undefined || params === null) {
    return { message: request as unknown as JSONRPCMessage };
  }
  if (!isPlainObject(params)) return refuse('params must be an object');
  return { message: { ...request, params: fittedParams(params) } as unknown as JSONRPCMessage };
}

const ARGUMENTS = z.record(z.string(), z.unknown()).optional();

/** Parameters as the library takes them: clients send null for one that they leave out, and arguments as their text. */
const fittedParams = (params: object): object =>
  Object.fromEntries(
    Object.entries(params)
      .map(([name, value]) => [name, name === 'arguments' ? fitted(ARGUMENTS, value) : value])
      .filter(([, value]) => value !== null && value !== undefined),
  );

const isId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id);

const TITLES: Readonly<Record<number, string>> = {
  [PARSE_ERROR]: 'Parse error',
  [INVALID_REQUEST]: 'Invalid request',
};

const failed = (code: number, id: RequestId | null, why: string) => ({
  error: { jsonrpc: '2.0' as const, id, error: { code, message: `${TITLES[code]}: ${why}` } },
});
