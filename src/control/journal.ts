/* The journal of a World: list, clear, one entry. */

import { OpenAPIHono, z } from '@hono/zod-openapi';
import type * as wire from '../control-wire.ts';
import { announce } from '../world/activity.ts';
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
import {
  done,
  doneList,
  fromQuery,
  inputObject,
  noContent,
  streamJson,
  streamList,
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
type EntryQuery = wire.ControlCalls['GET /_sandbox/journal']['query'];

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

export const JournalEntryList = doneList('JournalEntryList', JournalEntry);

/** The routes of a World's journal. */
export const journal = () =>
  new OpenAPIHono<ControlEnv>()
    .openapi(
      overWorld({
        operationId: 'listJournal',
        summary: 'List the journal of a World',
        description:
          'Returns merchant-API calls, newest first. The journal keeps the newest 1,000.',
        method: 'get',
        path: '/journal',
        request: { query: fromQuery(JournalQuery) },
        responses: { 200: JournalEntryList },
      }),
      (c) => {
        const { journal } = c.var.merchant.world;
        const query = requireKnown(c.req.valid('query'));
        const entries = newestFirst(journal);
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
