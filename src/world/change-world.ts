/* Changes a World through the control plane, and tells what happened. */

import { happen } from './activity.ts';
import { readClock, readWorldTime } from './clock.ts';
import type { MerchantOf } from './merchant.ts';
import type { Merchants } from './merchants.ts';
import type { Instant } from './time.ts';
import type { WorldCore } from './world.ts';
import type { WorldHappening } from './world-events.ts';

/** A change of a World. */
interface WorldChange<Result> {
  readonly result: Result;
  /** What happened, if anything did. */
  readonly happened: readonly WorldHappening[];
}

/** Changes a World, all or nothing, and tells what happened. Throws what `work` throws, and `NotStoredError`. */
export function changeWorld<W extends WorldCore, Result>(
  store: Pick<Merchants<W>, 'activity' | 'maxJournalBytes'>,
  merchant: MerchantOf<W>,
  work: (world: W, time: Instant) => WorldChange<Result>,
): Result {
  const { world } = merchant;
  // Read even if the change needs none, because storage records it.
  const time = readWorldTime(world.time);
  const { result, happened } = world.tables.transact(() => work(world, time));
  const at = readClock(world.clock, time);
  for (const each of happened) happen(store, merchant, world.journal, at, each);
  return result;
}
