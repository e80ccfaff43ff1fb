/* The methods of a merchant over HTTP. */

import { z } from '@hono/zod-openapi';
import { readArgument } from '../control/arguments.ts';
import { type Buyer, buyPolicy, dataOf } from '../control/buy.ts';
import { AdvancedClock, Clock } from '../control/clock.ts';
import { callOperation, fetchWithKey } from '../control/merchant-call.ts';
import { MerchantState } from '../control/merchants.ts';
import type {
  CallResult,
  JournalEntry,
  MerchantClock,
  MerchantFaults,
  MerchantJournal,
  OperationId,
  Product,
  RecordQuery,
  RemoteMerchant,
  RemoteSandbox,
  SendChange,
  Snapshot,
} from '../types/public.ts';
import {
  type ControlClient,
  type ControlServer,
  createControlClient,
  readControlText,
} from './control-client.ts';
import { methodsOverHttp, noResponse, ofUnknownKey } from './remote-errors.ts';

const LIST = z.looseObject({ data: z.array(z.looseObject({})) });

/** Accepts any list of the control plane: another service would answer something else. */
export const anyList = <List>(): z.ZodType<List> => LIST as unknown as z.ZodType<List>;

/** The sandbox of a merchant. */
interface RemoteHost {
  readonly server: ControlServer;
  /** Sends admin calls. */
  readonly admin: ControlClient;
  readonly fetch: RemoteSandbox['fetch'];
}

/** The methods of a merchant that the sandbox has just shown. */
export function remoteMerchant(
  { server, admin, fetch }: RemoteHost,
  { id, name, api_key }: z.output<typeof MerchantState>,
): RemoteMerchant {
  const { url } = server;
  let apiKey = api_key;
  const params = { id: String(id) };
  const world: ControlClient = (route, ...input) =>
    ofUnknownKey(apiKey, () => createControlClient({ ...server, token: apiKey })(route, ...input));
  const ownFetch = fetchWithKey(fetch, () => apiKey);
  const call = async (operation: OperationId, input?: unknown): Promise<CallResult> => {
    try {
      return await callOperation(ownFetch, operation, input);
    } catch (error) {
      throw error instanceof TypeError ? noResponse(url, error) : error;
    }
  };
  const entry = async (entryId: string): Promise<JournalEntry> =>
    (await world('GET /_sandbox/journal/{id}', { params: { id: entryId } })) as JournalEntry;
  const records: Buyer['records'] = (query) =>
    world('GET /_sandbox/records', { query, answer: anyList() });
  const products = async (): Promise<Product[]> =>
    (await world('GET /_sandbox/products', { answer: anyList() })).data;
  const clock = () => world('GET /_sandbox/clock');
  const buyer: Buyer = { call, entry, products, clock, records };
  return {
    id,
    name,
    get apiKey() {
      return apiKey;
    },
    fetch: ownFetch,
    clock: methodsOverHttp<MerchantClock<'url'>>(url, {
      show: () => world('GET /_sandbox/clock', { answer: Clock }),
      set: async (change) =>
        world('PUT /_sandbox/clock', { body: readArgument.clockChange(change), answer: Clock }),
      advance: async (step) =>
        world('POST /_sandbox/clock/advance', {
          body: readArgument.advance(step),
          answer: AdvancedClock,
        }),
    }),
    faults: methodsOverHttp<MerchantFaults<'url'>>(url, {
      add: async (fault) => world('POST /_sandbox/faults', { body: readArgument.fault(fault) }),
      list: async () => (await world('GET /_sandbox/faults', { answer: anyList() })).data,
      remove: (faultId) =>
        world('DELETE /_sandbox/faults/{id}', { params: { id: String(faultId) } }),
      clear: () => world('DELETE /_sandbox/faults'),
    }),
    journal: methodsOverHttp<MerchantJournal<'url'>>(url, {
      list: (async (query?: unknown) => {
        const read = readArgument.journalList(query);
        return (await world('GET /_sandbox/journal', { query: read, answer: anyList() })).data;
      }) as MerchantJournal<'url'>['list'],
      async text(query) {
        const read = { ...readArgument.journalText(query), format: 'text' as const };
        const route = 'GET /_sandbox/journal';
        return ofUnknownKey(apiKey, () =>
          readControlText({ ...server, token: apiKey }, route, { query: read }),
        );
      },
      get: (entryId) => entry(String(entryId)),
      clear: () => world('DELETE /_sandbox/journal'),
      await: (async (expectation?: unknown) => {
        const body = readArgument.expectation(expectation);
        return (await world('POST /_sandbox/journal/await', { body, answer: anyList() })).data;
      }) as MerchantJournal<'url'>['await'],
      send: async (entryId, change) =>
        (await world('POST /_sandbox/journal/{id}/send', {
          params: { id: String(entryId) },
          body: readArgument.send(change) as SendChange,
        })) as JournalEntry,
    }),
    ...methodsOverHttp<
      Omit<RemoteMerchant, 'id' | 'name' | 'apiKey' | 'fetch' | 'clock' | 'faults' | 'journal'>
    >(url, {
      call: call as RemoteMerchant['call'],
      data: (async (operation: OperationId, input: unknown) =>
        dataOf(buyer, operation, input)) as RemoteMerchant['data'],
      buy: (async (family: unknown, fields: unknown) =>
        buyPolicy(buyer, family, fields)) as RemoteMerchant['buy'],
      records: (async (query: unknown) =>
        records(readArgument.records(query) as RecordQuery)) as RemoteMerchant['records'],
      purchases: async () => (await world('GET /_sandbox/purchases', { answer: anyList() })).data,
      products,
      async reset(start) {
        const body = readArgument.reset(start);
        await world('POST /_sandbox/reset', { body, answer: MerchantState });
      },
      rewind: async (to) =>
        world('POST /_sandbox/rewind', { body: { to: readArgument.rewind(to) }, answer: Clock }),
      snapshot: () => world('GET /_sandbox/snapshot'),
      async restore(snapshot) {
        const body = readArgument.snapshot(snapshot) as Snapshot;
        await world('PUT /_sandbox/snapshot', { body });
      },
      assumptions: async () =>
        (await world('GET /_sandbox/assumptions', { answer: anyList() })).data,
      async rotateKey() {
        const route = 'POST /_sandbox/merchants/{id}/rotate_key';
        const state = await admin(route, { params, answer: MerchantState });
        apiKey = state.api_key;
        return apiKey;
      },
      remove: () => admin('DELETE /_sandbox/merchants/{id}', { params }),
      show: () => world('GET /_sandbox/merchant', { answer: MerchantState }),
    }),
  };
}
