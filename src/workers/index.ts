import type { Bindings } from './bindings.ts';
import type { Lifetime } from './engine.ts';
import { MerchantsObject as Merchants } from './merchants-object.ts';
import { answerRequest } from './worker.ts';
import { WorldObject as World } from './world-object.ts';

/** A class of objects, as the engine makes them. */
type ObjectClass = new (...args: never[]) => object;

/** The class of the objects of keys: each holds one World, or knows which object does. */
export const WorldObject: ObjectClass = World;
/** The class of the object that lists merchants. */
export const MerchantsObject: ObjectClass = Merchants;

/** The Worker of a hosted sandbox. */
const worker: {
  fetch(request: Request, env: object, lifetime: Lifetime): Promise<Response>;
} = {
  fetch: (request, env, lifetime) => answerRequest(request, env as Bindings, lifetime),
};

export default worker;
