import { closest, distance } from 'fastest-levenshtein';

/** What is longer is no name that anybody has mistyped. */
const MAX_LENGTH = 60;

/** The word that somebody meant who wrote another one; undefined where none is near. */
export function nearest(written: string, words: readonly string[]): string | undefined {
  const name = written.slice(0, MAX_LENGTH);
  if (name === '' || words.length === 0) return undefined;
  const word = closest(name, words);
  if (isNear(name, word)) return word;
  // Who leaves off in the middle of a name may be far from all of it.
  return name.length < 3 ? undefined : words.find((each) => each.startsWith(name));
}

/** Two letters of five may be wrong: `prot` is near `port`, and `-V` is near nothing. */
const isNear = (name: string, word: string): boolean =>
  distance(name, word) <= Math.round(Math.min(name.length, word.length) * 0.4);
