import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type SSEMessage, streamSSE } from 'hono/streaming';
import { onAbort } from '../core/abort.ts';
import { listEntries } from '../core/journal.ts';
import type { Activity } from '../http/activity.ts';
import { type ControlEnv, overSandbox } from './access.ts';
import { createBacklog } from './backlog.ts';
import { showClock } from './clock.ts';
import { EXAMPLE } from './examples.ts';
import { forwarded, journalsOf, merchantId, type OwnedEntry, presentOwned } from './journal-all.ts';
import type { MerchantStore } from './merchant-store.ts';
import { findMerchant } from './merchants.ts';
import { problems } from './problems.ts';
import { inputObject, readNumbers } from './request.ts';
import { live } from './responses.ts';

/** How often a comment shows that the stream still stands. */
const COMMENT_MS = 15_000;
/** How many characters may wait for a listener before it is dropped. */
const MAX_UNSENT = 1024 * 1024;

const EventQuery = inputObject({ merchant: merchantId().optional() });

const EVENT_ID = /^\d{1,15}$/;

const EventHeaders = z.object({
  'last-event-id': z
    .string()
    .refine((id) => EVENT_ID.test(id), { error: 'the id of an event, a whole number' })
    .meta({
      description: 'The last event that was read: the calls after it come first.',
      pattern: EVENT_ID.source,
    })
    .optional(),
});

/** What happens in the sandbox, as it happens. */
export const events = () =>
  new OpenAPIHono<ControlEnv>().openapi(
    createRoute({
      operationId: 'streamEvents',
      summary: 'Watch the sandbox: calls, changed Worlds, merchants',
      description: DESCRIPTION,
      method: 'get',
      path: '/events',
      ...overSandbox(readNumbers('merchant')),
      request: { query: EventQuery, headers: EventHeaders },
      responses: {
        200: {
          description: 'A stream of server-sent events, which goes on until one side closes.',
          content: { 'text/event-stream': { schema: z.string(), example: EXAMPLE_STREAM } },
        },
        ...problems(401, 403, 404, 422),
      },
    }),
    async (c) => {
      const { merchant } = c.req.valid('query');
      const store = c.env.merchants;
      const { cluster } = store.host;
      if (cluster) return forwarded(cluster, merchant, c.req.raw);
      if (merchant !== undefined) findMerchant(store, String(merchant));
      const lastId = c.req.valid('header')['last-event-id'];
      const missed = lastId === undefined ? [] : entriesAfter(store, Number(lastId), merchant);
      if (c.req.method === 'HEAD')
        return c.body(null, 200, { 'content-type': 'text/event-stream' });
      return streamEvents(c, merchant, missed);
    },
  );

const DESCRIPTION = `
\`event: entry\` is a call of the merchant API, with or without a valid key, as \`GET /_sandbox/journal/all\` shows it.
\`event: world\` comes when the control plane changed a World: \`{ "merchant": 3, "clock": { "now", "mode" } }\`.
\`event: merchants\` comes when a merchant is \`created\` or \`removed\` or gets a new \`key\`: \`{ "merchant": 3, "change": "created" }\`.
With \`?merchant=ID\` only what concerns that merchant comes. A comment comes every 15 seconds. A listener that
leaves more than 1 MiB unread is dropped.
`.trim();

const EXAMPLE_STREAM = `event: world\ndata: ${JSON.stringify({
  merchant: 3,
  clock: { now: EXAMPLE.now, mode: 'frozen' },
})}\nid: 7\n\n`;

/** The calls that were recorded after an event, as far as the journals reach, oldest first. */
function entriesAfter(store: MerchantStore, lastId: number, id: number | undefined): OwnedEntry[] {
  // A number that this process has not reached yet is one of another process: all of these came later.
  const after = lastId > store.activity.lastId ? 0 : lastId;
  return journalsOf(store, id)
    .flatMap(({ merchant, journal }) =>
      listEntries(journal)
        .filter(({ feedId }) => feedId > after)
        .map((entry) => ({ merchant, entry })),
    )
    .toSorted((a, b) => a.entry.feedId - b.entry.feedId);
}

/** Sends what was missed, and then what happens, until the listener goes, falls behind, or the sandbox closes. */
function streamEvents(
  c: Context<ControlEnv>,
  id: number | undefined,
  missed: readonly OwnedEntry[],
): Response {
  const { activity } = c.env.merchants;
  const { closing, abort } = c.env.connection;
  const response = streamSSE(c, async (stream) => {
    const backlog = createBacklog(MAX_UNSENT);
    const listen = (happened: Activity) => {
      if (id !== undefined && happened.merchant?.id !== id) return;
      const message = messageOf(happened);
      if (message) backlog.add(message);
    };
    activity.listeners.add(listen);
    const stops = [closing, c.req.raw.signal].map((each) => each && onAbort(each, backlog.end));
    stream.onAbort(backlog.end);
    const send = (message: SSEMessage) => Promise.race([stream.writeSSE(message), backlog.over]);
    try {
      // A first comment shows at once that somebody is there.
      await Promise.race([stream.write(COMMENT), backlog.over]);
      for (const each of missed) {
        if (!backlog.isOver()) await send(entryMessage(each, each.entry.feedId));
      }
      while (!backlog.isOver()) {
        const message = await backlog.next(COMMENT_MS);
        if (!message) await Promise.race([stream.write(COMMENT), backlog.over]);
        else {
          await send(message);
          backlog.sent(message);
        }
      }
    } finally {
      activity.listeners.delete(listen);
      for (const stop of stops) stop?.();
      // Who does not read would not see the end of the stream either.
      if (backlog.isFull()) abort?.();
    }
  });
  return live(response);
}

const COMMENT = ':\n\n';

/** Made once for all who listen. */
const messages = new WeakMap<Activity, SSEMessage>();

/** What is sent of something that happened; undefined where it is nothing for those who watch Worlds. */
function messageOf(happened: Activity): SSEMessage | undefined {
  const message = messages.get(happened) ?? createMessage(happened);
  if (message) messages.set(happened, message);
  return message;
}

function createMessage(happened: Activity): SSEMessage | undefined {
  const { kind, id } = happened;
  switch (kind) {
    case 'entry':
      return entryMessage(happened, id);
    case 'world': {
      const { merchant } = happened;
      return eventMessage(kind, id, { merchant: merchant.id, clock: showClock(merchant.world) });
    }
    case 'merchants':
      return eventMessage(kind, id, { merchant: happened.merchant.id, change: happened.change });
    case 'control':
      return undefined;
  }
}

const entryMessage = (owned: OwnedEntry, id: number): SSEMessage =>
  eventMessage('entry', id, presentOwned(owned));

const eventMessage = (event: string, id: number, data: unknown): SSEMessage => ({
  event,
  id: String(id),
  data: JSON.stringify(data),
});
