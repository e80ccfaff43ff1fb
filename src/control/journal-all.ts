/* The journal of all merchants, and calls as they happen. */

import { z } from '@hono/zod-openapi';
import type * as wire from '../types/control-wire.ts';
import type { ActivityFeed } from '../world/activity.ts';
import { inputObject } from '../world/input-object.ts';
import {
  bytesOfItem,
  itemsOf,
  type Journal,
  type JournalItem,
  MAX_JOURNAL_BYTES,
} from '../world/journal.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import { sandboxCall } from './call.ts';
import { chooseItems, ITEM_QUERY, JOURNAL_ITEMS, presentItem } from './journal.ts';
import { presentEntry } from './journal-entry.ts';
import { parseArgument } from './json.ts';
import type { MerchantStore } from './merchant-store.ts';
import { findMerchant } from './merchants.ts';

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
    .flatMap((journal) => chooseItems(itemsOf(journal), query))
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
