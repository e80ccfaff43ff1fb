import { NotStoredError } from '../core/change-log.ts';
import type { FreeMemory } from '../core/memory-room.ts';
import { anyFamilies, type World } from '../products/world.ts';
import type { Cluster } from './cluster.ts';

/** What a sandbox knows of the program it runs in. */
export interface Host {
  readonly freeMemory?: FreeMemory;
  /** Takes a line that whoever runs the sandbox should know. */
  readonly warn?: (message: string) => void;
  /** Aborts when the sandbox closes: methods that wait then end. */
  readonly closing?: AbortSignal;
  /** Where its Worlds are, if they are not all in this process. */
  readonly cluster?: Cluster;
  /**
   * Whether it runs on somebody's servers, one of many parts: it begins without merchants, no caller is on its machine,
   * and there is no connection to break.
   */
  readonly isHosted?: boolean;
  /** Whether it has the built-in merchants all the same, in other parts. */
  readonly hasDemo?: boolean;
  /** How many bytes of a document it takes, where nobody knows how much memory there is. */
  readonly maxDocumentBytes?: number;
  /** Why nothing more can be bought in a World; undefined where something can. */
  readonly whyFull?: (world: World) => string | undefined;
}

/** Whether the Worlds of a sandbox are not all in this process: nobody here can count them, or tell what happens in all. */
export const isSpread = ({ cluster, isHosted = false }: Host): boolean =>
  cluster !== undefined || isHosted;

/** Throws `NotStoredError` where a World has no room for what an operation is to begin. */
export function requireRoom({ whyFull }: Host, world: World, operationId: string): void {
  if (!whyFull) return;
  const begins = anyFamilies.some(({ initiateOperation }) => initiateOperation === operationId);
  const why = begins ? whyFull(world) : undefined;
  if (why !== undefined) throw new NotStoredError(why);
}
