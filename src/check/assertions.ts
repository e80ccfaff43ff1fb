import type { AssumptionId } from '../core/assumptions.ts';
import {
  addMonths,
  dateTime,
  type Instant,
  instantOf,
  midnight,
  SECOND_MS,
  timestamp,
} from '../core/time.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a stranger's server answers has no type
export type Json = any;

/** Something a response has to say at a place. */
export interface Assertion {
  /** Where in the body's `data`, keys and positions joined by dots; '' is the whole of it. */
  readonly path: string;
  readonly expected: string;
  /** The assumptions that stand or fall with it; none where the contract itself says so. */
  readonly assumptions: readonly AssumptionId[];
  /** The one value that is right; undefined where that is not known, or where several are. */
  readonly value?: Json;
  /** The value is what another answer said, which may be the wrong one. */
  readonly disputed?: true;
  holds(seen: Json): boolean;
}

export const satisfies = (
  path: string,
  expected: string,
  holds: (seen: Json) => boolean,
  ...assumptions: readonly AssumptionId[]
): Assertion => ({ path, expected, assumptions, holds });

export const equals = (
  path: string,
  value: unknown,
  ...assumptions: readonly AssumptionId[]
): Assertion => ({
  path,
  expected: JSON.stringify(value) ?? 'nothing',
  assumptions,
  value,
  holds: (seen) => sameJson(seen, value),
});

/** Says what another answer said: if not, either may be wrong. */
export const agrees = (...args: Parameters<typeof equals>): Assertion => ({
  ...equals(...args),
  disputed: true,
});

export const matches = (
  path: string,
  pattern: RegExp,
  expected: string,
  ...assumptions: readonly AssumptionId[]
): Assertion =>
  satisfies(
    path,
    expected,
    (seen) => typeof seen === 'string' && pattern.test(seen),
    ...assumptions,
  );

/** Everything inside a value is said again, each place an assertion of its own. */
export function repeats(
  path: string,
  value: unknown,
  ...assumptions: readonly AssumptionId[]
): Assertion[] {
  if (typeof value !== 'object' || value === null) return [equals(path, value, ...assumptions)];
  const inner = Object.entries(value).flatMap(([key, held]) =>
    repeats(under(path, key), held, ...assumptions),
  );
  if (!Array.isArray(value)) return inner;
  return [equals(under(path, 'length'), value.length, ...assumptions), ...inner];
}

/** Each field of a record is said again, on assumptions of its own. */
export const repeatsFields = (
  path: string,
  record: Readonly<Record<string, unknown>>,
  basis: Readonly<Record<string, readonly AssumptionId[]>>,
): Assertion[] =>
  Object.entries(record).flatMap(([field, held]) =>
    repeats(under(path, field), held, ...(basis[field] ?? [])),
  );

const under = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** A whole second between the moments of the server's clock before and after the request; nothing where those are not known. */
export function writtenNow(
  path: string,
  between: readonly [Instant, Instant] | undefined,
  ...assumptions: readonly AssumptionId[]
): Assertion[] {
  if (!between) return [];
  const [from, to] = between.map(timestamp) as [string, string];
  const holds = (seen: Json) => {
    const at = momentOf(seen);
    return at > between[0] - SECOND_MS && at <= between[1];
  };
  return [satisfies(path, from === to ? from : `${from} to ${to}`, holds, ...assumptions)];
}

/** A timestamp some months later; what is no timestamp, or none of the calendar's by then, stays what it is. */
export function monthsLater(written: Json, months: number): Json {
  const later = addMonths(momentOf(written), months);
  return Number.isNaN(later) ? written : timestamp(later);
}

/** The moment a timestamp names; NaN for what is none. */
const momentOf = (written: Json): Instant =>
  typeof written === 'string' ? instantOf(written) : Number.NaN;

/** A timestamp in the form of `Y-m-d H:i:s`; what is no timestamp stays what it is. */
export function asDateTime(written: Json): Json {
  const at = momentOf(written);
  return Number.isNaN(at) ? written : dateTime(at);
}

/** `Y-m-d` some months later. */
export const dayMonthsLater = (day: string, months: number): string =>
  monthsLater(midnight(day), months).slice(0, 10);

/** Deep equality of JSON values; the order of keys does not count. */
export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/** What a body says at a place: keys and positions joined by dots. */
export function valueAt(value: Json, path: string): Json {
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
