import type { Settings } from '../core/settings.ts';
import type { FamilyExchanges } from './exchange-rules.ts';
import type { Probe, Purchase } from './probe.ts';

/** What is asked of one family alone. */
export interface FamilyProbes<S extends Settings = Settings> {
  /** The key of the family. */
  readonly family: string;
  probes(settings: S): readonly Probe[];
  /** What is held against exchanges that somebody else makes. */
  exchanges(settings: S): FamilyExchanges;
  /** What is bought again to see what becomes of its token as time passes, and by another merchant. */
  readonly purchase: Purchase;
}
