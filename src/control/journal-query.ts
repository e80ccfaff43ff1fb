import { z } from '@hono/zod-openapi';
import { type JournalEntry, presentEntry, type StoredEntry } from '../world/journal.ts';
import { SKIPPED } from '../world/json.ts';
import { httpStatus, operationName, refuseUnknownOperation } from './fields.ts';
import { inputObject } from './json.ts';

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
function concerns({ request, response }: JournalEntry, token: string): boolean {
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
