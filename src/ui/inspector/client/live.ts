import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { after, pause } from '../../layout/client/browser-time.ts';
import { adminHeaders, CallError, request } from './api.ts';
import type { Call } from './call.ts';
import type { Merchant } from './store.ts';

/** What the stream of events tells. */
export type Happened =
  | { readonly kind: 'entry'; readonly entry: Call }
  | { readonly kind: 'world'; readonly merchant: number; readonly clock: Merchant['clock'] }
  | {
      readonly kind: 'merchants';
      readonly merchant: number;
      readonly change: 'created' | 'removed' | 'key';
    };

interface Listener {
  happened(event: Happened): void;
  /** The stream is open; what came before has to be read. */
  opened(): void;
  /** The stream broke; another is tried until one opens. */
  broke(): void;
  /** The sandbox does not let this caller listen, or there is no such merchant. */
  refused(error: CallError): void;
}

/** A comment comes every 15 seconds: a stream that is silent for longer is broken. */
const MAX_SILENCE_MS = 40_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/**
 * Listens until it is stopped or refused. After a break it goes on where the last stream ended.
 *
 * @param merchant listens to this one alone; to all merchants unless given
 */
export async function listen(
  listener: Listener,
  merchant: number | undefined,
  stop: AbortSignal,
): Promise<void> {
  let lastId: string | undefined;
  let wait = FIRST_PAUSE_MS;
  const refusals = merchant === undefined ? [401, 403] : [401, 403, 404];
  const opened = () => {
    wait = FIRST_PAUSE_MS;
    listener.opened();
  };
  while (!stop.aborted) {
    try {
      for await (const message of messagesOf(merchant, lastId, opened, stop)) {
        lastId = message.id ?? lastId;
        const event = readEvent(message.event, message.data);
        if (event) listener.happened(event);
      }
    } catch (error) {
      if (error instanceof CallError && refusals.includes(error.status)) {
        return listener.refused(error);
      }
      // An id that this sandbox can't read, if it is another one than before.
      if (error instanceof CallError && error.status === 422) lastId = undefined;
    }
    if (stop.aborted) return;
    listener.broke();
    await pause(wait);
    wait = Math.min(wait * 2, MAX_PAUSE_MS);
  }
}

function readEvent(kind: string | undefined, data: string): Happened | undefined {
  const value = JSON.parse(data);
  if (kind === 'entry') return { kind, entry: value };
  return kind === 'world' || kind === 'merchants' ? { kind, ...value } : undefined;
}

/** The messages of one stream. It is read by fetch, because an EventSource sends no token. */
async function* messagesOf(
  merchant: number | undefined,
  lastId: string | undefined,
  opened: () => void,
  stop: AbortSignal,
): AsyncGenerator<EventSourceMessage> {
  const end = new AbortController();
  const abort = () => end.abort();
  stop.addEventListener('abort', abort);
  let stopWaiting = after(MAX_SILENCE_MS, abort);
  try {
    const headers = { ...adminHeaders(), ...(lastId !== undefined && { 'last-event-id': lastId }) };
    const query = merchant === undefined ? '' : `?merchant=${merchant}`;
    const { body } = await request(`/_sandbox/events${query}`, { headers, signal: end.signal });
    opened();
    const messages: EventSourceMessage[] = [];
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
