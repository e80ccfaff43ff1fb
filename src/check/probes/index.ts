import type { Settings } from '../../core/settings.ts';
import type { Operation } from '../../http/operation.ts';
import type { ProductFamily } from '../../products/family.ts';
import { anyFamilies } from '../../products/world.ts';
import { listOf } from '../contract.ts';
import type { ExchangeRules } from '../exchange-rules.ts';
import type { FamilyProbes } from '../family-probes.ts';
import type { Probe } from '../probe.ts';
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

/** An operation, and what is held against exchanges with it. */
export interface JudgedOperation {
  readonly operation: Operation;
  readonly rules: ExchangeRules;
}

/** Every operation there is. */
export const judgedOperations = (settings: Settings): readonly JudgedOperation[] =>
  anyFamilies.flatMap((family) => {
    const own = FAMILY_PROBES.find((each) => each.family === family.key);
    const rules = own?.exchanges(settings) ?? {};
    return family.operations.map((operation) => ({
      operation,
      rules: rules[operation.operationId] ?? {},
    }));
  });
