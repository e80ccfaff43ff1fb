/* The Durable Object that lists the merchants, and serves the requests about all of them. */

import { DurableObject, type ObjectStorage } from 'cloudflare:workers';
import { live } from '../api/respond.ts';
import { ControlError, type ControlStatus } from '../control/control-error.ts';
import { type ClusterCalls, MERCHANTS_PER_PAGE } from '../control/host.ts';
import type { MerchantAccount } from '../control/merchant-store.ts';
import { fixtureRow } from '../control/merchant-store.ts';
import { accountsOn, createMerchant, findMerchant } from '../control/merchants.ts';
import type { OpenSandbox } from '../sandbox/open-sandbox.ts';
import type { MerchantState } from '../types/public.ts';
import { findByKey } from '../world/merchant-keys.ts';
import { nextKey, registerMerchant, removeMerchant, rotateKey } from '../world/merchants.ts';
import { NotStoredError } from '../world/tables.ts';
import { answer, answerProblem } from './answer.ts';
import {
  type Bindings,
  deploymentOf,
  type MerchantRecord,
  type MerchantsCalls,
  type ObjectResult,
  objectOf,
  openPart,
  type WorldCalls,
} from './deployment.ts';
import { storing } from './sql-rows.ts';

/** The object that lists the merchants of a hosted sandbox and handles requests about all of them. */
export class MerchantsObject extends DurableObject<Bindings> implements MerchantsCalls {
  #list: Promise<MerchantList> | undefined;

  async fetch(request: Request): Promise<Response> {
    try {
      const { opened } = await this.#open();
      return await answer(opened, request, this.ctx);
    } catch (error) {
      return answerProblem(error);
    }
  }

  async admit(apiKey: string): Promise<ObjectResult<MerchantRecord | undefined>> {
    try {
      return { result: (await this.#open()).admit(apiKey) };
    } catch (error) {
      if (!(error instanceof NotStoredError)) throw error;
      return { refused: { status: 507, detail: error.message } };
    }
  }

  #open(): Promise<MerchantList> {
    this.#list ??= openMerchantList(this.ctx.storage, this.env).catch((error) => {
      this.#list = undefined;
      throw error;
    });
    return this.#list;
  }
}

/** The merchants of a hosted sandbox. Each World is in the object of its merchant's first key. */
interface MerchantList {
  /** Handles requests about all merchants. */
  readonly opened: OpenSandbox;
  /** The merchant of a key; created if unknown keys open Worlds, otherwise undefined. Throws `NotStoredError`. */
  admit(apiKey: string): MerchantRecord | undefined;
}

/** The state of ids and keys. */
interface Numbering {
  readonly last_id: number;
  readonly random: readonly number[];
}

const NUMBERING = 'numbering';

/**
 * Reads the list from storage: a row for each merchant, null for a built-in one that was removed. Throws
 * `NotStoredError`.
 */
