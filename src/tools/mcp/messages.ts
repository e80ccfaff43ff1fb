/* Reads what a client sent as messages of JSON-RPC, or says which error JSON-RPC wants in their place. */

import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { MAX_DEPTH } from '../../api/request.ts';
import { exceedsDepth } from '../../world/json.ts';
import { isPlainObject } from '../../world/problem-texts.ts';

/** Identifies a request and its answer. */
export type MessageId = string | number;

/** The answer to what is no message. */
export interface MessageError {
  readonly jsonrpc: '2.0';
  /** Null if it could not be read. */
  readonly id: MessageId | null;
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
  const { jsonrpc, id, method, params } = sent as Record<string, unknown>;
  const knownId = isId(id) ? id : null;
  const refuse = (why: string) => failed(INVALID_REQUEST, knownId, why);
  if (jsonrpc !== '2.0') return refuse('jsonrpc must be "2.0"');
  const message = sent as unknown as JSONRPCMessage;
  if (!('method' in sent)) {
    const isAnswer = isId(id) && ('result' in sent || 'error' in sent);
    return isAnswer ? { message } : refuse('a method is required');
  }
  if (typeof method !== 'string') return refuse('method must be a text');
  if ('id' in sent && knownId === null) return refuse('id must be a text or a whole number');
  if (params === null) {
    const { params: _, ...without } = sent as Record<string, unknown>;
    return { message: without as unknown as JSONRPCMessage };
  }
  if (params !== undefined && !isPlainObject(params)) return refuse('params must be an object');
  return { message };
}

const isId = (id: unknown): id is MessageId => typeof id === 'string' || Number.isSafeInteger(id);

const TITLES: Readonly<Record<number, string>> = {
  [PARSE_ERROR]: 'Parse error',
  [INVALID_REQUEST]: 'Invalid request',
};

const failed = (code: number, id: MessageId | null, why: string) => ({
  error: { jsonrpc: '2.0' as const, id, error: { code, message: `${TITLES[code]}: ${why}` } },
});
