/* Matches the ids, tokens and policy numbers of a server with the twin's. */

import { showValue } from '../../scenarios/json.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import { causeOf, type Finding } from './differences.ts';

/** Where a server returned an id, token or number of its own. */
export interface Sighting {
  readonly operation: string;
  readonly path: string;
  readonly assumptions: readonly AssumptionId[];
  readonly add: (finding: Finding) => void;
}

/** The server's names for one record, with the places where it used them. */
type Names = Map<unknown, Sighting[]>;

/**
 * Maps the server's ids, tokens and policy numbers to the twin's. A record must have the same value everywhere, and no
 * two records may share one.
 */
export class Links {
  readonly #names = new Map<string, Map<unknown, Names>>();

  /** Records that the server has `seen` where the twin has `own`, for the same kind of record. */
  add(kind: string, twin: unknown, server: unknown, sighting: Sighting): void {
    const kinds = this.#names.get(kind) ?? new Map<unknown, Names>();
    this.#names.set(kind, kinds);
    const names: Names = kinds.get(twin) ?? new Map();
    kinds.set(twin, names);
    names.set(server, [...(names.get(server) ?? []), sighting]);
  }

  /** The server's value for a value of the twin; undefined if it is not known. */
  serverFor(kind: string, twin: unknown): unknown {
    const names = this.#names.get(kind)?.get(twin);
    return names && nameOf(names);
  }

  /** The twin's value for a value of the server. */
  twinFor(kind: string, server: unknown): unknown {
    for (const [twin, names] of this.#names.get(kind) ?? [])
      if (nameOf(names) === server) return twin;
    return undefined;
  }

  /** Replaces the twin's tokens and numbers in a text with the server's. */
  translate(text: string): string {
    let translated = text;
    for (const kinds of this.#names.values()) {
      for (const [twin, names] of kinds) {
        if (typeof twin !== 'string' || twin.length < MIN_LENGTH) continue;
        const server = String(nameOf(names));
        translated = translated
          .replaceAll(twin, server)
          .replaceAll(twin.toLowerCase(), server.toLowerCase());
      }
    }
    return translated;
  }

  /** Reports each response that names a record differently than most operations do, or like another record. */
  tellConflicts(): void {
    for (const [kind, kinds] of this.#names) {
      const owners = new Map<unknown, unknown>();
      for (const [twin, names] of kinds) {
        const name = nameOf(names);
        for (const [server, sightings] of names) {
          if (server !== name) tell(sightings, showValue(name), server);
        }
        const first = owners.get(name);
        if (first === undefined) owners.set(name, twin);
        else tell(names.get(name) ?? [], `a new ${kind}, not that of an earlier record`, name);
      }
    }
  }
}

/** Shorter texts may occur anywhere by coincidence. */
const MIN_LENGTH = 6;

/** The value that most operations return; on a tie, the first. */
function nameOf(names: Names): unknown {
  let name: unknown;
  let most = 0;
  for (const [server, sightings] of names) {
    const count = new Set(sightings.map(({ operation }) => operation)).size;
    if (count > most) [name, most] = [server, count];
  }
  return name;
}

/** A record has another id, token or number than before, or that of another record. */
export const CONFLICT = causeOf('conflict');

function tell(sightings: readonly Sighting[], expected: string, server: unknown): void {
  for (const { path, assumptions, add } of sightings) {
    add({ path, expected, seen: server, assumptions, cause: CONFLICT });
  }
}
