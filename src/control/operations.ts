import { closest } from 'fastest-levenshtein';
import { shortly } from '../core/form.ts';
import { anyFamilies } from '../products/world.ts';
import { ControlError } from './problems.ts';

/** The names that faults, journal and profiles know operations by. */
export const operationIds: readonly string[] = anyFamilies.flatMap((family) =>
  family.operations.map((operation) => operation.operationId),
);

/** What is wrong with a name that no operation has, with the nearest that one has. */
export function unknownOperation(name: string | undefined, field: string): string | undefined {
  if (name === undefined || operationIds.includes(name)) return undefined;
  const nearest = closest(name.slice(0, 60), operationIds);
  return `${field}: there is no operation ${shortly(name)}; did you mean "${nearest}"?`;
}

/** Refuses a name that no operation has. */
export function refuseUnknownOperation(name: string | undefined, field: string): void {
  const problem = unknownOperation(name, field);
  if (problem === undefined) return;
  throw new ControlError(422, problem, { errors: [problem], operations: operationIds });
}