async function openMerchantList(storage: ObjectStorage, env: Bindings): Promise<MerchantList> {
  const { sql } = storage;
  storing(() =>
    sql.exec('CREATE TABLE IF NOT EXISTS merchants (id INTEGER PRIMARY KEY, record TEXT NOT NULL)'),
  );
  const { options, hasDemo } = deploymentOf(env);
  const homes = new Map<number, string>();
  /** Prevents that a merchant which is removed during a key rotation reappears. */
  const oneAtATime = createQueues();

  const calls: ClusterCalls = {
    'GET /_sandbox/merchants': ({ query: { page = 1 } }) =>
      onPage(page, (world, record) => world.open(record)),
    async 'POST /_sandbox/merchants'({ body }) {
      const merchant = createMerchant(store, body ?? {});
      const record = saveNew(merchant);
      try {
        return await resultOf(worldOf(record).open(record));
      } catch (error) {
        removeMerchant(store, merchant);
        forget(merchant);
        throw error;
      }
    },
    'DELETE /_sandbox/merchants/{id}': ({ params: { id } }) =>
      oneAtATime(id, async () => {
        const merchant = findMerchant(store, id);
        const record = recordOf(merchant);
        const { home, api_key } = record;
        // First, so that no list in the meantime opens the World again.
        removeMerchant(store, merchant);
        try {
          const isRotated = api_key !== home;
          if (isRotated) await objectOf(env, api_key).setRole(undefined);
          await worldOf(record).setRole(isRotated ? { kind: 'blocked' } : undefined);
        } catch (error) {
          registerMerchant(store, record);
          throw error;
        }
        forget(merchant);
      }),
    'POST /_sandbox/merchants/{id}/rotate_key': ({ params: { id } }) =>
      oneAtATime(id, async () => {
        const merchant = findMerchant(store, id);
        const record = recordOf(merchant);
        const { home, api_key } = record;
        const key = nextKey(store);
        await objectOf(env, key).setRole({ kind: 'pointer', home });
        const shown = await resultOf(worldOf(record).giveKey(record, key));
        if (api_key !== home) await objectOf(env, api_key).setRole({ kind: 'blocked' });
        rotateKey(store, merchant, key);
        save(merchant);
        return shown;
      }),
    'POST /_sandbox/reset_all'({ query: { page } }) {
      if (page === undefined && store.byId.size > MERCHANTS_PER_PAGE) {
        const pages = Math.ceil(store.byId.size / MERCHANTS_PER_PAGE);
        throw new ControlError(
          422,
          `page: ${store.byId.size} merchants are too many for one reset. Reset ${MERCHANTS_PER_PAGE} at a time, from ?page=1 to ?page=${pages}.`,
        );
      }
      return onPage(page ?? 1, (world, record) => world.reset(record));
    },
    'GET /_sandbox/journal/all': ({ query: { merchant } }, request) => forward(merchant, request),
    'GET /_sandbox/events': ({ query: { merchant } }, request) => forward(merchant, request),
  };
  /** Sends a request to the World of a merchant. Entries and events of different machines have no common order. */
  const forward = async (id: number | undefined, request: Request): Promise<Response> => {
    if (id === undefined) {
      throw new ControlError(
        422,
        'The merchant parameter is required, because the Worlds of this sandbox are spread over many machines: ?merchant=ID.',
      );
    }
    return live(await worldOf(recordOf(findMerchant(store, String(id)))).fetch(request));
  };
  const { autoMerchants = false } = options;
  const opened = openPart(env, { autoMerchants, calls });
  const { store } = opened;

  const recordOf = ({ row }: MerchantAccount): MerchantRecord => ({
    ...row,
    home: homes.get(row.id) ?? row.api_key,
  });
  const worldOf = ({ home }: MerchantRecord): WorldCalls => objectOf(env, home);
  const write = (id: number, record: MerchantRecord | null): void =>
    void storing(() =>
      sql.exec(
        'INSERT OR REPLACE INTO merchants (id, record) VALUES (?, ?)',
        id,
        JSON.stringify(record),
      ),
    );
  const save = (merchant: MerchantAccount): MerchantRecord => {
    const record = recordOf(merchant);
    write(record.id, record);
    homes.set(record.id, record.home);
    const numbering: Numbering = { last_id: store.lastId, random: store.random.state };
    void storage.put(NUMBERING, numbering);
    return record;
  };
  /** Stores a new merchant, or removes it again. */
  const saveNew = (merchant: MerchantAccount): MerchantRecord => {
    try {
      return save(merchant);
    } catch (error) {
      removeMerchant(store, merchant);
      throw error;
    }
  };
  const forget = ({ id, config }: MerchantAccount): void => {
    homes.delete(id);
    if (config.records === 'own') write(id, null);
    else storing(() => sql.exec('DELETE FROM merchants WHERE id = ?', id));
  };
  const onPage = (
    page: number,
    ask: (world: WorldCalls, record: MerchantRecord) => Promise<ObjectResult<MerchantState>>,
  ): Promise<MerchantState[]> =>
    Promise.all(
      accountsOn(store, page)
        .map(recordOf)
        .map((record) => resultOf(ask(worldOf(record), record))),
    );

  const known = new Set<number>();
  for (const row of sql.exec<{ id: number; record: string }>('SELECT id, record FROM merchants')) {
    known.add(row.id);
    const record: MerchantRecord | null = JSON.parse(row.record);
    if (!record || (record.config.records === 'own' && !hasDemo)) continue;
    homes.set(record.id, record.home);
    registerMerchant(store, record);
  }
  const numbering = await storage.get<Numbering>(NUMBERING);
  if (numbering) store.random.state = numbering.random;
  for (const merchant of store.defaults.fixtures.merchants) {
    const { id } = merchant;
    // Their ids are reserved, even without these merchants.
    store.lastId = Math.max(store.lastId, numbering?.last_id ?? 0, id);
    if (hasDemo && !known.has(id)) save(registerMerchant(store, fixtureRow(store, merchant)));
  }
  return {
    opened,
    admit(apiKey) {
      const merchant = findByKey(store, apiKey);
      if (!merchant) return undefined;
      return homes.has(merchant.id) ? recordOf(merchant) : saveNew(merchant);
    },
  };
}

/** The result of a method call to an object. Throws its `ControlError` if it refused. */
async function resultOf<Result>(outcome: Promise<ObjectResult<Result>>): Promise<Result> {
  const answered = await outcome;
  if ('result' in answered) return answered.result;
  const { status, detail } = answered.refused;
  throw new ControlError(status as ControlStatus, detail);
}

/** Runs asynchronous work with the same id one after the other. */
function createQueues() {
  const last = new Map<string, Promise<unknown>>();
  return async <Result>(id: string, work: () => Promise<Result>): Promise<Result> => {
    const before = last.get(id);
    const current = (async () => {
      await before?.catch(() => undefined);
      return work();
    })();
    last.set(id, current);
    try {
      return await current;
    } finally {
      if (last.get(id) === current) last.delete(id);
    }
  };
}
