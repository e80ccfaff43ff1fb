import type { z } from '@hono/zod-openapi';

// biome-ignore lint/suspicious/noExplicitAny: any part of any body is changed here
export type Json = any;

/** A place in the bodies of an operation: keys, and `*` for every element of a list. */
export interface Place {
  readonly keys: readonly string[];
  readonly kind: 'object' | 'leaf';
}

/** Every place in a declared schema, including lists, nullable and optional parts. */
export function placesOf(schema: z.core.$ZodType, keys: readonly string[] = []): Place[] {
  const def = schema._zod.def as {
    innerType?: z.core.$ZodType;
    shape?: Record<string, z.core.$ZodType>;
    element?: z.core.$ZodType;
  };
  if (def.innerType) return placesOf(def.innerType, keys);
  if (def.element) return placesOf(def.element, [...keys, '*']);
  if (!def.shape) return [{ keys, kind: 'leaf' }];
  const inner = Object.entries(def.shape).flatMap(([key, each]) => placesOf(each, [...keys, key]));
  return [{ keys, kind: 'object' }, ...inner];
}

/** Changes a place. The callback gets its parent and key. */
export function changeAt(
  body: Json,
  keys: readonly string[],
  change: (parent: Json, key: string) => void,
): void {
  const [key, ...rest] = keys as [string, ...string[]];
  if (typeof body !== 'object' || body === null) return;
  if (key === '*') {
    for (const index of Object.keys(body)) {
      if (rest.length === 0) change(body, index);
      else changeAt(body[index], rest, change);
    }
  } else if (rest.length > 0) changeAt(body[key], rest, change);
  else if (Object.hasOwn(body, key)) change(body, key);
}

/** The place as a path of the check, without positions. */
export const pathOf = (keys: readonly string[]): string =>
  `$${keys.map((key) => (key === '*' ? '[]' : `.${key}`)).join('')}`;

/** A value of another type. */
export function retyped(value: Json): Json {
  if (typeof value === 'string') return value.length;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return Number(value);
  return value === null ? 7 : 'text';
}

/** Another value of the same type: a day later, one kobo more, another word. */
export function altered(value: Json): Json {
  if (typeof value === 'number') return Number.isInteger(value) ? value + 1 : value + 0.01;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return value;
  const date = /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0];
  if (date)
    return value.replace(date, new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10));
  if (/^\d+\.\d{2}$/.test(value)) return (Number(value) + 0.01).toFixed(2);
  return /^\d$/.test(value.slice(-1))
    ? `${value.slice(0, -1)}${(Number(value.slice(-1)) + 1) % 10}`
    : `${value}x`;
}
