import { type Cluster, MERCHANTS_PER_PAGE } from '../control/cluster.ts';
import { ControlError, type ControlStatus } from '../control/control-error.ts';
import {
  fixtureRow,
  type MerchantAccount,
  nextKey,
  registerMerchant,
} from '../control/merchant-store.ts';
import {
  accountsOn,
  createMerchant,
  findMerchant,
  removeMerchant,
  rotateKey,
} from '../control/merchants.ts';
import type { OpenSandbox } from '../open-sandbox.ts';
import type { MerchantState } from '../public.ts';
import { type Bindings, type MerchantRecord, type Outcome, objectOf } from './bindings.ts';
import { deploymentOf, openPart } from './deployment.ts';
import type { ObjectStorage } from './engine.ts';
import { unguessable } from './engine-chance.ts';
import { openMerchantRows } from './merchant-rows.ts';
import { createTurns } from './turns.ts';

/** The merchants of a hosted sandbox. Each World is in the object of the first key that its merchant had. */
export interface MerchantList {
  /** Answers the calls over all of them. */
  readonly opened: OpenSandbox;
  /** The merchant of a key, a new one where unknown keys open Worlds; undefined where there is none. */
  admit(apiKey: string): MerchantRecord | undefined;
}

/** Reads the list that the storage of an object keeps. */
export async function openMerchantList(
  storage: ObjectStorage,
  env: Bindings,
): Promise<MerchantList> {
  const { options, hasDemo } = deploymentOf(env);
  const rows = openMerchantRows(storage);
  const homes = new Map<number, string>();
  /** Else a merchant that is removed while it gets a key would be back. */
  const inTurn = createTurns();

  const cluster: Cluster = {
    list: (page = 1) => onPage(page, (record) => objectOf(env, record.home).open(record)),
    async create(wanted) {
      drawUnguessable();
      const merchant = createMerchant(store, wanted);
      const record = keep(merchant);
      try {
        return await resultOf(objectOf(env, record.home).open(record));
      } catch (error) {
        removeMerchant(store, merchant);
        forget(merchant);
        throw error;
      }
    },
    remove: (id) =>
      inTurn(id, async () => {
        const merchant = findMerchant(store, id);
        const record = recordOf(merchant);
        const { home, api_key } = record;
        // Nobody who lists merchants meanwhile opens its World again.
        removeMerchant(store, merchant);
        try {
          const isRotated = api_key !== home;
          if (isRotated) await objectOf(env, api_key).become(undefined);
          await objectOf(env, home).become(isRotated ? { kind: 'blocked' } : undefined);
        } catch (error) {
          registerMerchant(store, record);
          throw error;
        }
        forget(merchant);
      }),
    rotateKey: (id) =>
      inTurn(id, async () => {
        const merchant = findMerchant(store, id);
        const record = recordOf(merchant);
        drawUnguessable();
        const key = nextKey(store);
        await objectOf(env, key).become({ kind: 'pointer', home: record.home });
        const shown = await resultOf(objectOf(env, record.home).giveKey(record, key));
        if (record.api_key !== record.home) {
          await objectOf(env, record.api_key).become({ kind: 'blocked' });
        }
        rotateKey(store, merchant, key);
        keep(merchant);
        return shown;
      }),
    reset(page) {
      if (page === undefined && store.byId.size > MERCHANTS_PER_PAGE) {
        const pages = Math.ceil(store.byId.size / MERCHANTS_PER_PAGE);
        throw new ControlError(
          422,
          `page: ${store.byId.size} merchants are too many to reset at once; reset ${MERCHANTS_PER_PAGE} at a time, from ?page=1 to ?page=${pages}.`,
        );
      }
      return onPage(page ?? 1, (record) => objectOf(env, record.home).reset(record));
    },
    forward(id, request) {
      const { home } = recordOf(findMerchant(store, String(id)));
      return objectOf(env, home).fetch(request);
    },
  };
  const { autoMerchants = false, seed } = options;
  const opened = openPart(env, { autoMerchants, cluster });
  const { store } = opened;

  const recordOf = ({ row }: MerchantAccount): MerchantRecord => ({
    ...row,
    home: homes.get(row.id) ?? row.api_key,
  });
  const keep = (merchant: MerchantAccount): MerchantRecord => {
    const record = recordOf(merchant);
    homes.set(record.id, record.home);
    rows.write(record.id, record);
    rows.setNumbering({ last_id: store.lastId, chance: store.chance.state });
    return record;
  };
  const forget = ({ id, config }: MerchantAccount): void => {
    homes.delete(id);
    if (config.records === 'own') rows.write(id, null);
    else rows.remove(id);
  };
  /** Where everybody can call, nobody may know the keys of others; a seed that was asked for is for tests. */
  const drawUnguessable = (): void => {
    if (seed === undefined) store.chance.state = unguessable();
  };
  const onPage = (
    page: number,
    ask: (record: MerchantRecord) => Promise<Outcome<MerchantState>>,
  ): Promise<MerchantState[]> =>
    Promise.all(accountsOn(store, page).map((merchant) => resultOf(ask(recordOf(merchant)))));

  const known = rows.read();
  for (const record of known.values()) {
    if (!record || (record.config.records === 'own' && !hasDemo)) continue;
    homes.set(record.id, record.home);
    registerMerchant(store, record);
  }
  const numbering = await rows.numbering();
  if (numbering) store.chance.state = numbering.chance;
  const { defaults } = store;
  for (const merchant of defaults.fixtures.merchants) {
    const { id } = merchant;
    // Their ids are theirs, whether they exist or not.
    store.lastId = Math.max(store.lastId, numbering?.last_id ?? 0, id);
    if (!hasDemo || known.has(id)) continue;
    keep(registerMerchant(store, fixtureRow(store, merchant)));
  }
  return {
    opened,
    admit(apiKey) {
      const merchant = store.authenticate(`Bearer ${apiKey}`);
      if (!merchant) return undefined;
      return homes.has(merchant.id) ? recordOf(merchant) : keep(merchant);
    },
  };
}

/** What an object answered. Throws the `ControlError` that it refused with. */
async function resultOf<Result>(outcome: Promise<Outcome<Result>>): Promise<Result> {
  const answered = await outcome;
  if ('result' in answered) return answered.result;
  const { status, detail } = answered.refused;
  throw new ControlError(status as ControlStatus, detail);
}
