import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { notifyListeners } from '../api/activity.ts';
import { FAULT_STAGES, FaultEffect } from '../world/faults.ts';
import {
  clearEntries,
  type JournalEntry as Entry,
  entryJson,
  listEntries,
  MAX_JOURNAL_ENTRIES,
  newestFirst,
  presentEntry,
  type StoredEntry,
} from '../world/journal.ts';
import { mapListed, SKIPPED } from '../world/json.ts';
import { truncate } from '../world/problem-texts.ts';
import { REDACTED } from '../world/redaction.ts';
import type { WorldCore } from '../world/world.ts';
import { type ControlEnv, overWorld } from './access.ts';
import { ControlError } from './control-error.ts';
import {
  EXAMPLE,
  httpStatus,
  operationName,
  refuseUnknownOperation,
  shownMoment,
} from './fields.ts';
import {
  done,
  doneList,
  fromQuery,
  inputObject,
  noContent,
  streamJson,
  streamList,
} from './json.ts';
import { announceWorld, type MerchantAccount, type MerchantStore } from './merchant-store.ts';
import { problems } from './problems.ts';

/** What entries are chosen by. */
export const JOURNAL_QUERY = {
  operation: operationName().optional(),
  status: httpStatus().optional(),
  token: z
    .string()
    .meta({ description: 'The initiate that issued this token, and every verify that sent it.' })
    .optional(),
  limit: z.int().min(1).meta({ description: 'How many at the most.' }).optional(),
};

/** Which entries are asked for. */
export const JournalQuery = inputObject(JOURNAL_QUERY);
export type JournalQuery = z.output<typeof JournalQuery>;

/** Refuses with 422 a query for an operation there is not. */
export function requireKnown<Query extends JournalQuery>(query: Query): Query {
  refuseUnknownOperation(query.operation, 'operation');
  return query;
}

/** The first of these entries that are asked for. Looking for a token in one takes a while. */
export function* chooseEntries(
  entries: Iterable<StoredEntry>,
  { limit = Number.POSITIVE_INFINITY, token, ...wanted }: JournalQuery,
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

/** Whether an entry's response issued a token, or its request sent it. */
function concerns({ request, response }: Entry, token: string): boolean {
  const issued = fieldOf(fieldOf(response?.body, 'data'), 'token');
  if (issued === token || fieldOf(request.body, 'token') === token) return true;
  return mentions(response?.body, token) || mentions(request.body, token);
}

/** Whether a body that is no JSON, because a fault or its sender broke it, names a token all the same. */
const mentions = (body: unknown, token: string): boolean =>
  typeof body === 'string' && body.includes(`"token":${JSON.stringify(token)}`);

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

/** Where an entry is not what was asked for. */
export interface Difference {
  /** JSON path inside the entry. */
  readonly path: string;
  readonly expected: unknown;
  readonly seen: unknown;
}

/** The kind of calls that is asked for. */
type Wanted = Pick<JournalQuery, 'operation' | 'status'>;

/** Whether an entry is of the operation and the status that are asked for. */
export const matches = (entry: StoredEntry, { operation, status }: Wanted): boolean =>
  (operation === undefined || operation === entry.operation) &&
  (status === undefined || status === entry.status);

/** How an entry differs from the operation and the status that are asked for. */
export function differences(entry: StoredEntry, wanted: Wanted): Difference[] {
  return (['operation', 'status'] as const).flatMap((key) => {
    const [expected, seen] = [wanted[key], entry[key]];
    return expected === undefined || expected === seen
      ? []
      : [{ path: `$.${key}`, expected, seen }];
  });
}

export const EntryFault = z
  .strictObject({
    id: z.string().nullable().meta({ description: 'Null when a request header asked for it.' }),
    stage: z.enum(FAULT_STAGES),
    effect: FaultEffect,
  })
  .openapi('ExchangeFault')
  .meta({ description: 'The fault that touched a call.' });

/** The headers and the body of a request or a response. */
const JournalMessage = z
  .strictObject({
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'By their names in lower case.' }),
    body: z
      .unknown()
      .refine((body): boolean => body !== undefined, { error: 'any JSON' })
      .meta({
        description:
          'JSON as it is, anything else as a text, null if there was none; of one that is larger than 4 MiB its beginning, as a text.',
      }),
  })
  .openapi('JournalMessage')
  .meta({ description: 'What was sent one way.' });

