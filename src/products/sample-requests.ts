/* The sample requests, in a file of their own so that the published types depend on `public.ts` only. */

import type { SampleRequests } from '../types/public.ts';
import { exampleOf } from './named-schemas.ts';
import { sampledOperations } from './world.ts';

/**
 * A request of each quote and initiate by its operationId, which a new World accepts. They are those of the examples in
 * the documents. Frozen: copy one to change it.
 *
 * @example
 * const request = { ...sampleRequests.initiateMotorPolicy, vehicle_make: 'Honda' };
 * await merchant.call('initiateMotorPolicy', request);
 */
export const sampleRequests: SampleRequests = freezeAll(
  Object.fromEntries(
    sampledOperations.map(({ operationId, input }) => [operationId, input && exampleOf(input)]),
  ),
) as unknown as SampleRequests;

function freezeAll<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) freezeAll(inner);
  return Object.freeze(value);
}
