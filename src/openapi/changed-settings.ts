import { profileOptions } from '../control/profile.ts';
import { ASSUMPTIONS, DEFAULT_SETTINGS } from '../products/world.ts';
import type { Assumption, AssumptionId } from '../world/assumptions.ts';
import type { ProfileOption, Settings } from '../world/settings.ts';

/** An assumption as a document lists it. */
export interface DocumentedAssumption extends Assumption {
  /** What it is set to here, where that is not what is published. */
  readonly setting?: unknown;
}

/** What a profile sets otherwise than published, by assumption; of several values those that differ. */
export function changedSettings(settings: Settings): ReadonlyMap<AssumptionId, unknown> {
  const changed = new Map<AssumptionId, unknown>();
  for (const [id, option] of Object.entries(profileOptions) as [AssumptionId, ProfileOption][]) {
    const value = differing(option.read(settings), option.read(DEFAULT_SETTINGS));
    if (value !== undefined) changed.set(id, value);
  }
  return changed;
}

function differing(value: unknown, published: unknown): unknown {
  if (typeof value !== 'object' || value === null || typeof published !== 'object') {
    return value === published ? undefined : value;
  }
  const other = Object.entries(value).filter(
    ([key, each]) => each !== (published as Record<string, unknown>)[key],
  );
  return other.length === 0 ? undefined : Object.fromEntries(other);
}

/** Every assumption, as a sandbox with these settings takes it. */
export function documentedAssumptions(settings: Settings): Record<string, DocumentedAssumption> {
  const changed = changedSettings(settings);
  return Object.fromEntries(
    Object.entries(ASSUMPTIONS).map(([id, row]) => {
      const setting = changed.get(id as AssumptionId);
      return [id, setting === undefined ? row : { ...row, setting }];
    }),
  );
}
