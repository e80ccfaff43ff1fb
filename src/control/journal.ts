/* The journal of a World: list, clear, one entry. */

import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type * as wire from '../control-wire.ts';
import { announce } from '../world/activity.ts';
import { inputObject } from '../world/input-object.ts';
import {
  clearEntries,
  listEntries,
  MAX_JOURNAL_ENTRIES,
  newestFirst,
  notifyListeners,
  type StoredEntry,
} from '../world/journal.ts';
import { mapListed, SKIPPED } from '../world/json.ts';
import { truncate } from '../world/problem-texts.ts';
import type { WorldCore } from '../world/world.ts';
import type { ControlEnv } from './access.ts';
import { ControlError } from './control-error.ts';
import { httpStatus, operationName, refuseUnknownOperation } from './fields.ts';
import { entryJson, JournalEntry, presentEntry } from './journal-entry.ts';
import { createJournalWriter, NO_CALLS } from './journal-text.ts';
import {
  done,
  doneList,
  fromQuery,
  noContent,
  streamJson,
  streamList,
  streamPlainText,
} from './json.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';
import { problems } from './problems.ts';
import { overWorld } from './route.ts';

/** The filters of journal entries. */
export const JOURNAL_QUERY = {
  operation: operationName().optional(),
  status: httpStatus().optional(),
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
    .meta({ description: 'The highest number of entries to return.' })
    .optional(),
};

export const JournalQuery = inputObject(JOURNAL_QUERY);
type EntryQuery = Omit<wire.ControlCalls['GET /_sandbox/journal']['query'], 'format'>;

/** The query of the route, which can also return text. */
const ShownQuery = inputObject({
  ...JOURNAL_QUERY,
  format: z
    .enum(['json', 'text'])
    .meta({
      description:
        '`text`: for people and coding agents, oldest first. Default: as the Accept header says, otherwise `json`.',
    })
    .optional(),
});

/** Throws 422 if the operation is unknown. */
export function requireKnown<Query extends EntryQuery>(query: Query): Query {
  refuseUnknownOperation(query.operation, 'operation');
  return query;
}

/**
 * Filters entries up to the limit. Yields `SKIPPED` for an entry without the token, because searching it takes a while
 * and others need a turn.
 */
export function* chooseEntries(
  entries: Iterable<StoredEntry>,
  { limit = Number.POSITIVE_INFINITY, token, ...wanted }: EntryQuery,
): Generator<StoredEntry | typeof SKIPPED, void> {
  let left = limit;
  for (const entry of entries) {
    if (left === 0) return;
    if (!matches(entry, wanted)) continue;
    if (token !== undefined && !concerns(presentEntry(entry), token)) yield SKIPPED;
    else {
      left -= 1;
      yield entry;
    }
  }
}

/** Whether the response of an entry returned this token, or its request sent it. */
function concerns({ request, response }: wire.JournalEntryJson, token: string): boolean {
  const issued = fieldOf(fieldOf(response?.body, 'data'), 'token');
  if (issued === token || fieldOf(request.body, 'token') === token) return true;
  return mentions(response?.body, token) || mentions(request.body, token);
}

/** Whether a body that is broken JSON contains the token. */
const mentions = (body: unknown, token: string): boolean =>
  typeof body === 'string' && body.includes(`"token":${JSON.stringify(token)}`);

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

/** A field of an entry that is not as expected. */
export interface EntryDifference {
  /** Its JSON path in the entry. */
  readonly path: string;
  readonly expected: unknown;
  readonly seen: unknown;
}

type Wanted = Pick<EntryQuery, 'operation' | 'status'>;

/** Whether an entry has the wanted operation and status. */
export const matches = (entry: StoredEntry, { operation, status }: Wanted): boolean =>
  (operation === undefined || operation === entry.operation) &&
  (status === undefined || status === entry.status);

/** How an entry differs from the wanted operation and status. */
export function differences(entry: StoredEntry, wanted: Wanted): EntryDifference[] {
  return (['operation', 'status'] as const).flatMap((key) => {
    const [expected, seen] = [wanted[key], entry[key]];
    return expected === undefined || expected === seen
      ? []
      : [{ path: `$.${key}`, expected, seen }];
  });
}

/** Whether a client prefers text to JSON. Without an Accept header, and for any type, the answer is JSON. */
const acceptsText = (c: Context): boolean =>
  accepts(c, {
    header: 'Accept',
    supports: ['application/json', 'text/plain'],
    default: 'application/json',
  }) === 'text/plain';

