/* JSON of which nothing is known, as servers answer it, and how reports show it. */

import { printable } from '../world/printable.ts';

/** An object of JSON: no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Deep equality of JSON values; the order of keys does not count. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const fields = Object.entries(a);
  return (
    fields.length === Object.keys(b).length &&
    fields.every(([key, value]) => Object.hasOwn(b, key) && sameJson(value, Reflect.get(b, key)))
  );
}

/** The value at a path of keys and positions, joined by dots. */
export function valueAt(value: unknown, path: string): unknown {
  if (path === '') return value;
  let found = value;
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}

/** The list at a path; an empty one for anything else. */
export function listAt(value: unknown, path: string): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

/** Adds a key or position to a JSON path: `$.data[0]["first name"]`. */
export function pathInside(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

/** A JSON path without the positions of list elements: `$.data[].id`. */
export const withoutPositions = (path: string): string => path.replace(/\[\d+\]/g, '[]');

const MAX_CHARACTERS = 160;

/** A value as a report shows it. Mask secrets before: the text may be cut within one. */
export const showValue = (value: unknown): string =>
  value === undefined ? 'nothing' : truncateLine(JSON.stringify(value) ?? String(value));

/** A text on one line, cut if it is long. */
export function truncateLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a server's text must not steer a terminal
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return printable(line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS)}…`);
}
