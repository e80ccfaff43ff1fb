import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage: () => void = runInNewContext('gc');

export const MIB = 1024 * 1024;

/** The bytes in V8's heap and in buffers after a garbage collection. */
export function memoryUsed(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
