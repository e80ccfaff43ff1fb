/* The journal of a World, and the journals of all merchants: list, clear, one entry, calls as they happen. */

import { z } from '@hono/zod-openapi';
import type * as wire from '../types/control-wire.ts';
import type { WorldEvent as ShownEvent } from '../types/public.ts';
import { type ActivityFeed, announce } from '../world/activity.ts';
import { isLost } from '../world/faults.ts';
import { grouped } from '../world/grouped.ts';
import { inputObject } from '../world/input-object.ts';
import {
  bytesOfItem,
  clearJournal,
  entriesOf,
  isEvent,
  type Journal,
  type JournalItem,
  MAX_JOURNAL_BYTES,
  MAX_JOURNAL_ENTRIES,
  type StoredEntry,
} from '../world/journal.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import { isPlainObject, truncate } from '../world/problem-texts.ts';
import type { WorldCore } from '../world/world.ts';
import { sandboxCall, type WorldCall, worldCall } from './call.ts';
import { ControlError } from './control-error.ts';
import { httpStatus, operationName } from './fields.ts';
import { presentEntry } from './journal-entry.ts';
import { JournalEntry } from './journal-entry-schema.ts';
import { journalText } from './journal-text.ts';
import { parseArgument } from './json.ts';
import type { MerchantStore } from './merchant-store.ts';
import { findMerchant } from './merchants.ts';
import { presentEvent, WorldEvent } from './world-event.ts';

/** Entries in a list, unless the query has a limit. */
const LISTED = 100;

/** The filters of journal entries. */
export const JOURNAL_QUERY = onFirstUse(() => ({
  operation: operationName().optional(),
  status: z
    .union([httpStatus(), z.literal('lost')])
    .describe('The HTTP status of the response; `lost`: the client got no complete one.')
    .optional(),
  token: z
    .string()
    .describe(
      'A purchase token: finds the initiate that returned it and every verify that sent it.',
    )
    .optional(),
  limit: z
    .int()
    .min(1)
    .max(MAX_JOURNAL_ENTRIES)
    .describe(`The highest number of entries to return. Default: ${LISTED}.`)
    .optional(),
}));

/** The same, of a list that can have World events too. */
const ITEM_QUERY = onFirstUse(() => ({
  ...JOURNAL_QUERY(),
  events: z
    .boolean()
    .describe(
      'Whether the list has the World events too, in their places: moves of the clock, resets, rewinds, restores, faults added and removed. Filters select calls, not events. Default: false.',
    )
    .optional(),
}));

const JournalQuery = onFirstUse(() =>
  inputObject({
    ...ITEM_QUERY(),
    format: z
      .enum(['json', 'text'])
      .describe('`text`: for people and coding agents, oldest first. Default: `json`.')
      .optional(),
  }),
);
type JournalQuery = z.output<ReturnType<typeof JournalQuery>>;
type EntryQuery = Omit<JournalQuery, 'format'>;

/** The entries and events that a query asks for, up to its limit. */
function chooseItems(
  items: readonly JournalItem[],
  { limit = LISTED, events = false, ...wanted }: EntryQuery,
): JournalItem[] {
  const chosen: JournalItem[] = [];
  for (const item of items) {
    if (chosen.length === limit) break;
    if (isEvent(item) ? events : matches(item, wanted)) chosen.push(item);
  }
  return chosen;
}

export const presentItem = (item: JournalItem): wire.JournalEntryJson | ShownEvent =>
  isEvent(item) ? presentEvent(item) : presentEntry(item);

/** Whether an entry has the wanted operation and status, and sent or returned the token. */
export function matches(
  entry: StoredEntry,
  { operation, status, token }: Pick<EntryQuery, 'operation' | 'status' | 'token'>,
): boolean {
  const { request, response } = entry;
  return (
    (operation === undefined || operation === entry.operation) &&
    (status === undefined || (status === 'lost' ? isLost(entry) : status === entry.status)) &&
    (token === undefined ||
      [request.body, response?.body].some((body) => body?.includes(JSON.stringify(token))))
  );
}

const examples = () => JournalEntry().meta()?.examples as wire.JournalEntryJson[];

/** A list of entries and events. */
const JOURNAL_ITEMS = {
  output: () => z.union([JournalEntry(), WorldEvent()]).meta({ examples: examples() }),
  list: 'JournalItemList',
};

/** The id of a call in a path. */
export const callId = () =>
  z.object({
    id: z
      .string()
      .meta({ description: 'The `Sandbox-Request-Id` of a call.', examples: ['req-3-2'] }),
  });

const journalList = {
  operationId: 'listJournal',
  summary: 'List the journal of a World',
  description:
    'Returns merchant-API calls, newest first. The journal keeps the newest 1,000. As text (`format=text`) the oldest comes first, and each call shows the reason of its refusal, what it sent, what came back and what it changed. With `events=true` what happened to the World stands between the calls.',
  route: 'GET /journal',
  query: JournalQuery,
  isOptional: true,
  text: () => ({ 'text/plain': journalText(examples()) }),
  run({ query: { format, ...query } }, { world }) {
    const items = chooseItems(world.journal.items.toReversed(), query).map(presentItem);
    return format === 'text' ? journalText(items.reverse()) : items;
  },
} as const satisfies WorldCall<z.ZodObject, ReturnType<typeof JournalQuery>>;

