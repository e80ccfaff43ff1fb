/* Says in one line each what is wrong with a document. */

import type { z } from '@hono/zod-openapi';
import { closest, distance } from 'fastest-levenshtein';
import { valueAt } from './json.ts';
import { cut, printable, quoted } from './printable.ts';
import { type FieldRule, ruleOf } from './rules.ts';

type Issue = z.core.$ZodIssue;

/** Returns the problems of a document without repeats, one line each: place, what was expected, what was found. */
export const formatIssues = (
  document: unknown,
  error: z.core.$ZodError,
  whole = 'the document',
): string[] => [
  ...new Set(
    // Names of fields may be made up too.
    describeIssues(document, error).map(({ path, message }) =>
      printable(`${path.join('.') || whole}: ${message}`),
    ),
  ),
];

/** A problem of a document. */
export interface DocumentProblem {
  readonly rule: FieldRule;
  readonly path: readonly PropertyKey[];
  /** What was expected and what was found. */
  readonly message: string;
}

/**
 * Returns the problems of a document: the place, the rule, what was expected and what was found.
 *
 * @param schema to say where null is allowed too; issues do not say it
 */
export const describeIssues = (
  document: unknown,
  error: z.core.$ZodError,
  schema?: z.core.$ZodType,
): DocumentProblem[] =>
  error.issues.flatMap((issue) => problemsOf({ document, schema }, issue, []));

interface Checked {
  readonly document: unknown;
  readonly schema: z.core.$ZodType | undefined;
}

function problemsOf(
  checked: Checked,
  issue: Issue,
  above: readonly PropertyKey[],
): DocumentProblem[] {
  const { document, schema } = checked;
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const unknown = `unknown ${issue.keys.map(quoted).join(', ')}`;
    // The library's own message only repeats the names.
    const known = issue.message.startsWith('Unrecognized') ? '' : `; ${issue.message}`;
    return [{ rule: 'unknown_field', path, message: unknown + known }];
  }
  if (issue.code === 'invalid_key') {
    const demands = issue.issues.map((inner) => describeExpected(inner as Issue));
    const message = `expected ${demands.join(', ')}, got ${truncate(path.at(-1))}`;
    return [{ rule: 'unknown_field', path: path.slice(0, -1), message }];
  }
  const value = valueAt(document, path);
  if (issue.code === 'invalid_union') {
    const best = bestBranch(issue.errors);
    if (best) return best.flatMap((inner) => problemsOf(checked, inner as Issue, path));
  }
  const orNull = schema && acceptsNull(schema, path) ? ' or null' : '';
  const expected = describeExpected(issue) + orNull;
  const message = `expected ${expected}, got ${truncate(value)}${hint(issue, value)}`;
  return [{ rule: ruleOf(issue, value), path, message }];
}

/** Whether the value at a path may be null. */
function acceptsNull(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  const { type, innerType, shape, element } = schema._zod.def as {
    readonly type: string;
    readonly innerType?: z.core.$ZodType;
    readonly shape?: z.core.$ZodShape;
    readonly element?: z.core.$ZodType;
  };
  if (path.length === 0 && type === 'nullable') return true;
  if (innerType) return acceptsNull(innerType, path);
  const [key, ...rest] = path;
  const inside = key === undefined ? undefined : (shape?.[String(key)] ?? element);
  return inside !== undefined && acceptsNull(inside, rest);
}

/** The alternative of a union that the user probably meant: the one whose problems are deepest. */
function bestBranch(branches: readonly (readonly z.core.$ZodIssue[])[]) {
  const depth = (issues: readonly z.core.$ZodIssue[]) => Math.min(...issues.map(depthOf));
  const [best] = branches.toSorted((a, b) => depth(b) - depth(a));
  return best && depth(best) > 0 ? best : undefined;
}

/** A value of the right type and the wrong size is nearer than a value of another type or another word. */
const depthOf = ({ code, path }: z.core.$ZodIssue): number =>
  path.length + (code === 'invalid_type' || code === 'invalid_value' ? 0 : 0.5);

