import { closest } from 'fastest-levenshtein';
import type { FaultRule } from '../core/faults.ts';
import { nextId, type WorldCore } from '../core/world.ts';
import { anyFamilies } from '../products/world.ts';
import { ControlError } from './problems.ts';
import type { NewFault } from './schemas.ts';

export const operationIds: readonly string[] = anyFamilies.flatMap((family) =>
  family.operations.map((operation) => operation.operationId),
);

/** Refuses a name no operation has, with the nearest that one has. */
export function refuseUnknownOperation(name: string | undefined, field: string): void {
  if (name === undefined || operationIds.includes(name)) return;
  throw new ControlError(
    422,
    `${field}: there is no operation "${name}"; did you mean "${closest(name, operationIds)}"?`,
    { operations: operationIds },
  );
}

export function addFault(world: WorldCore, fault: NewFault): FaultRule {
  refuseUnknownOperation(fault.match?.operation, 'match.operation');
  const rule: FaultRule = {
    id: `fault-${nextId(world, 'fault')}`,
    match: { ...fault.match },
    stage: fault.stage,
    effect: fault.effect,
    times: fault.times ?? 1,
    probability: fault.probability ?? 1,
  };
  world.faults.push(rule);
  return { ...rule };
}

export const listFaults = (world: WorldCore): FaultRule[] =>
  world.faults.map((rule) => ({ ...rule }));

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
