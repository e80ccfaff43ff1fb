import type { Settings } from '../../core/settings.ts';
import type { ProductFamily } from '../../products/family.ts';
import { listOf } from '../contract.ts';
import type { FamilyProbes, Probe } from '../probe.ts';
import { everyOperation, rotatesKeys } from './every-operation.ts';
import { groupLifeProbes } from './group-life/index.ts';
import { microHealthProbes } from './micro-health/index.ts';
import { motorProbes } from './motor/index.ts';
import { foreignToken, tokenLifetimes, waitedLifetimes } from './token-lifetimes.ts';

/** What is asked of each family besides what every operation is asked. */
const FAMILY_PROBES: readonly FamilyProbes[] = [microHealthProbes, motorProbes, groupLifeProbes];

/**
 * The probes of a family in the order they are sent: later ones build on what earlier ones bought.
 *
 * @param waits whether the check waits for tokens to expire
 */
export function probesOf(
  family: ProductFamily,
  settings: Settings,
  { waits }: { readonly waits: boolean },
): readonly Probe[] {
  const own = FAMILY_PROBES.find((each) => each.family === family.key);
  return [
    ...everyOperation(family),
    ...(own?.probes(settings) ?? []),
    ...(own ? foreignToken(own.purchase) : []),
    ...(own ? tokenLifetimes(own.purchase, settings) : []),
    ...(own && waits ? waitedLifetimes(own.purchase) : []),
    ...rotatesKeys(listOf(family)),
  ];
}
