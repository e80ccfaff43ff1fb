import { z } from '@hono/zod-openapi';
import { anyFamilies } from '../products/world.ts';
import { nearest, truncate } from '../world/problem-texts.ts';
import { ControlError } from './control-error.ts';
import { EXAMPLE } from './examples.ts';

/*
 * The fields that several features have. Moments are ISO 8601 with an offset or Z, durations ISO 8601;
 * both are taken and given as texts.
 */

/** A moment as it is shown: UTC, to the millisecond. */
export const shownMoment = (description: string) =>
  z.iso
    .datetime({ precision: 3 })
    .meta({ description, examples: [EXAMPLE.now], format: 'date-time' });

/** A moment as it may be sent; what it says is read by `parseMoment`, which knows where clocks end. */
export const moment = (description: string) =>
  z.string().meta({ description, examples: [EXAMPLE.now], format: 'date-time' });

/** A duration as it may be sent; what it says is read by the rule. */
export const duration = (description: string, example: string) =>
  z.string().meta({ description, examples: [example], format: 'duration' });

export const clockMode = () =>
  z.enum(['running', 'frozen']).meta({ description: 'Whether time passes by itself.' });

/** The name of an operation; whether there is one is for `refuseUnknownOperation` to say. */
export const operationName = () =>
  z.string().meta({ description: 'An operationId of the merchant API.' });

/** The status of a response. */
export const httpStatus = () =>
  z.int().min(100).max(599).meta({ description: 'The status answered.' });

/** The names that faults, journal and profiles know operations by. */
export const operationIds: readonly string[] = anyFamilies.flatMap((family) =>
  family.operations.map((operation) => operation.operationId),
);

/** What is wrong with a name that no operation has, with the one that was meant, or all that there are. */
export function unknownOperation(name: string | undefined, field: string): string | undefined {
  if (name === undefined || operationIds.includes(name)) return undefined;
  const meant = nearest(name, operationIds);
  const hint =
    meant === undefined ? `known: ${operationIds.join(', ')}.` : `did you mean "${meant}"?`;
  return `${field}: there is no operation ${truncate(name)}; ${hint}`;
}

/** Refuses a name that no operation has. */
export function refuseUnknownOperation(name: string | undefined, field: string): void {
  const problem = unknownOperation(name, field);
  if (problem === undefined) return;
  throw new ControlError(422, problem, { errors: [problem], operations: operationIds });
}
