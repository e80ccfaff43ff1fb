/* Reads the event stream of the sandbox, and continues where it broke. */

import { createParser } from 'eventsource-parser';
import { after, pause } from '../../layout/client/browser-time.ts';
import { adminHeaders, CallError, request } from './api.ts';
import type { Item } from './items.ts';

/** An event of the sandbox: a call, an event of a World, or a change of merchants. */
export type Happened =
  | { readonly kind: 'entry' | 'world'; readonly item: Item }
  /** The journal of a merchant was cleared. */
  | { readonly kind: 'cleared'; readonly merchant: number }
  | { readonly kind: 'merchants'; readonly merchant: number; readonly change: string };

/** A change of the stream. After a break, a new stream is tried until one opens. */
type StreamState =
  | { readonly kind: 'opened' }
  | { readonly kind: 'broke' }
  /** The caller may not listen, or the merchant does not exist. */
  | { readonly kind: 'refused'; readonly error: CallError };

/** The sandbox sends a comment every 15 seconds, so a silent stream is broken. */
const MAX_SILENCE_MS = 40_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/**
 * The events of the sandbox, until it refuses. After a break they continue where the last stream ended.
 *
 * @param merchant the merchant of the events; all merchants by default
 */
export async function* eventsOf(
  merchant: number | undefined,
  stop: AbortSignal,
): AsyncGenerator<Happened | StreamState> {
  const url = `/_sandbox/events${merchant === undefined ? '' : `?merchant=${merchant}`}`;
  const refusals = merchant === undefined ? [401, 403] : [401, 403, 404];
  let lastId: string | undefined;
  let wait = FIRST_PAUSE_MS;
  while (!stop.aborted) {
    try {
      for await (const { event, id, data } of messagesOf(url, lastId, stop)) {
        lastId = id ?? lastId;
        if (event === 'opened') {
          wait = FIRST_PAUSE_MS;
          yield { kind: 'opened' };
        } else if (event === 'entry' || event === 'world') {
          const item = JSON.parse(data);
          if (item.kind === 'journal_cleared')
            yield { kind: 'cleared', merchant: item.merchant.id };
          else yield { kind: event, item };
        } else if (event === 'merchants') yield { kind: event, ...JSON.parse(data) };
      }
    } catch (error) {
      const status = error instanceof CallError ? error.status : 0;
      if (refusals.includes(status)) return yield { kind: 'refused', error: error as CallError };
      // After a restart the sandbox may not know the id.
      if (status === 422) lastId = undefined;
    }
    if (stop.aborted) return;
    yield { kind: 'broke' };
    await pause(wait);
    wait = Math.min(wait * 2, MAX_PAUSE_MS);
  }
}

interface Message {
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  readonly data: string;
}

/** The messages of one stream, after one that says it is open. Uses fetch, because an EventSource sends no headers. */
async function* messagesOf(
  url: string,
  lastId: string | undefined,
  stop: AbortSignal,
): AsyncGenerator<Message> {
  const end = new AbortController();
  const abort = () => end.abort();
  stop.addEventListener('abort', abort);
  let stopWaiting = after(MAX_SILENCE_MS, abort);
  try {
    const headers = { ...adminHeaders(), ...(lastId !== undefined && { 'last-event-id': lastId }) };
    const { body } = await request(url, { headers, signal: end.signal });
    yield { event: 'opened', data: '' };
    const messages: Message[] = [];
    const parser = createParser({ onEvent: (message) => void messages.push(message) });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return;
      stopWaiting();
      stopWaiting = after(MAX_SILENCE_MS, abort);
      parser.feed(value);
      yield* messages.splice(0);
    }
  } finally {
    stop.removeEventListener('abort', abort);
    stopWaiting();
    abort();
  }
}
