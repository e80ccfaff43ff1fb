import type { ClockStart } from '../world/clock.ts';
import { createRandomState, type RandomState } from '../world/random.ts';
import { type Change, KeyedTable, Tables } from '../world/tables.ts';
import type { Instant } from '../world/time.ts';

/** How a merchant's World is made, and made again by a reset. */
export interface WorldConfig {
  readonly records: 'none' | 'own' | 'demo';
  readonly clock: ClockStart;
  readonly seed: number;
}

/** What the sandbox remembers of a merchant besides its World. */
export interface MerchantRow {
  readonly id: number;
  readonly name: string;
  readonly api_key: string;
  /** How its World is made, and made again by a reset. */
  readonly config: WorldConfig;
  /** When its World began, in the sandbox's time: as long as nobody sets its clock, that runs since then. */
  readonly since: Instant;
}

/** What the sandbox remembers besides its Worlds. */
export interface SandboxTables {
  readonly tables: Tables;
  /** By id. */
  readonly merchants: KeyedTable<MerchantRow>;
  /** Keys that were given up: they open nothing, not even a World of their own. */
  readonly blocked: KeyedTable<true>;
  /** Single values, by name. */
  readonly values: KeyedTable<unknown>;
  /** Chance of the keys that are given. */
  readonly random: RandomState;
  lastId: number;
  /** How often the sandbox has started over from what was kept after it ended without a save. */
  run: number;
}

/** The names of the tables that a sandbox has besides those of its Worlds. */
export const SANDBOX_TABLES = {
  merchants: 'merchants',
  blocked: 'blocked_keys',
  values: 'sandbox',
} as const;

const OF_SANDBOX: ReadonlySet<string> = new Set(Object.values(SANDBOX_TABLES));

/** Whether a row is one of the sandbox itself, and not of a World. */
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
