/* What a deployment exports: the Worker, and the classes of its Durable Objects. */

import type { Bindings } from './deployment.ts';
import { MerchantsObject as Merchants } from './merchants-object.ts';
import { answerRequest } from './worker.ts';
import { WorldObject as World } from './world-object.ts';

/** A class of Durable Objects. */
type ObjectClass = new (...args: never[]) => object;

/** Lets work continue after a response. */
interface Lifetime {
  waitUntil(work: Promise<unknown>): void;
}

/** One object per key. It holds a World, or points to the object that does. */
export const WorldObject: ObjectClass = World;
/** The object that lists the merchants. */
export const MerchantsObject: ObjectClass = Merchants;

/** The Worker of a hosted sandbox. */
const worker: {
  fetch(request: Request, env: object, lifetime: Lifetime): Promise<Response>;
} = {
  fetch: (request, env, lifetime) => answerRequest(request, env as Bindings, lifetime),
};

export default worker;
