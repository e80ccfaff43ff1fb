import type { RandomState } from '../core/random.ts';

/* Chance that nobody can repeat: of what must not be guessed where everybody can call. */

/** A state of chance that nobody can guess. */
export const unguessable = (): RandomState['state'] => [
  ...crypto.getRandomValues(new Int32Array(4)),
];

/** A short text that is another for every text. */
export async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash, 0, 8), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}
