import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { FAULT_STAGES, FaultEffect } from '../core/faults.ts';
import {
  createJournal,
  type JournalEntry as Entry,
  listEntries,
  MAX_JOURNAL_ENTRIES,
  presentEntry,
  type StoredEntry,
} from '../core/journal.ts';
import { REDACTED } from '../core/redaction.ts';
import type { WorldCore } from '../core/world.ts';
import { truncate } from '../core/zod-issues.ts';
import { notifyListeners } from '../http/merchant.ts';
import { type ControlEnv, overWorld } from './access.ts';
import { worldChange } from './change.ts';
import { ControlError } from './control-error.ts';
import { EXAMPLE } from './examples.ts';
import { httpStatus, operationName, refuseUnknownOperation, shownMoment } from './fields.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';
import { CHANGE_PROBLEMS, problems } from './problems.ts';
import { inputObject, readNumbers } from './request.ts';
import { done, doneList, noContent } from './responses.ts';

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
      .meta({ description: 'JSON as it is, anything else as a text, null if there was none.' }),
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
        ...overWorld(readNumbers('status', 'limit')),
        request: { query: JournalQuery },
        responses: { 200: JournalEntryList, ...problems(401, 422) },
      }),
      (c) => c.json({ data: listJournal(c.var.merchant.world, c.req.valid('query')) }, 200),
    )
    .openapi(
      createRoute({
        operationId: 'clearJournal',
        summary: 'Forget the journal of a World',
        description: 'Nothing else changes; request ids go on counting.',
        method: 'delete',
        path: '/journal',
        ...overWorld(),
        responses: { 204: noContent, ...problems(401, ...CHANGE_PROBLEMS) },
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
      (c) => c.json(findEntry(c.var.merchant.world, c.req.valid('param').id), 200),
    );

/** The entries a World remembers, newest first. Throws 422 on an operation there is not. */
export function listJournal(world: WorldCore, query: JournalQuery): Entry[] {
  refuseUnknownOperation(query.operation, 'operation');
  return selectEntries(listEntries(world.journal).reverse(), query).map(presentEntry);
}

/** The first of these entries that are asked for. */
export function selectEntries(
  entries: readonly StoredEntry[],
  query: JournalQuery,
): readonly StoredEntry[] {
  const found: StoredEntry[] = [];
  for (const entry of entries) {
    if (found.length === query.limit) break;
    if (!matches(entry, query)) continue;
    if (query.token === undefined || concerns(presentEntry(entry), query.token)) found.push(entry);
  }
  return found;
}

/** The entry of a call by its request id. Throws 404 where the journal has none, or no longer. */
export function findEntry(world: WorldCore, id: string): Entry {
  const found = listEntries(world.journal).find((entry) => entry.id === id);
  if (found) return presentEntry(found);
  throw new ControlError(
    404,
    `The journal has no entry ${truncate(id)}; it keeps the newest ${MAX_JOURNAL_ENTRIES.toLocaleString('en')} calls of this World.`,
  );
}

export const clearJournal = worldChange(
  'clearJournal',
  undefined,
  (_: MerchantStore, merchant: MerchantAccount) => {
    Object.assign(merchant.world.journal, createJournal());
    notifyListeners(merchant);
  },
);

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
interface Difference {
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
