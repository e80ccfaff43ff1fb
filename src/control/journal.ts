/* The journal of a World: list, clear, one entry. */

import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type * as wire from '../types/control-wire.ts';
import type { WorldEvent as ShownEvent } from '../types/public.ts';
import { announce } from '../world/activity.ts';
import { isLost } from '../world/faults.ts';
import { grouped } from '../world/grouped.ts';
import { inputObject } from '../world/input-object.ts';
import {
  clearEntries,
  isEvent,
  itemsOf,
  type JournalItem,
  listEntries,
  MAX_JOURNAL_ENTRIES,
  notifyListeners,
  type StoredEntry,
} from '../world/journal.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import { truncate } from '../world/problem-texts.ts';
import type { WorldCore } from '../world/world.ts';
import { worldCall } from './call.ts';
import { ControlError } from './control-error.ts';
import { httpStatus, operationName, refuseUnknownOperation } from './fields.ts';
import { presentEntry } from './journal-entry.ts';
import { JournalEntry } from './journal-entry-schema.ts';
import { createJournalWriter, NO_CALLS } from './journal-text.ts';
import { done, doneList, noContent, parseArgument } from './json.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';
import { problems } from './problems.ts';
import { presentEvent, WorldEvent } from './world-event.ts';

/** Entries in a list, unless the query has a limit. */
const LISTED = 100;

/** The filters of journal entries. */
export const JOURNAL_QUERY = onFirstUse(() => ({
  operation: operationName().optional(),
  status: z
    .union([httpStatus(), z.literal('lost')])
    .meta({
      description: 'The HTTP status of the response; `lost`: the client got no complete one.',
    })
    .optional(),
  token: z
    .string()
    .meta({
      description:
        'A purchase token: finds the initiate that returned it and every verify that sent it.',
    })
    .optional(),
  limit: z
    .int()
    .min(1)
    .max(MAX_JOURNAL_ENTRIES)
    .meta({ description: `The highest number of entries to return. Default: ${LISTED}.` })
    .optional(),
}));

/** The same, of a list that can have World events too. */
export const ITEM_QUERY = onFirstUse(() => ({
  ...JOURNAL_QUERY(),
  events: z
    .boolean()
    .meta({
      description:
        'Whether the list has the World events too, in their places: moves of the clock, resets, rewinds, restores, faults added and removed. Filters select calls, not events. Default: false.',
    })
    .optional(),
}));

const JournalQuery = onFirstUse(() => inputObject(ITEM_QUERY()));
type EntryQuery = Omit<wire.ControlCalls['GET /_sandbox/journal']['query'], 'format'>;

/** The query of the route, which can also return text. */
const ShownQuery = onFirstUse(() =>
  inputObject({
    ...ITEM_QUERY(),
    format: z
      .enum(['json', 'text'])
      .meta({
        description:
          '`text`: for people and coding agents, oldest first. Default: as the Accept header says, otherwise `json`.',
      })
      .optional(),
  }),
);

/** Throws 422 if the operation is unknown. */
export function requireKnown<Query extends EntryQuery>(query: Query): Query {
  refuseUnknownOperation(query.operation, 'operation');
  return query;
}

/** The entries and events that a query asks for, up to its limit. */
export function chooseItems(
  items: readonly JournalItem[],
  { limit = LISTED, token, events = false, ...wanted }: EntryQuery,
): JournalItem[] {
  const isChosen = (entry: StoredEntry) =>
    matches(entry, wanted) && (token === undefined || concerns(entry, token));
  const chosen: JournalItem[] = [];
  for (const item of items) {
    if (chosen.length === limit) break;
    if (isEvent(item) ? events : isChosen(item)) chosen.push(item);
  }
  return chosen;
}

export const presentItem = (item: JournalItem): wire.JournalEntryJson | ShownEvent =>
  isEvent(item) ? presentEvent(item) : presentEntry(item);

/** Whether the response of an entry returned this token, or its request sent it. */
function concerns(entry: StoredEntry, token: string): boolean {
  const written = JSON.stringify(token).slice(1, -1);
  // Reading a body takes a hundred times as long as searching it.
  const isMentioned = [entry.request.body, entry.response?.body].some((body) =>
    body?.includes(written),
  );
  if (!isMentioned) return false;
  const { request, response } = presentEntry(entry);
  const issued = fieldOf(fieldOf(response?.body, 'data'), 'token');
  if (issued === token || fieldOf(request.body, 'token') === token) return true;
  return mentions(response?.body, token) || mentions(request.body, token);
}

/** Whether a body that is broken JSON contains the token. */
const mentions = (body: unknown, token: string): boolean =>
  typeof body === 'string' && body.includes(`"token":${JSON.stringify(token)}`);

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

type Wanted = Pick<EntryQuery, 'operation' | 'status'>;

