import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { TypedResponse } from 'hono';
import type { ActivityFeed } from '../api/activity.ts';
import { live } from '../api/respond.ts';
import { newestFirst, presentEntry, type StoredEntry } from '../world/journal.ts';
import { createSharedJson, mapListed, SKIPPED } from '../world/json.ts';
import { type ControlEnv, overSandbox } from './access.ts';
import { ControlError } from './control-error.ts';
import type { Cluster } from './host.ts';
import { chooseEntries, JOURNAL_QUERY, JournalEntry, requireKnown } from './journal.ts';
import { doneList, fromQuery, inputObject, streamList } from './json.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';
import { findMerchant } from './merchants.ts';
import { problems } from './problems.ts';

const MAX_LISTED = 1000;
const LISTED = 100;

/** A merchant as what belongs to it names it. */
const MerchantName = z
  .strictObject({ id: z.int(), name: z.string() })
  .openapi('MerchantName')
  .meta({ description: 'A merchant by id and name.' });

export const SandboxEntry = JournalEntry.extend({
  merchant: z
    .union([MerchantName, z.null()])
    .meta({ description: 'Null for a call without a valid key.' }),
})
  .openapi('SandboxJournalEntry')
  .meta({
    description: 'A journal entry and whose it is.',
    examples: [
      {
        ...(JournalEntry.meta()?.examples?.[0] as z.output<typeof JournalEntry>),
        merchant: { id: 3, name: 'Worker 3' },
      },
    ],
  });
export type SandboxEntry = z.output<typeof SandboxEntry>;

/** The id of a merchant whose entries alone are asked for. */
export const merchantId = () =>
  z
    .int()
    .min(1)
    .meta({ description: "This merchant's alone.", examples: [3] });

/** Which entries are asked for. */
export const SandboxJournalQuery = inputObject({
  ...JOURNAL_QUERY,
  merchant: merchantId().optional(),
  limit: z
    .int()
    .min(1)
    .max(MAX_LISTED)
    .meta({ description: `How many at the most; ${LISTED} unless given.` })
    .optional(),
});
export type SandboxJournalQuery = z.output<typeof SandboxJournalQuery>;

/** What all merchants asked and were answered, and those whom nobody knows. */
export const journalAll = () =>
  new OpenAPIHono<ControlEnv>().openapi(
    createRoute({
      operationId: 'listSandboxJournal',
      summary: 'List what everybody asked and was answered, newest first',
      description:
        'The journals of all Worlds as one, with the newest 1,000 calls without a valid key, whose bodies are not read. `token` finds the initiate that issued a token and every verify that sent it.',
      method: 'get',
      path: '/journal/all',
      ...overSandbox(),
      request: { query: fromQuery(SandboxJournalQuery) },
      responses: {
        200: doneList('SandboxJournalEntryList', SandboxEntry),
        ...problems(401, 403, 404, 422),
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
 * Has a call answered where the one World is that it asks about. Throws 422 where it asks about all: there is no
 * order between what happens in different processes.
 */
export async function forwarded(
  cluster: Cluster,
  merchant: number | undefined,
  request: Request,
): Promise<Response & TypedResponse<never, 200, 'json'>> {
  if (merchant === undefined) {
    throw new ControlError(
      422,
      'merchant: the Worlds of this sandbox are spread over many machines; name one with ?merchant=ID.',
    );
  }
  return live(await cluster.forward(merchant, request)) as never;
}

/** An entry and the merchant in whose journal it is, if in any. */
export interface OwnedEntry {
  readonly merchant: Pick<MerchantAccount, 'id' | 'name'> | undefined;
  readonly entry: StoredEntry;
}

/** The entries of all journals, newest first. Throws 422 on an operation, and 404 on a merchant, there is not. */
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
  // What a snapshot held is older than what happened in this process, and has nothing but its moment.
  const entries = [...owners.keys()].sort((a, b) => b.feedId - a.feedId || b.at - a.at);
  return mapListed(
    chooseEntries(entries, { token, limit }),
    (entry) => owners.get(entry) as OwnedEntry,
  );
}

/** The journals there are: those of one merchant, or of all and of those whom nobody knows. */
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
 * Calls back with every call of the merchant API once it is answered, those without a valid key too. It does so
 * outside of the call: what is thrown there is an unhandled rejection, and breaks nothing.
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
});

/** The JSON of such an entry. */
const ownedJson = createSharedJson(presentOwned, ({ entry }) => entry);