/** Describes the expected value of an issue. */
function describeExpected(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      // The library's own message repeats the type; that of a schema says more.
      return issue.message.startsWith('Invalid input')
        ? (TYPES[issue.expected] ?? issue.expected)
        : issue.message;
    case 'invalid_value':
      // That of a schema of many values says what they are.
      return issue.message.startsWith('Invalid') ? oneOf(issue.values) : issue.message;
    case 'invalid_format':
      if (FORMATS[issue.format] !== undefined) return FORMATS[issue.format] as string;
      // The library's own message shows the expression too; that of a schema says it in words.
      return issue.message.startsWith('Invalid')
        ? `a text of the form ${issue.pattern}`
        : issue.message;
    case 'too_small':
      return bound(
        issue.exact ? 'exactly' : issue.inclusive ? 'at least' : 'more than',
        issue.minimum,
        issue.origin,
      );
    case 'too_big':
      return bound(
        issue.exact ? 'exactly' : issue.inclusive ? 'at most' : 'less than',
        issue.maximum,
        issue.origin,
      );
    case 'invalid_union':
      return oneOfUnion(issue);
    default:
      return issue.message;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
  tuple: 'an array',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'a time like 2026-01-31T10:00:00.000Z',
  email: 'an e-mail address',
  url: 'a URL',
};

const COUNTED: Readonly<Record<string, string>> = {
  array: 'elements',
  tuple: 'elements',
  string: 'characters',
};

function bound(how: string, size: number | bigint, origin: string): string {
  const what = COUNTED[origin];
  if (what === undefined) return `${how} ${size}`;
  return `${how} ${size} ${Number(size) === 1 ? what.slice(0, -1) : what}`;
}

const oneOf = (values: readonly unknown[]): string => values.map(quoted).join(' or ');

function oneOfUnion({ errors, ...issue }: z.core.$ZodIssueInvalidUnion): string {
  const { options } = issue as { options?: readonly unknown[] };
  if (options) return oneOf(options);
  const expected = errors.flatMap((inner) => inner.map((each) => describeExpected(each as Issue)));
  return [...new Set(expected)].join(' or ');
}

/** Suggests the nearest allowed word. */
function hint(issue: Issue, value: unknown): string {
  return typeof value === 'string' ? didYouMean(value, wordsOf(issue)) : '';
}

function wordsOf(issue: Issue): string[] {
  const { values, options, errors } = issue as {
    values?: readonly unknown[];
    options?: readonly unknown[];
    errors?: readonly (readonly Issue[])[];
  };
  const words = values ?? options ?? errors?.flat().flatMap(wordsOf) ?? [];
  return words.filter((word) => typeof word === 'string');
}

/** Formats a value for a message, shortened if it is long. */
export const truncate = (value: unknown): string => cut(quoted(value), 57, 60);

/** Longer texts are not mistyped names. */
const MAX_LENGTH = 60;

/** Returns the word nearest to a mistyped one, in any case; undefined if none is near. */
export function nearest(written: string, words: readonly string[]): string | undefined {
  const lowered = words.map((each) => each.toLowerCase());
  const found = nearestWord(written.slice(0, MAX_LENGTH).toLowerCase(), lowered);
  return found === undefined ? undefined : words[lowered.indexOf(found)];
}

/** The end of a sentence about a mistyped word: `; did you mean "port"?`, or another end if none is near. */
export function didYouMean(written: string, words: readonly string[], otherwise = ''): string {
  const meant = nearest(written, words);
  return meant === undefined ? otherwise : `; did you mean "${meant}"?`;
}

function nearestWord(name: string, words: readonly string[]): string | undefined {
  if (name === '' || words.length === 0) return undefined;
  // The beginning of a long word is far from the whole word, and may be nearer to a short one.
  const whole = name.length < 3 ? undefined : words.find((each) => each.startsWith(name));
  if (whole !== undefined) return whole;
  const swapped = words.find((each) => isSwapped(name, each));
  if (swapped !== undefined) return swapped;
  const word = closest(name, words);
  return isNear(name, word) ? word : undefined;
}

/** Whether a word is written with two neighbouring letters swapped: `ulr` for `url`. */
function isSwapped(name: string, word: string): boolean {
  const at = name.split('').findIndex((letter, place) => letter !== word[place]);
  const [first = '', second = ''] = name.slice(Math.max(at, 0));
  return at >= 0 && name.slice(0, at) + second + first + name.slice(at + 2) === word;
}

/** Up to two of five letters may be wrong: `prot` is near `port`; `-V` is near nothing. */
export const isNear = (name: string, word: string): boolean =>
  distance(name, word) <= Math.round(Math.min(name.length, word.length) * 0.4);

/** Whether a value is an object as a literal makes it, also one of another realm. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A value in a message: its JSON, or its class. */
export const describeValue = (value: unknown): string =>
  typeof value !== 'object' || value === null || Array.isArray(value) || isPlainObject(value)
    ? truncate(value)
    : `an object of class ${value.constructor?.name ?? 'unknown'}`;
