import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { TypedResponse } from 'hono';
import type { ActivityFeed } from '../api/activity.ts';
import { live } from '../api/respond.ts';
import { newestFirst, presentEntry, type StoredEntry } from '../world/journal.ts';
import { createSharedJson, mapListed, SKIPPED } from '../world/json.ts';
import type { ControlEnv } from './access.ts';
import { ControlError } from './control-error.ts';
import type { Cluster } from './host.ts';
import { chooseEntries, JOURNAL_QUERY, JournalEntry, requireKnown } from './journal.ts';
import { doneList, fromQuery, inputObject, streamList } from './json.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';
import { findMerchant } from './merchants.ts';
import { problems } from './problems.ts';
import { overSandbox } from './route.ts';

const MAX_LISTED = 1000;
const LISTED = 100;

const MerchantName = z
  .strictObject({ id: z.int(), name: z.string() })
  .openapi('MerchantName')
  .meta({ description: 'A merchant by id and name.' });

export const SandboxEntry = JournalEntry.extend({
  merchant: z
    .union([MerchantName, z.null()])
    .meta({ description: 'Null if the call had no valid key.' }),
  elapsed_ms: z.union([z.number().min(0), z.null()]).meta({
    description:
      'Real milliseconds, unlike `duration_ms`; null for a call of a snapshot or of an earlier run.',
  }),
})
  .openapi('SandboxJournalEntry')
  .meta({
    description: 'A journal entry, its merchant and its real duration.',
    examples: [
      {
        ...(JournalEntry.meta()?.examples?.[0] as z.output<typeof JournalEntry>),
        merchant: { id: 3, name: 'Worker 3' },
        elapsed_ms: 0.412,
      },
    ],
  });
export type SandboxEntry = z.output<typeof SandboxEntry>;

/** The id of a merchant, as a filter. */
export const merchantId = () =>
  z
    .int()
    .min(1)
    .meta({ description: 'The id of a merchant: only its calls and changes.', examples: [3] });

export const SandboxJournalQuery = inputObject({
  ...JOURNAL_QUERY,
  merchant: merchantId().optional(),
  limit: z
    .int()
    .min(1)
    .max(MAX_LISTED)
    .meta({ description: `The highest number of entries to return. Default: ${LISTED}.` })
    .optional(),
});
export type SandboxJournalQuery = z.output<typeof SandboxJournalQuery>;

/** The route of the journal over all merchants. */
export const journalAll = () =>
  new OpenAPIHono<ControlEnv>().openapi(
    overSandbox({
      operationId: 'listSandboxJournal',
      summary: 'List the journal of all merchants',
      description:
        'Returns merchant-API calls of all Worlds, newest first, including the newest 1,000 calls without a valid key, whose request bodies are not read.',
      method: 'get',
      path: '/journal/all',
      request: { query: fromQuery(SandboxJournalQuery) },
      responses: {
        200: doneList('SandboxJournalEntryList', SandboxEntry),
        ...problems(404),
      },
    }),
    async (c) => {
      const store = c.env.merchants;
      const query = c.req.valid('query');
      if (store.host.cluster) return forwarded(store.host.cluster, query.merchant, c.req.raw);
      const chosen = chooseOwned(store, query);
      return streamList<SandboxEntry>(() => mapListed(chosen, ownedJson));
    },
  );

/**
 * Forwards a request to the machine of a merchant's World. Throws 422 without a merchant, because events of different
 * machines have no common order.
 */
export async function forwarded(
  cluster: Cluster,
  merchant: number | undefined,
  request: Request,
): Promise<Response & TypedResponse<never, 200, 'json'>> {
  if (merchant === undefined) {
    throw new ControlError(
      422,
      'The merchant parameter is required, because the Worlds of this sandbox are spread over many machines: ?merchant=ID.',
    );
  }
  return live(await cluster.forward(merchant, request)) as never;
}

/** An entry and the merchant of its journal, if it has one. */
export interface OwnedEntry {
  readonly merchant: Pick<MerchantAccount, 'id' | 'name'> | undefined;
  readonly entry: StoredEntry;
}

/** Returns entries of all journals, newest first. Throws 422 if the operation is unknown, 404 if the merchant is. */
export const listSandboxJournal = (
  store: MerchantStore,
  query: SandboxJournalQuery,
): SandboxEntry[] =>
  [...chooseOwned(store, query)].filter((each) => each !== SKIPPED).map(presentOwned);

function chooseOwned(
  store: MerchantStore,
  { merchant: id, limit = LISTED, ...query }: SandboxJournalQuery,
): Iterable<OwnedEntry | typeof SKIPPED> {
  const { token, ...wanted } = requireKnown(query);
  const owners = new Map<StoredEntry, OwnedEntry>();
  for (const { merchant, journal } of journalsOf(store, id)) {
    const newest = chooseEntries(newestFirst(journal), {
      ...wanted,
      limit: token === undefined ? limit : undefined,
    });
    for (const entry of newest) {
      if (entry !== SKIPPED) owners.set(entry, { merchant, entry });
    }
  }
  // Entries from a snapshot have no feed id: they are older than those of this process and ordered by time only.
  const entries = [...owners.keys()].sort((a, b) => b.feedId - a.feedId || b.at - a.at);
  return mapListed(
    chooseEntries(entries, { token, limit }),
    (entry) => owners.get(entry) as OwnedEntry,
  );
}

/** The journal of one merchant, or the journals of all and that of calls without a valid key. */
export function journalsOf(store: MerchantStore, id?: number) {
  const merchants = id === undefined ? [...store.byId.values()] : [findMerchant(store, String(id))];
  const kept = merchants
    .filter(({ hasWorld }) => hasWorld)
    .map((merchant) => ({ merchant, journal: merchant.world.journal }));
  return id === undefined
    ? [...kept, { merchant: undefined, journal: store.anonymous.journal }]
    : kept;
}

/**
 * Calls `onCall` after every merchant-API call, including those without a valid key. It runs outside the call, so an
 * error it throws becomes an unhandled rejection and breaks nothing.
 */
export function watchCalls(
  { listeners }: ActivityFeed,
  onCall: (entry: SandboxEntry) => unknown,
): void {
  listeners.add((happened) => {
    if (happened.kind !== 'entry') return;
    void Promise.resolve(happened).then((call) => onCall(presentOwned(call)));
  });
}

export const presentOwned = ({ merchant, entry }: OwnedEntry): SandboxEntry => ({
  ...presentEntry(entry),
  merchant: merchant ? { id: merchant.id, name: merchant.name } : null,
  elapsed_ms: entry.elapsedMs === undefined ? null : Math.round(entry.elapsedMs * 1000) / 1000,
});

/** The JSON of an owned entry, cached. */
const ownedJson = createSharedJson(presentOwned, ({ entry }) => entry);
