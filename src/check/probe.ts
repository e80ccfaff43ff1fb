import type { AssumptionId } from '../core/assumptions.ts';
import type { ErrorCode } from '../core/errors.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a stranger's server answers has no type
export type Json = any;

/** What earlier answers left for later probes, by the name their probe gave it. */
export type Memory = Record<string, Json>;

/** One request, as far as it is not what its operation says. */
export interface Call {
  /** The body of a POST, the query or path fields of a GET. */
  readonly input?: unknown;
  /** Sent as it is instead of a body. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly method?: string;
  /** `null` sends none. */
  readonly contentType?: string | null;
  /** `null` sends no Authorization header. */
  readonly authorization?: string | null;
  /** A path that no operation has. */
  readonly path?: string;
  /** An address that an earlier answer gave. */
  readonly url?: string | undefined;
}

/** Something an answer has to say at a place. */
export interface Claim {
  /** Where in the body's `data`, keys and positions joined by dots; '' is the whole of it. */
  readonly path: string;
  readonly expected: string;
  /** The decisions that stand or fall with it; none where the contract itself says so. */
  readonly decisions: readonly AssumptionId[];
  holds(seen: Json): boolean;
}

/** What the server does about a decision that a profile can set. */
export interface Observation {
  readonly decision: AssumptionId;
  readonly key: string;
  readonly value: unknown;
}

/** Who sends a probe: the merchant of the key, or a second one that the control plane made. */
type Sender = 'own' | 'second' | 'minted';

/** One small question to the server, and what the contract and the decisions say it answers. */
export interface Probe {
  /** What the server does if all is well: `refuses a second verify of a token`. */
  readonly name: string;
  readonly operation: string;
  /** The request, or why it can't be made. */
  call(memory: Memory): Call | string;
  /** `second` has a clock that can be moved; `minted` also starts at a moment the check chose. */
  readonly as?: Sender;
  /** Milliseconds the second merchant's clock moves on first. */
  readonly advance?: number;
  /** Leaves `between` in memory: the moments of the server's clock before and after. */
  readonly timed?: boolean;
  /** Gives the second merchant a new key first. */
  readonly rotate?: boolean;
  /** Sent twice at once: one is accepted, the other meets this refusal. */
  readonly twice?: ErrorCode;
  /** Why it is refused; absent where it is accepted. */
  readonly refused?: ErrorCode;
  /** The fields that a refusal names, in order, one problem each. */
  readonly fields?: readonly string[];
  /** The decisions that say it is accepted, or refused. */
  readonly decisions?: readonly AssumptionId[];
  /** What an accepted answer says besides having its declared form. */
  claims?(data: Json, memory: Memory): readonly Claim[];
  /** What an accepted answer shows of a decision that a profile can set. */
  observe?(data: Json, memory: Memory): readonly Observation[];
  /** Remembers the answer's data under this name. */
  readonly keep?: string;
}

export const is = (path: string, value: unknown, ...decisions: readonly AssumptionId[]): Claim => ({
  path,
  expected: JSON.stringify(value) ?? 'nothing',
  decisions,
  holds: (seen) => same(seen, value),
});

export const like = (
  path: string,
  pattern: RegExp,
  expected: string,
  ...decisions: readonly AssumptionId[]
): Claim => ({
  path,
  expected,
  decisions,
  holds: (seen) => typeof seen === 'string' && pattern.test(seen),
});

export const meets = (
  path: string,
  expected: string,
  holds: (seen: Json) => boolean,
  ...decisions: readonly AssumptionId[]
): Claim => ({ path, expected, decisions, holds });

/** Everything inside a value is said again, each place a claim of its own. */
export function repeats(
  path: string,
  value: unknown,
  ...decisions: readonly AssumptionId[]
): Claim[] {
  if (typeof value !== 'object' || value === null) return [is(path, value, ...decisions)];
  const inner = Object.entries(value).flatMap(([key, held]) =>
    repeats(under(path, key), held, ...decisions),
  );
  if (!Array.isArray(value)) return inner;
  return [is(under(path, 'length'), value.length, ...decisions), ...inner];
}

const under = (path: string, key: string | number): string =>
  path === '' ? String(key) : `${path}.${key}`;

/** Deep equality of JSON values; the order of keys does not count. */
export function same(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
  );
}

/** What a body says at a place: keys and positions joined by dots. */
export function at(value: Json, path: string): Json {
  if (path === '') return value;
  let found = value;
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/** `data.data.0.id` as the JSON path `$.data.data[0].id`. */
export function jsonPath(keys: readonly PropertyKey[]): string {
  let path = '$';
  for (const key of keys) {
    const name = String(key);
    if (/^\d+$/.test(name)) path += `[${name}]`;
    else path += /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  }
  return path;
}
