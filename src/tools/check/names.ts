/* Finds fields that a server has under other names, and gives them the contract's. */

import { z } from '@hono/zod-openapi';
import type { Operation } from '../../api/operation.ts';
import type { ReceivedResponse } from '../../kit/receive.ts';
import { isObject, pathInside, sameJson, withoutPositions } from '../../scenarios/json.ts';
import { isAccepted } from '../../scenarios/received.ts';
import { ofShape } from './compare-values.ts';
import { causeOf, type Finding, finding, missingField, nameCause, typeOf } from './differences.ts';
import { formOf, isMoment } from './forms.ts';
import { assumptionsIn, insideOf, metaOf, type Schema } from './schemas.ts';

/** A response with the contract's names of fields. Its text has the server's. */
export interface NamedResponse extends ReceivedResponse {
  /** The fields that the server has under other names, each once. */
  readonly renamed: readonly Finding[];
}

/** A response with the contract's names for fields that the server has under others. */
export function withContractNames(operation: Operation, response: ReceivedResponse): NamedResponse {
  const renamed = new Map<string, Finding>();
  const isSuccess = saysSuccess(response);
  const known = new Map<string, ReadonlyMap<string, string>>();
  /** The names in an object. Those of a list mostly have the same fields. */
  const namesIn = (shape: Shape, value: Fields, path: string): ReadonlyMap<string, string> => {
    const types = Object.entries(value).map(([name, each]) => [name, typeOf(each)]);
    const form = JSON.stringify([withoutPositions(path), types]);
    const found = known.get(form);
    if (found) return found;
    // The form of a refusal is judged as a whole, so only the spelling of its fields is another name.
    const names = new Map(otherNames(shape, value, isSuccess));
    if (!isSuccess && path === '$') nameMessage(operation, names, value);
    known.set(form, names);
    for (const [field, other] of names) {
      const name = nameFinding(shape[field], path, field, other, value[other]);
      const key = JSON.stringify([withoutPositions(name.path), other]);
      if (!renamed.has(key)) renamed.set(key, name);
    }
    return names;
  };
  const translate = (inside: Schema | undefined, value: unknown, path: string): unknown => {
    const { shape: own, element } = insideOf(inside);
    if (element && Array.isArray(value)) {
      return value.map((each, place) => translate(element, each, pathInside(path, place)));
    }
    if (!own || !isObject(value)) return value;
    const shape = isSuccess ? own : { ...MESSAGE_KEYS, ...own };
    const others = namesIn(shape, value, path);
    const names = new Map([...others].map(([field, other]) => [other, field]));
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        const field = names.get(name) ?? name;
        const part = Object.hasOwn(shape, field) ? shape[field] : undefined;
        return [field, translate(part, each, pathInside(path, field))];
      }),
    );
  };
  const schema = isSuccess ? operation.success : operation.failure('invalid');
  const { shape } = operation.success;
  const isBare = isSuccess && isContainer(shape.data as Schema, response.body);
  if (isBare) renamed.set('', bareFinding(Object.keys(shape), response.body));
  const body = isBare ? { data: response.body } : response.body;
  return { ...response, body: translate(schema, body, '$'), renamed: [...renamed.values()] };
}

/** Adds the name of the message of a refusal in an envelope, if it is the one that other operations have. */
function nameMessage({ envelope }: Operation, names: Map<string, string>, value: Fields): void {
  const { messageKey: key } = envelope;
  const other = key === 'message' ? 'response_message' : 'message';
  const name = names.get(other) ?? other;
  const isThere = Object.hasOwn(value, names.get(key) ?? key);
  if (isThere || !Object.hasOwn(value, name) || !isObject(value[names.get('data') ?? 'data']))
    return;
  names.delete(other);
  names.set(key, name);
}

/** Whether a response is a success, however it spells that. */
function saysSuccess(response: ReceivedResponse): boolean {
  const fields = isObject(response.body) ? Object.entries(response.body) : [];
  const success = fields.find(([name]) => spellingOf(name) === 'success')?.[1];
  return isAccepted({ ...response, body: { success } });
}

/** The contract has two names for the message of a refusal. */
const MESSAGE_KEYS: Shape = {
  message: z.string(),
  response_message: z.string(),
};

/** A finding of data without an envelope. */
function bareFinding(fields: readonly string[], body: unknown): Finding {
  const covers = fields.map((field) => missingField(pathInside('$', field), false).key);
  const cause = { ...causeOf('no envelope'), covers };
  return { ...finding('$', `{ ${fields.join(', ')} }`, body), cause };
}

/** A finding of a field under another name. */
export function nameFinding(
  schema: Schema | undefined,
  above: string,
  field: string,
  other: string,
  value: unknown,
): Finding {
  const path = pathInside(above, field);
  const isSpelling = spellingOf(field) === spellingOf(other);
  const about = isSpelling ? [] : ofShape(assumptionsIn(schema, []));
  const expected = `the contract's name ${field}`;
  return {
    ...finding(path, expected, { [other]: value }, about),
    cause: nameCause(path, pathInside(above, other), isSpelling),
  };
}

/** A name without capitals and what joins its words. */
export const spellingOf = (name: string): string => name.replace(/[_-]/g, '').toLowerCase();

