import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What V8 counts to the limit of the heap for new objects; old ones can't have it. */
const NEW_BYTES = 48 * 1024 * 1024;
/** Where more than that is full, V8 gives up as soon as it collects more than it lets the program run. */
const FULL_SHARE = 0.8;

/**
 * How many bytes there are for more. Where that seems to be less than wanted, what nobody needs any more is
 * collected first, unless the heap could never hold so much.
 */
export function freeMemory(wanted: number): number {
  if (free() >= wanted || wanted > limit()) return free();
  collectGarbage();
  return free();
}

const free = (): number => Math.max(0, limit() - getHeapStatistics().used_heap_size);

const limit = (): number => FULL_SHARE * (getHeapStatistics().heap_size_limit - NEW_BYTES);

/** Node shows its collector to those only who ask for it. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect();
}
