import type { RandomState } from '../world/random.ts';

/* Chance that nobody can repeat: of what must not be guessed where everybody can call. */

/** A state of chance that nobody can guess. */
export const unguessable = (): RandomState['state'] => [
  ...crypto.getRandomValues(new Int32Array(4)),
];
