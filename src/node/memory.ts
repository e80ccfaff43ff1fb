import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How much of the heap is left for what else goes on. */
const RESERVE_BYTES = 32 * 1024 * 1024;

/**
 * How many bytes there are for more. Where that seems to be less than wanted, what nobody needs any more is
 * collected first, unless the heap could never hold so much.
 */
export function freeMemory(wanted: number): number {
  if (free() >= wanted || wanted > getHeapStatistics().heap_size_limit) return free();
  collectGarbage();
  return free();
}

const free = (): number => {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
  return Math.max(0, limit - used - RESERVE_BYTES);
};

/** Node shows its collector to those only who ask for it. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect();
}