export const JournalEntryList = doneList('JournalEntryList', JournalEntry);

/** The example of the journal entry, as text. */
const TEXT_EXAMPLE = createJournalWriter()(
  JournalEntry.meta()?.examples?.[0] as wire.JournalEntryJson,
).join('\n');

/** The routes of a World's journal. */
export const journal = () =>
  new OpenAPIHono<ControlEnv>()
    .openapi(
      overWorld({
        operationId: 'listJournal',
        summary: 'List the journal of a World',
        description:
          'Returns merchant-API calls, newest first. The journal keeps the newest 1,000. As text (`format=text` or `Accept: text/plain`) the oldest comes first, and each call shows the reason of its refusal, what it sent, what came back and what it changed.',
        method: 'get',
        path: '/journal',
        request: { query: fromQuery(ShownQuery) },
        responses: {
          200: {
            ...JournalEntryList,
            content: {
              ...JournalEntryList.content,
              'text/plain': { schema: { type: 'string' }, example: TEXT_EXAMPLE },
            },
          },
        },
      }),
      (c) => {
        const { journal } = c.var.merchant.world;
        const { format, ...query } = requireKnown(c.req.valid('query'));
        const entries = newestFirst(journal);
        if (format === undefined ? acceptsText(c) : format === 'text') {
          return streamPlainText(textPieces(chooseEntries(entries, query)));
        }
        return streamList<wire.JournalEntryJson>(() =>
          mapListed(chooseEntries(entries, query), entryJson),
        );
      },
    )
    .openapi(
      overWorld({
        operationId: 'clearJournal',
        summary: 'Clear the journal of a World',
        description: 'Deletes all entries. Request ids continue.',
        method: 'delete',
        path: '/journal',
        responses: { 204: noContent },
      }),
      (c) => {
        clearJournal(c.env.merchants, c.var.merchant);
        return c.body(null, 204);
      },
    )
    .openapi(
      overWorld({
        operationId: 'getJournalEntry',
        summary: 'Get a journal entry',
        description: 'Finds a call of this World by its `Sandbox-Request-Id`.',
        method: 'get',
        path: '/journal/{id}',
        request: {
          params: z.object({
            id: z
              .string()
              .meta({ description: 'The `Sandbox-Request-Id` of a call.', examples: ['req-3-2'] }),
          }),
        },
        responses: { 200: done(JournalEntry), ...problems(404) },
      }),
      (c) =>
        streamJson<wire.JournalEntryJson>(
          entryJson(findEntry(c.var.merchant.world, c.req.valid('param').id)),
        ),
    );

/** Returns journal entries of a World, newest first. Throws 422 if the operation is unknown. */
export const listJournal = ({ journal }: WorldCore, query: EntryQuery): wire.JournalEntryJson[] =>
  [...chooseEntries(newestFirst(journal), requireKnown(query))]
    .filter((entry) => entry !== SKIPPED)
    .map(presentEntry);

/** The journal of a World as text. Throws 422 if the operation is unknown. */
export const journalText = ({ journal }: WorldCore, query: EntryQuery): string =>
  [...textPieces(chooseEntries(newestFirst(journal), requireKnown(query)))].join('');

/** The text of entries, oldest first. It has an empty piece wherever others get a turn. */
function* textPieces(newest: Iterable<StoredEntry | typeof SKIPPED>): Generator<string, void> {
  const entries: StoredEntry[] = [];
  for (const entry of newest) {
    if (entry === SKIPPED) yield '';
    else entries.push(entry);
  }
  if (entries.length === 0) yield NO_CALLS;
  const writer = createJournalWriter();
  for (const entry of entries.reverse()) {
    yield `${writer(presentEntry(entry)).join('\n')}\n`;
    yield '';
  }
}

/** Finds an entry by its request id. Throws 404 if the journal does not have it. */
export function findEntry(world: WorldCore, id: string): StoredEntry {
  const found = listEntries(world.journal).find((entry) => entry.id === id);
  if (found) return found;
  throw new ControlError(
    404,
    `The journal has no entry ${truncate(id)}. It keeps the newest ${MAX_JOURNAL_ENTRIES.toLocaleString('en')} calls of this World.`,
  );
}

export function clearJournal(store: MerchantStore, merchant: MerchantAccount): void {
  clearEntries(merchant.world.journal);
  notifyListeners(merchant);
  announce(store.activity, { kind: 'world', merchant, change: 'journal' });
}
