/* Sends a call of the journal again. */

import { z } from '@hono/zod-openapi';
import type { Connection } from '../api/context.ts';
import type * as wire from '../types/control-wire.ts';
import { FAULT_STAGES, FaultEffect } from '../world/fault-kinds.ts';
import { entriesOf, type RawHeaders, type StoredEntry } from '../world/journal.ts';
import { MAX_READ_DEPTH, parseJson } from '../world/json.ts';
import { parseUrl } from '../world/platform.ts';
import { truncate } from '../world/problem-texts.ts';
import { REDACTED } from '../world/redaction.ts';
import { worldCall } from './call.ts';
import { ControlError } from './control-error.ts';
import { refuseEffect } from './faults.ts';
import { EXAMPLE, namedInput } from './fields.ts';
import { callId, findEntry } from './journal.ts';
import { presentEntry } from './journal-entry.ts';
import { JournalEntry } from './journal-entry-schema.ts';
import { jsonOf } from './json.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';

const SentFault = namedInput(
  'SentFault',
  'The fault that acts on a call, in place of the fault rules.',
  () => ({ stage: z.enum(FAULT_STAGES), effect: FaultEffect() }),
);

export const SendChange = namedInput(
  'SendChange',
  'What is different this time.',
  () => ({
    body: z
      .unknown()
      .describe(
        `The body in place of the one that was sent: JSON, or its text. A value that the journal hides, \`${REDACTED}\`, is sent as it was.`,
      )
      .optional(),
    fault: SentFault().optional(),
  }),
  { body: { token: EXAMPLE.token }, fault: { stage: 'after', effect: { kind: 'drop' } } },
);

/** The call that sends one of the journal again. */
export const sendCalls = {
  'journal.send': worldCall({
    operationId: 'sendJournalEntry',
    summary: 'Send a call again',
    description:
      'Sends a call of this World again as it was sent, with its hidden values and the present key, but without the fault that its header asked for. Returns the entry of the new call, whether the service accepted or refused it. A call that comes from a snapshot or whose body was not read returns 409.',
    route: 'POST /journal/{id}/send',
    params: callId,
    body: SendChange,
    isOptional: true,
    maxDepth: MAX_READ_DEPTH,
    output: JournalEntry,
    refusals: [404],
    conflict: 'The call comes from a snapshot, or its body was not read.',
    argument: (change) => jsonOf(change, MAX_READ_DEPTH),
    isAsync: true,
    run: ({ params: { id }, body }, merchant, store) => sendAgain(store, merchant, id, body),
  }),
};

/**
 * Sends a call of a merchant again, and returns the entry of the new call once it has its response or has lost it.
 * Throws 404 if the journal does not have the call, 409 if it cannot be sent again, 422 if the body or the fault is
 * invalid.
 */
async function sendAgain(
  store: MerchantStore,
  merchant: MerchantAccount,
  id: string,
  { body, fault }: wire.SendChange,
): Promise<wire.JournalEntryJson> {
  if (entriesOf(store.anonymous.journal).some((entry) => entry.id === id)) {
    const why = 'it had no valid key, so it belongs to no World';
    throw new ControlError(409, `${truncate(id)} cannot be sent again: ${why}.`);
  }
  const entry = findEntry(merchant.world, id);
  refuseUnsendable(entry, body !== undefined);
  if (fault) refuseEffect(store, merchant.world, fault);
  const over = new AbortController();
  const request = new Request(addressOf(entry), {
    method: entry.method,
    headers: headersOf(entry, merchant.api_key),
    body: body === undefined ? entry.request.body : textOf(entry, body),
    signal: over.signal,
  });
  return new Promise((resolve, reject) => {
    const connection: Connection = {
      closing: store.closing,
      ...(fault && { fault: { id: null, ...fault } }),
      onRecorded(sent) {
        resolve(presentEntry(sent));
        // Nobody waits for the response, which a fault may keep for ever.
        over.abort();
      },
    };
    // A lost response is in the entry.
    Promise.resolve(store.serve(request, connection)).catch(reject);
  });
}

/** Throws 409 if a call cannot be sent again. */
function refuseUnsendable(entry: StoredEntry, hasBody: boolean): void {
  const { id, method, received, request, problems } = entry;
  const refuse = (why: string): never => {
    throw new ControlError(409, `${id} cannot be sent again: ${why}.`);
  };
  if (received === null) refuse('it comes from a snapshot, which hides what was sent');
  if (problems[0]?.rule === 'method_not_allowed') refuse(`its path does not support ${method}`);
  // A server receives it, but the platform makes no request of it.
  if (method === 'TRACE') refuse('programs cannot send TRACE');
  const isBodiless = method === 'GET' || method === 'HEAD';
  if (hasBody && isBodiless) {
    throw new ControlError(422, `body: ${id} is a ${method}, which has no body`);
  }
  if (request.body === null && !isBodiless && !hasBody) refuse('its body was not read');
}

/** The URL that a call was sent to. */
function addressOf({ path, request }: StoredEntry): URL {
  const host = new Headers(pairsOf(request.headers)).get('host') ?? 'sandbox';
  return parseUrl(`http://${host}${path}`) ?? new URL(path, 'http://sandbox');
}

/** Headers of the connection and of the body, and those that `send` replaces. */
const NOT_SENT = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'expect',
  'upgrade',
  'authorization',
  'sandbox-fault',
]);

function headersOf({ request }: StoredEntry, key: string): Headers {
  const headers = new Headers(
    pairsOf(request.headers).filter(([name]) => !NOT_SENT.has(name.toLowerCase())),
  );
  headers.set('authorization', `Bearer ${key}`);
  return headers;
}

const pairsOf = (headers: RawHeaders): [string, string][] =>
  headers.flatMap((name, at) =>
    at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as [string, string]] : [],
  );

/** The text of another body. Throws 422 if it is a text that is no JSON. */
function textOf(entry: StoredEntry, body: unknown): string {
  const json = typeof body === 'string' ? parseJson(body) : body;
  if (json === undefined) {
    throw new ControlError(422, 'body: expected JSON, or a text that is JSON');
  }
  const isShownWhole = typeof body === 'string' && !body.includes(REDACTED);
  if (isShownWhole) return body;
  const shown = presentEntry(entry).request.body;
  return JSON.stringify(withHidden(json, shown, parseJson(entry.request.body ?? '')));
}

/** Replaces each value that is still as the journal shows it by what was sent, at the same place. */
function withHidden(value: unknown, shown: unknown, sent: unknown): unknown {
  if (typeof value === 'string') {
    return value === shown && value.includes(REDACTED) ? sent : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const inner = (key: string, of: unknown): unknown => Reflect.get(Object(of), key);
  if (Array.isArray(value)) {
    return value.map((each, at) =>
      withHidden(each, inner(String(at), shown), inner(String(at), sent)),
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      withHidden(each, inner(key, shown), inner(key, sent)),
    ]),
  );
}
