import type { AssumptionId } from '../world/assumptions.ts';
import type { Finding } from './differences.ts';
import { type Json, showValue } from './json.ts';

/** Where a server answered a value that it made up. */
export interface Sighting {
  readonly operation: string;
  readonly path: string;
  readonly assumptions: readonly AssumptionId[];
  readonly add: (finding: Finding) => void;
}

/** What a server calls one record, by value, with where it said so. */
type Names = Map<Json, Sighting[]>;

/**
 * Which values of a server stand for which of the twin: ids, tokens and policy numbers that each makes up for itself.
 * The same record has the same value wherever it is named, and no two records share one.
 */
export class Links {
  readonly #names = new Map<string, Map<Json, Names>>();

  /** Notes that the server says `seen` where the twin says `own`, both naming the same kind of record. */
  add(kind: string, own: Json, seen: Json, sighting: Sighting): void {
    const kinds = this.#names.get(kind) ?? new Map<Json, Names>();
    this.#names.set(kind, kinds);
    const names: Names = kinds.get(own) ?? new Map();
    kinds.set(own, names);
    names.set(seen, [...(names.get(seen) ?? []), sighting]);
  }

  /** What the server says for a value of the twin; undefined if it has not said so. */
  seenFor(kind: string, own: Json): Json {
    const names = this.#names.get(kind)?.get(own);
    return names && nameOf(names);
  }

  /** The value of the twin that a server's value stands for. */
  ownFor(kind: string, seen: Json): Json {
    for (const [own, names] of this.#names.get(kind) ?? []) if (nameOf(names) === seen) return own;
    return undefined;
  }

  /** A text of the twin as the server would write it: with the server's own tokens and numbers in it. */
  translate(text: string): string {
    let translated = text;
    for (const kinds of this.#names.values()) {
      for (const [own, names] of kinds) {
        if (typeof own !== 'string' || own.length < MIN_LENGTH) continue;
        const seen = String(nameOf(names));
        translated = translated
          .replaceAll(own, seen)
          .replaceAll(own.toLowerCase(), seen.toLowerCase());
      }
    }
    return translated;
  }

  /** Tells every answer that names a record otherwise than most operations do, or as another record. */
  tellConflicts(): void {
    for (const [kind, kinds] of this.#names) {
      const owners = new Map<Json, Json>();
      for (const [own, names] of kinds) {
        const name = nameOf(names);
        for (const [seen, sightings] of names) {
          if (seen !== name) tell(sightings, showValue(name), seen);
        }
        const first = owners.get(name);
        if (first === undefined) owners.set(name, own);
        else tell(names.get(name) ?? [], `another ${kind} than that of an earlier record`, name);
      }
    }
  }
}

/** Shorter texts may stand anywhere by chance. */
const MIN_LENGTH = 6;

/** The value that most operations say; of as many, the first. */
function nameOf(names: Names): Json {
  let name: Json;
  let most = 0;
  for (const [seen, sightings] of names) {
    const count = new Set(sightings.map(({ operation }) => operation)).size;
    if (count > most) [name, most] = [seen, count];
  }
  return name;
}

function tell(sightings: readonly Sighting[], expected: string, seen: Json): void {
  for (const { path, assumptions, add } of sightings) add({ path, expected, seen, assumptions });
}
