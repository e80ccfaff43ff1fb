/*
 * `Sandbox-Hint`: one sentence about a probable mistake, where the contract's own response says less. As a header it has
 * to be plain ASCII.
 */

import { distance } from 'fastest-levenshtein';
import { isNear, nearest } from '../world/problem-texts.ts';
import type { ReceivedCall } from './context.ts';
import type { RequestFields } from './known-fields.ts';
import type { Operation } from './operation.ts';

/** What to send instead of an `Authorization` header in which there is no key. */
export function keyHint(authorization = ''): string {
  if (/^bearer +\S/i.test(authorization)) {
    return 'An API key has no blanks. Send "Authorization: Bearer <key>".';
  }
  const isBareKey = /^\S+$/.test(authorization) && !/^bearer/i.test(authorization);
  const mistake = isBareKey ? 'The key was sent without "Bearer"; send' : 'Send the API key as';
  return `${mistake} "Authorization: Bearer <key>".`;
}

/** What to do about a body that is encoded, or says that it is. Undefined if it does not. */
export const encodingHint = (encoding = ''): string | undefined =>
  /^(?:identity)?$/i.test(encoding)
    ? undefined
    : `The body has the Content-Encoding ${encoding}; send it as it is.`;

/** The operation that an unknown path or method probably means. Undefined if none is near. */
export function routeHint(
  { req }: ReceivedCall,
  operations: readonly Operation[],
): string | undefined {
  const sent = req.path.split('/').filter(Boolean);
  const [best] = operations
    .map((operation) => ({ operation, ...pathDistance(sent, segmentsOf(operation)) }))
    .filter(({ isNear }) => isNear)
    .toSorted((a, b) => a.distance - b.distance);
  return best && operationHint(best.operation);
}

/** Suggests the method and the path of an operation. */
export const operationHint = ({ method, path }: Operation): string =>
  `Did you mean ${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}?`;

/** The base of all paths, which callers often leave out or write in another way. */
const BASE_SEGMENTS = 2;

const segmentsOf = ({ path }: Operation): string[] =>
  path.split('/').filter(Boolean).slice(BASE_SEGMENTS);

/** Compares the end of a path, because clients differ in how they join it to a base URL. */
function pathDistance(sent: readonly string[], segments: readonly string[]) {
  const end = sent.slice(-segments.length);
  // A parameter may have any value.
  const wanted = segments.map((segment, place) =>
    segment.startsWith(':') ? (end[place] ?? '') : segment,
  );
  const [written, known] = [end.join('/').toLowerCase(), wanted.join('/')];
  // A path may have thousands of characters, and comparing them takes long.
  if (written.length > 2 * known.length) return { distance: written.length, isNear: false };
  return { distance: distance(written, known), isNear: isNear(written, known) };
}

/** Says that the last value counts of a parameter that a query has more than once. */
export const repeatedHint = (name: string): string =>
  `${shown(name)} was sent more than once; the last value counts.`;

interface IgnoredField {
  readonly name: string;
  /** The fields that the operation knows in its place. */
  readonly known: RequestFields;
}

/** What a hint can say of the fields of a body. */
interface NotedFields {
  /** Those that the operation ignores (`unknown-fields`). */
  readonly ignored: IgnoredField[];
  /** A sentence for each that is accepted beyond the specification's words. */
  readonly accepted: string[];
}

/** Notes the fields of a body that a hint can say something about. */
export function noteFields(
  sent: unknown,
  fields: RequestFields,
  above = '',
  noted: NotedFields = { ignored: [], accepted: [] },
): NotedFields {
  if (typeof sent !== 'object' || sent === null) return noted;
  if (Array.isArray(sent)) {
    for (const element of sent) noteFields(element, fields, above, noted);
    return noted;
  }
  for (const name in sent) {
    const field = fields.get(name);
    if (!field) {
      noted.ignored.push({ name, known: fields });
      continue;
    }
    const { inner, accepted } = field;
    const value: unknown = inner || accepted ? Reflect.get(sent, name) : undefined;
    const how = value === null || value === '' ? undefined : accepted?.(value);
    if (how !== undefined) noted.accepted.push(`${above}${name} ${how}.`);
    if (inner) noteFields(value, inner, `${above}${name}.`, noted);
  }
  return noted;
}

/** How many ignored fields a hint names. */
const MAX_NAMED = 5;

/** `a was ignored; did you mean b?`, or `a (did you mean b?), c and 3 more were ignored.` */
export function ignoredHint(ignored: readonly IgnoredField[]): string {
  const distinct = new Map(ignored.map(({ name, known }) => [name, known]));
  // A body may have many thousands of unknown fields, so only the named ones are compared with the known ones.
  const meant = [...distinct]
    .slice(0, MAX_NAMED)
    .map(([name, known]) => [shown(name), nearest(name, namesToUse(known))] as const);
  const [[name, better] = ['', undefined]] = meant;
  if (distinct.size === 1) {
    return `${name} was ignored${better === undefined ? '.' : `; did you mean ${better}?`}`;
  }
  const named = meant.map(([each, near]) =>
    near === undefined ? each : `${each} (did you mean ${near}?)`,
  );
  const left = distinct.size - named.length;
  const last = left > 0 ? `${left} more` : named.pop();
  return `${named.join(', ')} and ${last} were ignored.`;
}

const namesToUse = (known: RequestFields): string[] =>
  [...known].flatMap(([name, { isRead }]) => (isRead ? name : []));

const MAX_NAME_LENGTH = 60;

/** A field's name, shortened if it is long. It is in quotes if it is empty, or could pass for words of the hint. */
function shown(name: string): string {
  const short = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}...` : name;
  return / |^$/.test(name) ? JSON.stringify(short) : short;
}

/** The longest text of a header. Clients refuse responses whose headers are too long. */
const MAX_HEADER_LENGTH = 500;

/**
 * Makes a text the value of a header: at most 500 characters of printable ASCII, with escapes as in JSON. A platform
 * refuses other characters only when the response is made, after the call was done.
 */
export function headerText(text: string): string {
  const ascii = text
    .slice(0, MAX_HEADER_LENGTH + 1)
    .replace(
      /[^\x20-\x7e]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  if (ascii.length <= MAX_HEADER_LENGTH) return ascii;
  const withoutHalfEscape = ascii
    .slice(0, MAX_HEADER_LENGTH - 3)
    .replace(/\\(?:u[0-9a-f]{0,3})?$/, '');
  return `${withoutHalfEscape}...`;
}
