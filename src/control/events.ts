/* The stream of live events: what a reader missed, then calls and changes as they happen. */

import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { live } from '../api/respond.ts';
import type { Activity, ActivityFeed } from '../world/activity.ts';
import { wait } from '../world/clock.ts';
import { inputObject } from '../world/input-object.ts';
import { isEvent, type JournalItem } from '../world/journal.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import { onAbort } from '../world/platform.ts';
import type { ControlEnv } from './access.ts';
import { sandboxCall } from './call.ts';
import { EXAMPLE } from './fields.ts';
import { journalsOf, merchantId, presentItem } from './journal.ts';
import type { MerchantStore } from './merchant-store.ts';
import { findMerchant } from './merchants.ts';

/** How often a comment keeps the stream alive. */
const COMMENT_MS = 15_000;
/** How many bytes may wait for a slow reader before its stream is closed. */
const MAX_UNSENT_BYTES = 1024 * 1024;

const EVENT_STREAM = 'text/event-stream';

const EXAMPLE_ID = '6fd1c0a8-7';

const EventQuery = onFirstUse(() => inputObject({ merchant: merchantId().optional() }));

const EventHeaders = onFirstUse(() =>
  z.object({
    'last-event-id': z
      .string()
      .meta({
        description:
          'The id of the last event that was read. Later calls are sent first; all calls in the journal, if the event is of another start of the sandbox.',
        examples: [EXAMPLE_ID],
      })
      .optional(),
  }),
);

const DESCRIPTION = `
\`event: entry\` is a merchant-API call, with or without a valid key. Its data is a journal entry.
\`event: world\` is an event of a World, as \`GET /_sandbox/journal?events=true\` lists it. That its journal was cleared is one
that no journal keeps: \`{ "kind": "journal_cleared", "merchant" }\`.
\`event: merchants\` is a merchant that was \`created\` or \`removed\`, or got a new \`key\`: \`{ "merchant": 3, "change": "created" }\`.
\`?merchant=ID\` selects the events of one merchant. A comment is sent every 15 seconds. The stream closes if the reader
leaves more than 1 MiB unread.
`.trim();

const EXAMPLE_STREAM = `event: world\ndata: ${JSON.stringify({
  at: EXAMPLE.now,
  merchant: { id: 3, name: 'Worker 3' },
  summary: 'World reset',
  kind: 'reset',
})}\nid: ${EXAMPLE_ID}\n\n`;

/** The call that streams live events. */
export const eventsCall = sandboxCall({
  operationId: 'streamEvents',
  summary: 'Stream events: calls, changed Worlds, merchants',
  description: DESCRIPTION,
  route: 'GET /events',
  query: EventQuery,
  headers: EventHeaders,
  text: () => ({ [EVENT_STREAM]: EXAMPLE_STREAM }),
  refusals: [404],
  run({ query: { merchant } }, store, c) {
    if (merchant !== undefined) findMerchant(store, String(merchant));
    const lastId = c.req.header('last-event-id');
    const missed = lastId === undefined ? [] : itemsAfter(store, lastId, merchant);
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'content-type': EVENT_STREAM });
    return streamEvents(c, merchant, missed);
  },
});

/** The calls and events after an event that are still in the journals, oldest first. */
function itemsAfter(store: MerchantStore, lastId: string, id: number | undefined): JournalItem[] {
  const after = numberIn(store.activity, lastId);
  return journalsOf(store, id)
    .flatMap(({ items }) => items)
    .filter(({ feedId }) => after === undefined || feedId > after)
    .toSorted((a, b) => a.feedId - b.feedId || a.at - b.at);
}

const eventId = ({ processName }: ActivityFeed, number: number): string =>
  `${processName()}-${number}`;

/** The number in the id of an event; undefined for one of another start. */
function numberIn(feed: ActivityFeed, id: string): number | undefined {
  const number = Number(id.slice(id.lastIndexOf('-') + 1));
  return eventId(feed, number) === id ? number : undefined;
}

const utf8 = new TextEncoder();
const comment = () => utf8.encode(':\n\n');

/** Sends missed calls, then live events, until the reader leaves or falls behind, or the sandbox closes. */
function streamEvents(
  c: Context<ControlEnv>,
  id: number | undefined,
  missed: readonly JournalItem[],
): Response {
  const { activity } = c.env.merchants;
  const { closing, abort } = c.env.connection;
  const over = new AbortController();
  const end = () => over.abort();
  /** Live events that the reader has not read. */
  const unsent: Uint8Array[] = [];
  let unsentBytes = 0;
  let added = new AbortController();

  const listen = (happened: Activity) => {
    if (id !== undefined && happened.merchant?.id !== id) return;
    const message = messageOf(activity, happened);
    if (!message) return;
    unsent.push(message);
    unsentBytes += message.length;
    added.abort();
    if (unsentBytes <= MAX_UNSENT_BYTES || unsent.length === 1) return;
    end();
    // A reader that is behind would not read the end of the stream either.
    abort?.();
  };
  activity.listeners.add(listen);
  onAbort([closing, c.req.raw.signal, over.signal], () => {
    activity.listeners.delete(listen);
    unsent.length = 0;
    end();
    added.abort();
  });

  const older = missed.values();
  // Pulls only when read. Until then events wait in `unsent`, which is bounded.
  const body = new ReadableStream<Uint8Array>(
    {
      // A first comment shows at once that the stream is open.
      start: (controller) => controller.enqueue(comment()),
      async pull(controller) {
        const { value: item } = older.next();
        if (!item && unsent.length === 0 && !over.signal.aborted) {
          added = new AbortController();
          await wait(COMMENT_MS, added.signal);
        }
        if (over.signal.aborted) return controller.close();
        if (item) return controller.enqueue(itemMessage(activity, item));
        const message = unsent.shift();
        unsentBytes -= message?.length ?? 0;
        controller.enqueue(message ?? comment());
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
  return live(c.body(body, 200, { 'content-type': EVENT_STREAM, 'cache-control': 'no-cache' }));
}

/** The message of an activity; undefined if it is not part of the stream. */
function messageOf(feed: ActivityFeed, happened: Activity): Uint8Array | undefined {
  const { kind, id } = happened;
  switch (kind) {
    case 'entry':
      return itemMessage(feed, happened.entry);
    case 'world':
      return itemMessage(feed, happened.event);
    case 'cleared': {
      const { id: merchantId, name } = happened.merchant;
      const cleared = { kind: 'journal_cleared', merchant: { id: merchantId, name } };
      return eventMessage('world', eventId(feed, id), cleared);
    }
    case 'merchants': {
      const { merchant, change } = happened;
      return eventMessage(kind, eventId(feed, id), { merchant: merchant.id, change });
    }
    case 'control':
    case 'page':
      return undefined;
  }
}

const itemMessage = (feed: ActivityFeed, item: JournalItem): Uint8Array =>
  eventMessage(isEvent(item) ? 'world' : 'entry', eventId(feed, item.feedId), presentItem(item));

const eventMessage = (event: string, id: string, data: unknown): Uint8Array =>
  utf8.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`);
