import type { Bindings } from './bindings.ts';
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
  fetch(request: Request, env: object): Promise<Response>;
} = {
  fetch: (request, env) => answerRequest(request, env as Bindings),
};

export default worker;
