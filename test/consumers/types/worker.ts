/*
 * What a Worker asks of the package that is not deployed as it comes: compiled as a module, by several compilers.
 * Nothing but Node's own types is there beside it.
 */
import worker, { MerchantsObject, WorldObject } from 'micro-insurance-sandbox/workers';

export { MerchantsObject, WorldObject };
export default worker;

// @ts-expect-error a Worker answers requests
export const refused: Promise<number> = worker.fetch(new Request('http://sandbox/livez'), {});
