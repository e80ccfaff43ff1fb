/* Reads an empty array as the empty object that a schema expects: PHP writes both as `[]`. */

import type { z } from '@hono/zod-openapi';

type Issue = z.core.$ZodIssue;

/** Parses an input with `{}` at each place where its schema expects an object and it has `[]`. */
export function parseWithEmptyObjects<S extends z.ZodType>(
  schema: S,
  input: unknown,
): z.ZodSafeParseResult<z.output<S>> {
  let read = input;
  for (;;) {
    const parsed = schema.safeParse(read);
    const places = parsed.error?.issues.flatMap((issue) => placesIn(issue, [])) ?? [];
    const before = read;
    for (const place of places) read = replaceEmptyArray(read, place);
    // Objects inside objects show only once those around them are read.
    if (read === before) return parsed;
  }
}

/** The places where an object is missing, in all branches of a union. */
function placesIn(issue: Issue, parent: readonly PropertyKey[]): PropertyKey[][] {
  const place = [...parent, ...issue.path];
  if (issue.code === 'invalid_union') {
    return issue.errors.flat().flatMap((inner) => placesIn(inner, place));
  }
  const isObject = issue.code === 'invalid_type' && ['object', 'record'].includes(issue.expected);
  return isObject ? [place] : [];
}

/** Copies only what leads to the place, because the input may be shared. */
function replaceEmptyArray(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (key === undefined) return Array.isArray(value) && value.length === 0 ? {} : value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value;
  const old: unknown = Reflect.get(value, key);
  const replaced = replaceEmptyArray(old, rest);
  if (replaced === old) return value;
  return Array.isArray(value) ? value.with(Number(key), replaced) : { ...value, [key]: replaced };
}