/** Not `nullable()`, which a document would say of the named schema itself. */
const orNull = <S extends z.ZodType>(schema: S) => z.union([schema, z.null()]);

export const JournalEntry = z
  .strictObject({
    id: z.string(),
    at: shownMoment("When the request came, by the World's clock."),
    operation: z.string().nullable().meta({ description: 'Null for an unknown route.' }),
    method: z.string(),
    path: z.string(),
    status: z.int().nullable().meta({ description: 'Null when no answer was made.' }),
    duration_ms: z
      .int()
      .min(0)
      .meta({ description: "By the World's clock: 0 while it is frozen." }),
    fault: orNull(EntryFault),
    request: JournalMessage,
    response: orNull(JournalMessage),
  })
  .openapi('JournalEntry')
  .meta({
    description:
      'One call of the merchant API and its answer; keys and identity numbers redacted, unless the sandbox was started to keep them.',
    examples: [
      {
        id: 'req-3-2',
        at: EXAMPLE.now,
        operation: EXAMPLE.verify,
        method: 'POST',
        path: EXAMPLE.verifyPath,
        status: 400,
        duration_ms: 0,
        fault: null,
        request: {
          headers: { authorization: REDACTED, 'content-type': 'application/json' },
          body: { token: EXAMPLE.token },
        },
        response: {
          headers: { 'content-type': 'application/json', 'sandbox-request-id': 'req-3-2' },
          body: EXAMPLE.expired,
        },
      },
    ],
  });

export const JournalEntryList = doneList('JournalEntryList', JournalEntry);

/** What a merchant asked and was answered. */
export const journal = () =>
  new OpenAPIHono<ControlEnv>()
    .openapi(
      createRoute({
        operationId: 'listJournal',
        summary: 'List what a merchant asked and was answered, newest first',
        description:
          'The newest 1,000 calls of the merchant API. `token` finds the initiate that issued a token and every verify that sent it.',
        method: 'get',
        path: '/journal',
        ...overWorld(),
        request: { query: fromQuery(JournalQuery) },
        responses: { 200: JournalEntryList, ...problems(401, 422) },
      }),
      (c) => {
        const { journal } = c.var.merchant.world;
        const query = requireKnown(c.req.valid('query'));
        const entries = newestFirst(journal);
        return streamList<Entry>(() => mapListed(chooseEntries(entries, query), entryJson));
      },
    )
    .openapi(
      createRoute({
        operationId: 'clearJournal',
        summary: 'Forget the journal of a World',
        description: 'Nothing else changes; request ids go on counting.',
        method: 'delete',
        path: '/journal',
        ...overWorld(),
        responses: { 204: noContent, ...problems(401) },
      }),
      (c) => {
        clearJournal(c.env.merchants, c.var.merchant);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        operationId: 'getJournalEntry',
        summary: 'Look one call up by its Sandbox-Request-Id',
        description: 'The entry of a call of this World, as long as the journal keeps it.',
        method: 'get',
        path: '/journal/{id}',
        ...overWorld(),
        request: {
          params: z.object({
            id: z
              .string()
              .meta({ description: 'The `Sandbox-Request-Id` of a call.', examples: ['req-3-2'] }),
          }),
        },
        responses: { 200: done(JournalEntry), ...problems(401, 404) },
      }),
      (c) => streamJson<Entry>(entryJson(findEntry(c.var.merchant.world, c.req.valid('param').id))),
    );

/** The entries a World remembers, newest first. Throws 422 on an operation there is not. */
export const listJournal = ({ journal }: WorldCore, query: JournalQuery): Entry[] =>
  [...chooseEntries(newestFirst(journal), requireKnown(query))]
    .filter((entry) => entry !== SKIPPED)
    .map(presentEntry);

/** The entry of a call by its request id. Throws 404 where the journal has none, or no longer. */
export function findEntry(world: WorldCore, id: string): StoredEntry {
  const found = listEntries(world.journal).find((entry) => entry.id === id);
  if (found) return found;
  throw new ControlError(
    404,
    `The journal has no entry ${truncate(id)}; it keeps the newest ${MAX_JOURNAL_ENTRIES.toLocaleString('en')} calls of this World.`,
  );
}

export function clearJournal({ activity }: MerchantStore, merchant: MerchantAccount): void {
  clearEntries(merchant.world.journal);
  notifyListeners(merchant);
  announceWorld(activity, merchant);
}
