import type { AssumptionId } from '../world/assumptions.ts';
import type { Json } from './json.ts';

/** A place where a server does not answer what the twin answers. */
export interface Finding {
  /** A JSON path into the body, `status`, or `header` and its name. */
  readonly path: string;
  readonly expected: string;
  readonly seen: Json;
  /** The assumptions it contradicts; none where the contract itself is not kept. */
  readonly assumptions: readonly AssumptionId[];
}
