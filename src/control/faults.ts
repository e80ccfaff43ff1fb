import type { FaultRule } from '../core/faults.ts';
import { nextId, type WorldCore } from '../core/world.ts';
import { refuseUnknownOperation } from './operations.ts';
import { ControlError } from './problems.ts';
import type { NewFault } from './schemas/faults.ts';

export function addFault(world: WorldCore, fault: NewFault): FaultRule {
  refuseUnknownOperation(fault.match?.operation, 'match.operation');
  const rule: FaultRule = structuredClone({
    id: `fault-${nextId(world, 'fault')}`,
    match: { ...fault.match },
    stage: fault.stage,
    effect: fault.effect,
    times: fault.times ?? 1,
    probability: fault.probability ?? 1,
  });
  world.faults.push(rule);
  return structuredClone(rule);
}

export const listFaults = (world: WorldCore): FaultRule[] => structuredClone(world.faults);

export function clearFaults(world: WorldCore): void {
  world.faults.length = 0;
}

export function removeFault(world: WorldCore, id: string): void {
  const position = world.faults.findIndex((rule) => rule.id === id);
  if (position === -1) {
    throw new ControlError(
      404,
      `There is no fault "${id}"; GET /_sandbox/faults lists those there are.`,
    );
  }
  world.faults.splice(position, 1);
}
