import type { Settings } from '../../core/settings.ts';
import type { ProductFamily } from '../../products/family.ts';
import type { Probe } from '../probe.ts';
import { everyOperation, rotatesKeys } from './every-operation.ts';
import { groupLifeProbes } from './group-life/index.ts';
import { microHealthProbes } from './micro-health/index.ts';
import { motorProbes } from './motor/index.ts';

/** What is asked of each family besides what every operation is asked, by its key. */
const OWN: Readonly<Record<string, (settings: Settings) => readonly Probe[]>> = {
  micro_health: microHealthProbes,
  motor: motorProbes,
  group_life: groupLifeProbes,
};

/** The probes of a family in the order they are sent: later ones build on what earlier ones bought. */
export const probesOf = (family: ProductFamily, settings: Settings): readonly Probe[] => [
  ...everyOperation(family),
  ...(OWN[family.key]?.(settings) ?? []),
  ...rotatesKeys(family),
];
