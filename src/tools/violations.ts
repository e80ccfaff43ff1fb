/* Where a value breaks a schema: the place, what the contract says, and the form of what was seen, never a value. */

import type { z } from '@hono/zod-openapi';
import { counted } from '../world/grouped.ts';
import { valueAt } from '../world/json.ts';

/** A place where a value breaks the contract. */
export interface Violation {
  /** `status`, `method`, `request` with a JSON path, or a JSON path into the response: `$.data[].premium`. */
  readonly path: string;
  /** What the contract says. */
  readonly expected: string;
  /** The form of what was seen: `a text of 12 characters`. */
  readonly seen: string;
}

type Path = readonly PropertyKey[];
type Issue = z.core.$ZodIssue;

/** The differences of a value from a schema, each place once however many elements of a list it is in. */
export function violations(schema: z.ZodType, value: unknown): Violation[] {
  const parsed = schema.safeParse(value);
  if (parsed.success) return [];
  const found = new Map<string, Violation>();
  for (const difference of parsed.error.issues.flatMap((issue) => differencesOf(issue, value))) {
    const place = `${difference.path} ${difference.expected}`;
    if (!found.has(place)) found.set(place, difference);
  }
  return [...found.values()];
}

function differencesOf(issue: Issue, root: unknown): Violation[] {
  const at = valueAt(root, issue.path);
  if (issue.code !== 'unrecognized_keys') {
    return [{ path: jsonPath(issue.path), expected: demandOf(issue), seen: formOf(at) }];
  }
  return issue.keys.map((key) => ({
    path: jsonPath([...issue.path, key]),
    expected: 'no such field',
    seen: formOf(valueAt(at, [key])),
  }));
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** What the contract says at the place of an issue. */
function demandOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? issue.expected;
    case 'invalid_format':
      return issue.pattern === undefined
        ? `a text in the format ${issue.format}`
        : `a text that matches ${issue.pattern}`;
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' or ');
    case 'too_small':
      return `at least ${issue.minimum}${UNITS[issue.origin] ?? ''}`;
    case 'too_big':
      return `at most ${issue.maximum}${UNITS[issue.origin] ?? ''}`;
    case 'invalid_union':
      return [...new Set(issue.errors.flatMap(([first]) => (first ? demandOf(first) : [])))].join(
        ' or ',
      );
    default:
      return issue.message;
  }
}

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' elements' };

/** The form of a value, which tells nothing of its content. */
export function formOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'true or false';
  if (typeof value === 'number') {
    return Number.isInteger(value) ? 'a whole number' : 'a number with decimals';
  }
  if (typeof value === 'string') {
    if (value === '') return 'an empty text';
    return `a text of ${counted([...value].length, /^\d+$/.test(value) ? 'digit' : 'character')}`;
  }
  if (Array.isArray(value)) return `a list of ${counted(value.length, 'element')}`;
  return `an object with ${counted(Object.keys(value).length, 'field')}`;
}

/** What a body is that cannot be read as JSON. */
export function formOfText(text: string): string {
  if (text.trim() === '') return 'an empty body';
  return /^\s*</.test(text) ? 'HTML' : 'a body that cannot be read as JSON';
}

/** `$.data[].premium`: a list's elements share one path. */
export const jsonPath = (path: Path): string =>
  path.reduce<string>(
    (before, key) => before + (typeof key === 'number' ? '[]' : `.${fieldName(String(key))}`),
    '$',
  );

/** The name of a field outside the contract may be a value, such as a phone number. Only words are shown. */
const fieldName = (key: string): string =>
  /^[a-z][a-z_]*([A-Z][a-z]*)*\d?$/.test(key) && key.length <= 40 ? key : '…';
