/* The journal of a World at rest: its calls and the events between them, always redacted, because they may be kept anywhere. */

import { z } from '@hono/zod-openapi';
import { MAX_GIVEN_NUMBER } from '../products/record-validation.ts';
import { isEvent, type Journal, type JournalItem, type StoredEntry } from '../world/journal.ts';
import { isJsonType } from '../world/json.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import type { StoredEvent } from '../world/world-events.ts';
import { presentEntry, redactCall } from './journal-entry.ts';
import { JournalEntry } from './journal-entry-schema.ts';
import { presentEvent, WorldEvent } from './world-event.ts';

/** Their merchant is the one of their World, and their summary is made again. Real time is that of another run. */
const SavedEntry = onFirstUse(() =>
  JournalEntry()
    .omit({ merchant: true, received_at: true, elapsed_ms: true, summary: true })
    .extend({
      before: z.strictObject({ steps: z.int().min(0), items: z.int().min(0) }).optional(),
      // Only events have a kind.
      kind: z.undefined().optional(),
    }),
);

const SavedEvents = onFirstUse(() =>
  WorldEvent().options.map((event) => {
    const { merchant: _merchant, summary: _summary, ...fields } = event.shape;
    return z.strictObject({ id: z.int().min(1).max(MAX_GIVEN_NUMBER), ...fields });
  }),
);

export const SavedItem = onFirstUse(() =>
  z.discriminatedUnion('kind', [SavedEntry(), ...SavedEvents()]),
);
type SavedEntry = z.output<ReturnType<typeof SavedEntry>>;
export type SavedItem = z.output<ReturnType<typeof SavedItem>>;

/** A call or an event as it is saved. */
export function saveItem(item: JournalItem): object {
  if (isEvent(item)) {
    const { merchant: _merchant, summary: _summary, ...saved } = presentEvent(item);
    return { id: item.id, ...saved };
  }
  const {
    merchant: _merchant,
    received_at: _received,
    elapsed_ms: _elapsed,
    summary: _summary,
    ...saved
  } = presentEntry(item, redactCall(item.key));
  return { ...saved, ...(item.before && { before: item.before }) };
}

/** Converts a saved call or event back, for the journal of this merchant. */
export function restoreItem(
  saved: SavedItem,
  { id, name }: StoredEvent['merchant'],
  journal: Journal,
): JournalItem {
  const shared = { feedId: 0, merchant: { id, name }, at: Date.parse(saved.at) };
  if (saved.kind === undefined) return { ...restoreEntry(saved), ...shared, journal };
  return { ...saved, ...shared } as StoredEvent;
}

function restoreEntry({ before, cause, kind: _kind, ...entry }: SavedEntry) {
  const { request, response } = entry;
  return {
    ...entry,
    before: before ?? null,
    cause: cause ?? null,
    received: null,
    elapsed_ms: null,
    key: null,
    redacted: true,
    request: { headers: Object.entries(request.headers).flat(), body: bodyText(request.body) },
    response: response && {
      headers: response.headers,
      body: bodyText(response.body, response.headers['content-type']),
    },
  } satisfies Omit<StoredEntry, 'feedId' | 'merchant' | 'at' | 'journal'>;
}

function bodyText(body: unknown, contentType?: string): string | null {
  if (body === null) return null;
  return typeof body === 'string' && !isJsonType(contentType) ? body : JSON.stringify(body);
}
