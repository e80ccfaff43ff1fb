/* Watches the calls of the sandboxes of one run, and makes some of them fail. */

import type { CallObserver } from '../../control/host.ts';
import { presentEntry } from '../../control/journal-entry.ts';
import { anyFamilies, stateOf, type World } from '../../products/world.ts';
import type { OperationId } from '../../public.ts';
import type { Fault } from '../../world/faults.ts';
import type { StoredEntry } from '../../world/journal.ts';
import type { Ledger } from './ledger.ts';

/** The failure of a run, as its sandboxes apply it. */
export interface PlannedFault {
  readonly operation: OperationId;
  /** The number of the first call that fails, from 1. */
  readonly call: number;
  /** How many calls fail, one after the other. */
  readonly times: number;
  readonly fault: Fault;
}

/** What the sandboxes of a run need to know. */
export interface RunPlan {
  /** Undefined for the undisturbed run. */
  readonly planned?: PlannedFault | undefined;
  readonly seed?: number | undefined;
}

/** @param onDelay called when the program begins to wait for a delayed response */
export function createRunObserver(
  { planned, seed }: RunPlan,
  ledger: Ledger,
  onDelay?: (ms: number) => void,
): CallObserver {
  // A World may be replaced; what was bought in it counts.
  const worlds = new Map<number, Set<World>>();
  return {
    seed,
    faultOf({ id, world }, operation) {
      worlds.set(id, (worlds.get(id) ?? new Set()).add(world));
      const number = ledger.countCall(operation);
      if (!planned || operation !== planned.operation) return undefined;
      const { call, times, fault } = planned;
      if (number < call || number >= call + times) return undefined;
      if (fault.effect.kind === 'delay') onDelay?.(fault.effect.ms);
      return fault;
    },
    onCall(entry) {
      if (!entry.merchant || entry.operation === null) return;
      ledger.addCall({
        entry: presentEntry(entry),
        isDisturbed: planned !== undefined && entry.fault === planned.fault,
        customer: customerOf(entry, [...(worlds.get(entry.merchant.id) ?? [])].reverse()),
      });
    },
  };
}

/**
 * The holder of the policy that a call bought or renewed; undefined if it bought nothing.
 *
 * @param worlds those of its merchant, the latest first
 */
function customerOf(
  { operation, changes }: StoredEntry,
  worlds: readonly World[],
): string | undefined {
  const family = anyFamilies.find(({ buyingOperations }) =>
    buyingOperations.some((each) => each === operation),
  );
  const bought = family && changes.find(({ table }) => table === `${family.key}.policies`);
  if (!bought) return undefined;
  for (const world of worlds) {
    const policy = family.policiesOf(stateOf(world, family)).get(bought.key);
    if (policy) return family.holderOf(policy);
  }
  return bought.key;
}