/** The spelling of a field that a refusal names: `$.Members[0].FullName` is `members.0.fullname`. */
export const refusedSpelling = (name: string): string =>
  spellingOf(name.replace(/^\$\.|^\//, '').replace(/\[(\w+)\]|\//g, '.$1'));

type Fields = Readonly<Record<string, unknown>>;
type Shape = Readonly<Record<string, Schema>>;

/** The server's names of fields, by the contract's, as far as names and forms tell. */
function otherNames(
  shape: Shape,
  value: Fields,
  beyondSpelling: boolean,
): ReadonlyMap<string, string> {
  const others = new Map<string, string>();
  const missing = () =>
    Object.keys(shape).filter((field) => !Object.hasOwn(value, field) && !others.has(field));
  const unknown = () => {
    const known = new Set(others.values());
    return Object.keys(value).filter((name) => !Object.hasOwn(shape, name) && !known.has(name));
  };
  const pair = (isPair: (field: string, other: string) => boolean): void => {
    for (const [field, other] of onlyPairs(missing(), unknown(), isPair)) others.set(field, other);
  };
  pair((field, other) => spellingOf(field) === spellingOf(other));
  if (!beyondSpelling) return others;
  const fits = (field: string, other: string) => isOfType(shape[field] as Schema, value[other]);
  pair((field, other) => isTypo(field, other) && fits(field, other));
  const issuedIn = (field: string) => metaOf(shape[field] as Schema)['x-issued'];
  pair((field, other) => PAGE_NAMES[field]?.includes(spellingOf(other)) === true);
  const leastOf = (field: string) => {
    if (issuedIn(field)) return 0;
    // A field that is null may be left out.
    return z.safeParse(shape[field] as Schema, null).success ? 0.5 : 0.4;
  };
  pair((field, other) => isPart(field, other, leastOf(field)) && fits(field, other));
  pair((field, other) => field === 'id' && isId(other) && fits(field, other));
  pair((field, other) => isContainer(shape[field] as Schema, value[other]));
  pair((field, other) => issuedIn(field)?.form?.test(String(value[other])) === true);
  pair((field, other) => issuedIn(field)?.form !== undefined && isNumber(value[other]));
  return others;
}

/** What the fields of a page are called elsewhere, as they are spelt. */
const PAGE_NAMES: Readonly<Record<string, readonly string[]>> = {
  current_page: ['page', 'pagenumber', 'pageno', 'current'],
  last_page: ['pages', 'totalpages', 'pagecount'],
  per_page: ['pagesize', 'size', 'limit'],
  total: ['count', 'totalcount', 'totalitems', 'totalelements', 'totalrecords'],
};

const isId = (name: string): boolean => /^u*id$/.test(wordsOf(name).at(-1) ?? '');

/** Whether a text may be a token or a number that a server issued. */
const isNumber = (value: unknown): boolean =>
  typeof value === 'string' && /^(?=.*\d)[\w./-]{6,}$/.test(value) && !isMoment(formOf(value));

/** Each pair of which neither is in another pair. */
export function onlyPairs(
  fields: readonly string[],
  others: readonly string[],
  isPair: (field: string, other: string) => boolean,
): readonly (readonly [field: string, other: string])[] {
  const pairs = fields.flatMap((field) =>
    others.filter((other) => isPair(field, other)).map((other) => [field, other] as const),
  );
  return pairs.filter(
    ([field, other]) => pairs.filter((each) => each[0] === field || each[1] === other).length === 1,
  );
}

/** Whether a value has the type of a field, whatever it says. */
function isOfType(schema: Schema, value: unknown): boolean {
  const { issues = [] } = z.safeParse(schema, value).error ?? {};
  return !issues.some(({ code, path }) => path.length === 0 && /type|union|value/.test(code));
}

/** Whether two names differ in one letter. */
function isTypo(field: string, other: string): boolean {
  const [short, long] = [spellingOf(field), spellingOf(other)].toSorted(
    (a, b) => a.length - b.length,
  ) as [string, string];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const rest = long.slice(at + 1);
  const isLonger = short.length >= 4 && short.slice(at) === rest;
  return isLonger || (short.length >= 5 && short.slice(at + 1) === rest);
}

/** Whether the words of one name are among the other's, and are more than this part of it. */
function isPart(field: string, other: string, least: number): boolean {
  const [few, many] = [field, other].toSorted((a, b) => a.length - b.length) as [string, string];
  const words = wordsOf(many);
  const isAmong = wordsOf(few).every((word) => words.includes(word));
  return isAmong && few.length >= 4 && few.length > many.length * least;
}

/** The words of a name; `no` and `number` are one. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]+/)
    .map((word) => (/^(no|nr|num)$/.test(word) ? 'number' : word));

/** Whether a value may be the list or object of a field: it is empty, or most of its fields are known. */
function isContainer(schema: Schema, value: unknown): boolean {
  const { shape, element } = insideOf(schema);
  if (element) {
    return Array.isArray(value) && (value.length === 0 || isContainer(element, value[0]));
  }
  if (!shape || !isObject(value)) return false;
  const known = new Set(Object.keys(shape).map(spellingOf));
  const names = Object.keys(value);
  return names.filter((name) => known.has(spellingOf(name))).length * 2 > names.length;
}

/** Fields that a server has under other names, by the contract's: their values are the expected ones, and no others. */
export function namesByValue(expected: Fields, value: Fields): ReadonlyMap<string, string> {
  const missing = Object.keys(expected).filter((field) => value[field] === undefined);
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(expected, name));
  const isSame = (field: string, other: string) =>
    isTelling(expected[field]) && sameJson(expected[field], value[other]);
  return new Map(onlyPairs(missing, unknown, isSame));
}

/** Whether two fields with this value are hardly two by coincidence. */
const isTelling = (value: unknown): boolean =>
  typeof value === 'string' ? value.length >= 3 : typeof value === 'number' && value >= 10;
