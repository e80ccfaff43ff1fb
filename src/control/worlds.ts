import { type ClockStart, systemNow } from '../core/clock.ts';
import type { Settings } from '../core/settings.ts';
import { tellWatchers } from '../http/merchant.ts';
import type { Fixtures } from '../products/fixtures.ts';
import { createWorld, type StartRecords, type World } from '../products/world.ts';
import type { Snapshot } from './schemas/snapshot.ts';
import { readSnapshot } from './snapshot.ts';

/** What every World of a sandbox starts from, unless a merchant is minted with something else. */
export interface Defaults {
  readonly fixtures: Fixtures;
  readonly clock: ClockStart;
  readonly seed: number;
  readonly settings: Settings;
  /** An unknown key opens a fresh World of its own instead of 401. */
  readonly autoMerchants: boolean;
}

/** How a merchant's World is made, and made again by a reset. */
export interface Origin {
  readonly records: 'none' | 'own' | 'demo';
  readonly clock: ClockStart;
  readonly seed: number;
}

/** What has a World that can be replaced. */
export interface WorldHolder {
  readonly id: number;
  readonly origin: Origin;
  world: World;
  readonly watchers: ReadonlySet<() => void>;
}

/** The id whose records `demo` means. */
const DEMO_MERCHANT_ID = 1;

export function freshWorld(
  { fixtures, settings }: Defaults,
  { id, origin }: Pick<WorldHolder, 'id' | 'origin'>,
): World {
  const { clock, seed } = origin;
  return createWorld(fixtures, { merchantId: id, clock, seed, settings }, recordsOf(origin, id));
}

const recordsOf = ({ records }: Origin, merchantId: number): StartRecords =>
  records === 'none' ? records : { merchantId: records === 'demo' ? DEMO_MERCHANT_ID : merchantId };

/** A clock that stands still does so from one moment on, also after a reset. */
export const startOf = ({ now, mode }: ClockStart): ClockStart => ({
  mode,
  now: mode === 'frozen' ? (now ?? systemNow()) : now,
});

/** The World as the fixtures made it. Requests under way finish in the World they began with. */
export function resetWorld(
  { defaults }: { readonly defaults: Defaults },
  holder: WorldHolder,
): void {
  holder.world = freshWorld(defaults, holder);
  tellWatchers(holder);
}

/** Puts a World back as a snapshot holds it, or changes nothing. */
export function restoreWorld(
  { settings }: { readonly settings: Settings },
  holder: WorldHolder,
  snapshot: Snapshot,
): void {
  holder.world = readSnapshot(snapshot, settings);
  tellWatchers(holder);
}
