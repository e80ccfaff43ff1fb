/* One merchant: the row that is stored of it, and its World. */

import type { PolicyCounts } from '../types/public.ts';
import type { ClockStart } from './clock.ts';
import type { Journal } from './journal.ts';
import type { Instant } from './time.ts';
import type { WorldCore } from './world.ts';

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
  /** What it was created with, if a reset gave its World other records. A reset without records returns to it. */
  readonly created_with?: WorldConfig | undefined;
  /** When its World was created, in the sandbox's time. Its clock runs from then until it is set. */
  readonly since: Instant;
}

/** The row of a merchant whose World starts anew with these records. Default: as it was created. */
export function rowAfterReset(
  { created_with, ...row }: MerchantRow,
  records: WorldConfig['records'] | undefined,
): MerchantRow {
  const created = created_with ?? row.config;
  return records === undefined
    ? { ...row, config: created }
    : { ...row, config: { ...created, records }, created_with: created };
}

/** A merchant of this sandbox. Its key opens its World only. */
export interface MerchantOf<W extends WorldCore> {
  readonly id: number;
  readonly name: string;
  readonly api_key: string;
  readonly config: WorldConfig;
  /** Replaced as a whole when its key changes or its World is reset. */
  row: MerchantRow;
  /** Created on first use. Replaced by a reset or a restore; running requests keep the World they started with. */
  world: W;
  readonly hasWorld: boolean;
  /** The journal that a World created on first use begins with. */
  nextJournal: Journal | undefined;
  /** The World that is in storage. The first change of any other World stores all of it. */
  keptWorld: W | undefined;
  /** The time that a World created on first use has reached already, because it ran before the last stop. */
  reached: Instant;
  removed: boolean;
  /** Why it was removed, if that is worth telling to who calls it afterwards. */
  removedBecause: string | undefined;
}

/** Longer keys may be secrets of a real service, and names stand in journals and logs. */
const MAX_KEY_NAME = 12;
/** How much of a longer key tells merchants apart. */
const KEY_END = 8;

/** The name of a merchant that its key opened: the key, or the end of a long one. */
export const nameAfter = (key: string): string =>
  key.length <= MAX_KEY_NAME ? key : `…${key.slice(-KEY_END)}`;
