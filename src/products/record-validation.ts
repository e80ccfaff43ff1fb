/* Checks what schemas cannot see in records: products, duplicates, order, the highest numbers. Names each place. */

import { truncate } from '../world/problem-texts.ts';
import type { RecordRule } from '../world/rules.ts';
import { findHighNumber } from '../world/world.ts';
import type { Catalogue } from './catalogue.ts';
import type { FieldPath, ProductFamily } from './family.ts';

/** A problem in records, with its place. */
export interface RecordProblem {
  readonly rule: RecordRule;
  /** Keys and positions, outermost first. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The value of a record at a path. */
export const valueAt = (record: unknown, path: FieldPath): unknown =>
  path.reduce((inside, field) => Reflect.get(inside as object, field), record);

/** The problems of a family's records that fit their schema. */
export function validateRecords(
  { key, policyList, policyKeys, policyPaths, priceLists }: ProductFamily,
  records: object,
  { products }: Catalogue,
): RecordProblem[] {
  const recordsOf = (list: string): readonly object[] => Reflect.get(records, list) ?? [];
  const findWrongProducts = (list: string, path: FieldPath): RecordProblem[] =>
    recordsOf(list).flatMap((record, position) => {
      const id = valueAt(record, path) as number;
      if (products.get(id)?.family === key) return [];
      const message = `product ${id} is not a ${key.replaceAll('_', '-')} product in products.json`;
      return [{ rule: 'product', path: [list, position, ...path], message }];
    });
  const policies = recordsOf(policyList);
  return [
    ...Object.entries(priceLists).flatMap(([list, nameOf]) => [
      ...findWrongProducts(list, ['product_id']),
      ...findDuplicates(recordsOf(list), nameOf, list, [], (name) => `a second ${name}`),
    ]),
    ...findWrongProducts(policyList, policyPaths.product),
    ...findDuplicates(policies, policyKeys.keyOf, policyList, policyPaths.number),
    ...findDisorder(policies, policyList, policyPaths.createdAt),
    ...findHighNumbers(policies, policyList),
  ];
}

/** Returns a problem for every record with a number that a World cannot count on from. */
export const findHighNumbers = (records: readonly object[], list: string): RecordProblem[] =>
  records.flatMap((record, position) => {
    const high = findHighNumber(record);
    if (!high) return [];
    return [{ rule: 'range', path: [list, position, ...high.path], message: high.message }];
  });

/** Returns a problem for every part whose key an earlier part has. */
export function findDuplicates<Part>(
  parts: readonly Part[],
  keyOf: (part: Part) => unknown,
  list: string,
  path: FieldPath,
  say = (key: unknown, first: string) => `${truncate(key)} is already used by ${first}`,
): RecordProblem[] {
  const seen = new Map<unknown, number>();
  return parts.flatMap((part, position) => {
    const key = keyOf(part);
    const first = seen.get(key);
    seen.set(key, first ?? position);
    if (first === undefined) return [];
    const message = say(key, `${list}.${first}`);
    return [{ rule: 'duplicate', path: [list, position, ...path], message }];
  });
}

/** Returns a problem for every record that is older than the one before: lists and selections rely on their order. */
function findDisorder(records: readonly object[], list: string, path: FieldPath): RecordProblem[] {
  const times = records.map((record) => valueAt(record, path) as string);
  return times.flatMap((time, position) => {
    const before = times[position - 1];
    if (before === undefined || time >= before) return [];
    const message = 'earlier than that of the previous record; records must be oldest first';
    return [{ rule: 'order', path: [list, position, ...path], message }];
  });
}
