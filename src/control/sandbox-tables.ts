import type { PolicyCounts } from '../public.ts';
import type { ClockStart } from '../world/clock.ts';
import { createRandomState, type RandomState } from '../world/random.ts';
import { type Change, KeyedTable, Tables } from '../world/tables.ts';
import type { Instant } from '../world/time.ts';

/** How a World is created, and recreated by a reset. */
export interface WorldConfig {
  /** Those of the fixtures, or the number of policies to buy. */
  readonly records: 'none' | 'own' | 'demo' | PolicyCounts;
  readonly clock: ClockStart;
  readonly seed: number;
}

/** The stored row of a merchant, besides its World. */
export interface MerchantRow {
  readonly id: number;
  readonly name: string;
  readonly api_key: string;
  readonly config: WorldConfig;
  /** When its World was created, in the sandbox's time. Its clock runs from then until it is set. */
  readonly since: Instant;
}

/** The tables of a sandbox, besides those of its Worlds. */
export interface SandboxTables {
  readonly tables: Tables;
  /** By id. */
  readonly merchants: KeyedTable<MerchantRow>;
  /** Replaced keys. They never work again, even with `autoMerchants`. */
  readonly blocked: KeyedTable<true>;
  /** Single values, by name. */
  readonly values: KeyedTable<unknown>;
  /** The random state of new keys. */
  readonly random: RandomState;
  lastId: number;
  /** Counts starts from stored state after an end without a save. */
  run: number;
}

/** The names of the tables of a sandbox, besides those of its Worlds. */
export const SANDBOX_TABLES = {
  merchants: 'merchants',
  blocked: 'blocked_keys',
  values: 'sandbox',
} as const;

const OF_SANDBOX: ReadonlySet<string> = new Set(Object.values(SANDBOX_TABLES));

/** Whether a row belongs to the sandbox itself, not to a World. */
export const isSandboxRow = ([table]: Change): boolean => OF_SANDBOX.has(table);

export function createSandboxTables(seed: number): SandboxTables {
  const tables = new Tables();
  const values = new KeyedTable<unknown>(tables, SANDBOX_TABLES.values);
  values.load('chance', createRandomState(seed, 0).state);
  return {
    tables,
    merchants: new KeyedTable(tables, SANDBOX_TABLES.merchants),
    blocked: new KeyedTable(tables, SANDBOX_TABLES.blocked),
    values,
    random: {
      get state() {
        return values.get('chance') as RandomState['state'];
      },
      set state(state) {
        values.put('chance', state);
      },
    },
    get lastId() {
      return (values.get('last_id') as number | undefined) ?? 0;
    },
    set lastId(id) {
      values.put('last_id', id);
    },
    get run() {
      return (values.get('run') as number | undefined) ?? 1;
    },
    set run(run) {
      values.put('run', run);
    },
  };
}