/** The calls over a World's journal. */
export const journalCalls = {
  'journal.list': worldCall({
    ...journalList,
    ...JOURNAL_ITEMS,
  }),
  'journal.text': worldCall({
    ...journalList,
    isVariant: true,
    argument: (query) => (isPlainObject(query) ? { ...query, format: 'text' } : query),
  }),
  'journal.clear': worldCall({
    operationId: 'clearJournal',
    summary: 'Clear the journal of a World',
    description: 'Deletes all entries and World events. Request ids continue.',
    route: 'DELETE /journal',
    run(_, merchant, { activity }) {
      clearJournal(merchant.world.journal);
      announce(activity, { kind: 'cleared', merchant });
    },
  }),
  'journal.get': worldCall({
    operationId: 'getJournalEntry',
    summary: 'Get a journal entry',
    description: 'Finds a call of this World by its `Sandbox-Request-Id`.',
    route: 'GET /journal/{id}',
    params: callId,
    output: JournalEntry,
    refusals: [404],
    run: ({ params: { id } }, { world }) => presentEntry(findEntry(world, id)),
  }),
};

/** Finds an entry by its request id. Throws 404 if the journal does not have it. */
export function findEntry(world: WorldCore, id: string): StoredEntry {
  const found = entriesOf(world.journal).find((entry) => entry.id === id);
  if (found) return found;
  throw new ControlError(
    404,
    `The journal has no entry ${truncate(id)}. It keeps the newest ${grouped(MAX_JOURNAL_ENTRIES)} calls of this World.`,
  );
}

/** The id of a merchant, as a filter. */
export const merchantId = () =>
  z
    .int()
    .min(1)
    .meta({ description: 'The id of a merchant: only its calls and changes.', examples: [3] });

const SandboxJournalQuery = onFirstUse(() =>
  inputObject({
    ...ITEM_QUERY(),
    merchant: merchantId().optional(),
  }),
);
type SandboxQuery = wire.ControlCalls['GET /_sandbox/journal/all']['query'];

/** The call that lists the journal over all merchants. */
export const journalAllCall = sandboxCall({
  operationId: 'listSandboxJournal',
  summary: 'List the journal of all merchants',
  description:
    'Returns merchant-API calls of all Worlds, newest first, including the newest 1,000 calls without a valid key, whose request bodies are not read. A list ends after 8 MiB of bodies.',
  route: 'GET /journal/all',
  query: SandboxJournalQuery,
  ...JOURNAL_ITEMS,
  refusals: [404],
  run: ({ query }, store) => listSandboxJournal(store, query),
});

/** Reads the argument of `sandbox.journal`. Throws 422 with every problem. */
export const readSandboxJournalQuery = (query: unknown = {}) =>
  parseArgument('journal', SandboxJournalQuery(), query);

/** Returns entries and events of all journals, newest first. Throws 404 if the merchant is unknown. */
export function listSandboxJournal(store: MerchantStore, { merchant: id, ...query }: SandboxQuery) {
  const items = journalsOf(store, id)
    .flatMap((journal) => chooseItems(journal.items.toReversed(), query))
    // Those from a snapshot have no feed id: they are older than those of this process and ordered by time only.
    .sort((a, b) => b.feedId - a.feedId || b.at - a.at);
  return withinBytes(chooseItems(items, query)).map(presentItem);
}

/** The first items, as many as the journal of one World may hold. */
function withinBytes(items: readonly JournalItem[]): readonly JournalItem[] {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += bytesOfItem(item);
    return bytes > MAX_JOURNAL_BYTES;
  });
  return end === -1 ? items : items.slice(0, Math.max(1, end));
}

/** The journal of one merchant, or the journals of all and that of calls without a valid key. */
export function journalsOf(store: MerchantStore, id?: number): Journal[] {
  const merchants = id === undefined ? [...store.byId.values()] : [findMerchant(store, String(id))];
  const kept = merchants.flatMap(
    (merchant) => (merchant.hasWorld ? merchant.world.journal : merchant.nextJournal) ?? [],
  );
  return id === undefined ? [...kept, store.anonymous.journal] : kept;
}

/**
 * Calls `onCall` after every merchant-API call, including those without a valid key. It runs outside the call, so an
 * error it throws becomes an unhandled rejection and breaks nothing.
 */
export function watchCalls(
  { listeners }: ActivityFeed,
  onCall: (entry: wire.JournalEntryJson) => unknown,
): void {
  listeners.add((happened) => {
    if (happened.kind !== 'entry') return;
    void Promise.resolve(happened.entry).then((entry) => onCall(presentEntry(entry)));
  });
}
