import type { Settings } from '../../core/settings.ts';
import type { ProductFamily } from '../../products/family.ts';
import type { Probe } from '../probe.ts';
import { everyOperation, rotatesKeys } from './every-operation.ts';
import { groupLifeProbes } from './group-life-reads.ts';
import { microHealthList } from './micro-health-list.ts';
import { microHealthPurchases } from './micro-health-purchases.ts';
import { microHealthQuotes } from './micro-health-quotes.ts';
import { microHealthRenewals, refusedRenewals } from './micro-health-renewals.ts';
import { microHealthSecond } from './micro-health-second.ts';
import { motorProbes } from './motor-reads.ts';

/** What is asked of each family besides what every operation is asked. */
const OWN: Readonly<Record<string, (settings: Settings) => readonly Probe[]>> = {
  micro_health: (settings) => [
    ...microHealthQuotes,
    ...microHealthPurchases(settings),
    ...microHealthRenewals,
    ...microHealthList(settings),
    ...microHealthSecond(settings),
    ...refusedRenewals(settings),
  ],
  motor: motorProbes,
  group_life: groupLifeProbes,
};

/** The probes of a family in the order they are sent: later ones build on what earlier ones bought. */
export const probesOf = (family: ProductFamily, settings: Settings): readonly Probe[] => [
  ...everyOperation(family),
  ...(OWN[family.key]?.(settings) ?? []),
  ...rotatesKeys(family),
];
