/* Reads one event stream of the sandbox. */

import { createParser } from 'eventsource-parser';
import { after } from '../../layout/client/browser-time.ts';
import { adminHeaders, request } from './api.ts';

/** The sandbox sends a comment every 15 seconds, so a silent stream is broken. */
const MAX_SILENCE_MS = 40_000;

export interface StreamMessage {
  readonly event?: string | undefined;
  readonly data: string;
}

/**
 * The messages of a stream, after one that says it is open. Uses fetch, because an EventSource sends no headers.
 *
 * @param merchant the merchant of the events; all merchants by default
 */
export async function* messagesOf(
  merchant: number | undefined,
  stop: AbortSignal,
): AsyncGenerator<StreamMessage> {
  const url = `/_sandbox/events${merchant === undefined ? '' : `?merchant=${merchant}`}`;
  const end = new AbortController();
  const abort = () => end.abort();
  stop.addEventListener('abort', abort);
  let stopWaiting = after(MAX_SILENCE_MS, abort);
  try {
    const { body } = await request(url, { headers: adminHeaders(), signal: end.signal });
    yield { event: 'opened', data: 'null' };
    const messages: StreamMessage[] = [];
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
