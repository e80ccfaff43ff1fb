/*
 * A Worker that exports the one of the package. Several compilers compile it as a module. Only
 * Node's types are available.
 */
import worker, { MerchantsObject, WorldObject } from 'micro-insurance-sandbox/workers';

export { MerchantsObject, WorldObject };
export default worker;

// @ts-expect-error a Worker returns a response
export const refused: Promise<number> = worker.fetch(new Request('http://sandbox/livez'), {});