const hasStatus = (entry: StoredEntry, status: NonNullable<Wanted['status']>): boolean =>
  status === 'lost' ? isLost(entry) : status === entry.status;

/** Whether an entry has the wanted operation and status. */
export const matches = (entry: StoredEntry, { operation, status }: Wanted): boolean =>
  (operation === undefined || operation === entry.operation) &&
  (status === undefined || hasStatus(entry, status));

/** Whether a client prefers text to JSON. Without an Accept header, and for any type, the answer is JSON. */
const acceptsText = (c: Context): boolean =>
  accepts(c, {
    header: 'Accept',
    supports: ['application/json', 'text/plain'],
    default: 'application/json',
  }) === 'text/plain';

export const JournalEntryList = onFirstUse(() => doneList('JournalEntryList', JournalEntry()));
export const JournalItemList = onFirstUse(() =>
  doneList(
    'JournalItemList',
    z
      .union([JournalEntry(), WorldEvent()])
      .meta({ examples: JournalEntry().meta()?.examples as unknown[] }),
  ),
);

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

/** The example of the journal entry, as text. */
const textExample = () =>
  createJournalWriter()(JournalEntry().meta()?.examples?.[0] as wire.JournalEntryJson).join('\n');

/** The id of a call in a path. */
export const callId = () =>
  z.object({
    id: z
      .string()
      .meta({ description: 'The `Sandbox-Request-Id` of a call.', examples: ['req-3-2'] }),
  });

/** The calls over a World's journal. */
export const journalCalls = {
  'journal.list': worldCall({
    operationId: 'listJournal',
    summary: 'List the journal of a World',
    description:
      'Returns merchant-API calls, newest first. The journal keeps the newest 1,000. As text (`format=text` or `Accept: text/plain`) the oldest comes first, and each call shows the reason of its refusal, what it sent, what came back and what it changed. With `events=true` what happened to the World stands between the calls.',
    method: 'get',
    path: '/journal',
    query: ShownQuery,
    responses: () => ({
      200: {
        ...JournalItemList(),
        content: {
          ...JournalItemList().content,
          'text/plain': { schema: { type: 'string' }, example: textExample() },
        },
      },
    }),
    given: (query: unknown) => ({ query: readJournalQuery('journal.list', query) }),
    run: ({ query: { format: _, ...query } }, { world }) => listJournal(world, query),
    serve(c, { query: { format, ...query } }) {
      const { world } = c.var.merchant;
      const isText = format === undefined ? acceptsText(c) : format === 'text';
      return isText
        ? c.body(journalText(world, query), 200, TEXT)
        : c.json({ data: listJournal(world, query) }, 200);
    },
  }),
  'journal.clear': worldCall({
    operationId: 'clearJournal',
    summary: 'Clear the journal of a World',
    description: 'Deletes all entries and World events. Request ids continue.',
    method: 'delete',
    path: '/journal',
    responses: () => ({ 204: noContent }),
    run: (_, merchant, store) => clearJournal(store, merchant),
  }),
  'journal.get': worldCall({
    operationId: 'getJournalEntry',
    summary: 'Get a journal entry',
    description: 'Finds a call of this World by its `Sandbox-Request-Id`.',
    method: 'get',
    path: '/journal/{id}',
    params: callId,
    responses: () => ({ 200: done(JournalEntry()), ...problems(404) }),
    given: (id: unknown) => ({ params: { id: String(id) } }),
    run: ({ params: { id } }, { world }) => presentEntry(findEntry(world, id)),
  }),
};

/** Reads the argument of a method. Throws 422 with every problem. */
export const readJournalQuery = (method: string, query: unknown = {}) =>
  parseArgument(method, JournalQuery(), query);

/** Returns entries and events of a World, newest first. Throws 422 if the operation is unknown. */
const listJournal = ({ journal }: WorldCore, query: EntryQuery) =>
  chooseItems(itemsOf(journal), requireKnown(query)).map(presentItem);

/** The journal of a World as text, oldest first. Throws 422 if the operation is unknown. */
export function journalText(world: WorldCore, query: EntryQuery): string {
  const items = listJournal(world, query).reverse();
  if (items.length === 0) return NO_CALLS;
  const write = createJournalWriter();
  return items.map((item) => `${write(item).join('\n')}\n`).join('');
}

/** Finds an entry by its request id. Throws 404 if the journal does not have it. */
export function findEntry(world: WorldCore, id: string): StoredEntry {
  const found = listEntries(world.journal).find((entry) => entry.id === id);
  if (found) return found;
  throw new ControlError(
    404,
    `The journal has no entry ${truncate(id)}. It keeps the newest ${grouped(MAX_JOURNAL_ENTRIES)} calls of this World.`,
  );
}

function clearJournal(store: MerchantStore, merchant: MerchantAccount): void {
  clearEntries(merchant.world.journal);
  notifyListeners(merchant);
  announce(store.activity, { kind: 'cleared', merchant });
}
