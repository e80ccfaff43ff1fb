import { createParser } from 'eventsource-parser';
import type { MerchantState } from '../../../control/merchants.ts';
import { after, pause } from '../../layout/client/browser-time.ts';
import { asAdmin, CallError, control, refusalOf } from './api.ts';
import type { Call } from './call.ts';

/** What the stream of events tells. */
export type Happened =
  | { readonly kind: 'entry'; readonly entry: Call }
  | { readonly kind: 'world'; readonly merchant: number; readonly clock: MerchantState['clock'] }
  | {
      readonly kind: 'merchants';
      readonly merchant: number;
      readonly change: 'created' | 'removed' | 'key';
    };

interface Listener {
  happened(event: Happened): void;
  /** The stream stands; what came before it has to be read. */
  opened(): void;
  /** The stream broke; another is tried until one stands. */
  broke(): void;
  /** The sandbox does not let this caller listen, or there is no such merchant. */
  refused(error: CallError): void;
}

/** A comment comes every 15 seconds: a stream that is silent for longer is broken. */
const MAX_SILENCE_MS = 40_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/**
 * Listens until it is stopped or the sandbox refuses it, going on after each break where the last stream ended.
 *
 * @param merchant whose events alone are listened to; those of all merchants unless given
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

interface Message {
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  readonly data: string;
}

/** The messages of one stream. Read by fetch: an EventSource sends no token. */
async function* messagesOf(
  merchant: number | undefined,
  lastId: string | undefined,
  opened: () => void,
  stop: AbortSignal,
): AsyncGenerator<Message> {
  const end = new AbortController();
  const abort = () => end.abort();
  stop.addEventListener('abort', abort);
  const silence = () => after(MAX_SILENCE_MS, abort);
  let stopWaiting = silence();
  try {
    const { headers } = asAdmin();
    if (lastId !== undefined) headers['last-event-id'] = lastId;
    const url = control.events.$url({ query: { ...(merchant !== undefined && { merchant }) } });
    const response = await fetch(url, { headers, signal: end.signal });
    if (!response.ok || !response.body) throw await refusalOf(response);
    opened();
    const messages: Message[] = [];
    const parser = createParser({ onEvent: (message) => void messages.push(message) });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      stopWaiting();
      stopWaiting = silence();
      parser.feed(value);
      yield* messages.splice(0);
    }
  } finally {
    stop.removeEventListener('abort', abort);
    stopWaiting();
    abort();
  }
}
