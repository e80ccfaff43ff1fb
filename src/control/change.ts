import { type ActivityFeed, announce, type Merchant } from '../api/activity.ts';
import type { World } from '../products/world.ts';
import { readTime } from '../world/clock.ts';
import { NotStoredError, transact } from '../world/tables.ts';
import { ControlError } from './control-error.ts';

/**
 * Changes the World of a merchant, all or nothing, and tells it to those who watch. Throws what `change` throws, and
 * 507 where the change can't be kept.
 */
export function changeWorld<Result>(
  { activity }: { readonly activity: ActivityFeed },
  merchant: Merchant<World>,
  change: (world: World) => Result,
): Result {
  const { world } = merchant;
  // Whoever keeps the change says when it was made.
  readTime(world.time);
  const result = stored(() => transact(world, () => change(world)));
  announceWorld(activity, merchant);
  return result;
}

/** Tells that the control plane changed the World of a merchant. */
export const announceWorld = (activity: ActivityFeed, merchant: Merchant): void =>
  announce(activity, { kind: 'world', merchant });

/** What can't be kept is refused as the control plane refuses. */
export function stored<Result>(change: () => Result): Result {
  try {
    return change();
  } catch (error) {
    throw error instanceof NotStoredError ? new ControlError(507, error.message) : error;
  }
}
