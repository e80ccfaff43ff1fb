/* Checks what schemas cannot see in fixtures: products, duplicates, order, times. Names each place. */

import { valueAt } from '../world/json.ts';
import { truncate } from '../world/problem-texts.ts';
import type { RecordRule } from '../world/rules.ts';
import { type Instant, timestamp } from '../world/time.ts';
import { type CatalogueProduct, catalogueOf, type PriceList } from './catalogue.ts';
import type { FieldPath, ProductFamily } from './family.ts';
import { FixtureError, type FixtureProblem } from './fixture-error.ts';
import { type Fixtures, fileOf, isGiven, isRelative } from './fixtures.ts';
import { families } from './index.ts';

/** A problem in records, with its place. */
export interface RecordProblem {
  readonly rule: RecordRule;
  /** Keys and positions, outermost first. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The problems of a catalogue that matches its schema: duplicate ids and unknown families. */
export function reviewProducts(products: readonly CatalogueProduct[]): RecordProblem[] {
  const keys: readonly string[] = families.map(({ key }) => key);
  return [
    ...findDuplicates(products, ({ id }) => id, 'products', ['id']),
    ...products.flatMap(({ family }, position): RecordProblem[] => {
      if (keys.includes(family)) return [];
      const message = `expected ${keys.join(' or ')}, got ${truncate(family)}`;
      return [{ rule: 'value', path: ['products', position, 'family'], message }];
    }),
  ];
}

/** The problems of a family's prices and policies that fit their schema. */
export function validateRecords(
  { key, policyKeys, policyPaths, priceLists, tellingFields }: ProductFamily,
  { products, prices }: PriceList,
  policies: readonly object[],
): RecordProblem[] {
  const catalogue = catalogueOf(products).products;
  const findWrongProducts = (
    records: readonly object[],
    list: string,
    path: FieldPath,
  ): RecordProblem[] =>
    records.flatMap((record, position) => {
      const id = valueAt(record, path) as number;
      if (catalogue.get(id)?.family === key) return [];
      const message = `product ${id} is not a ${key.replaceAll('_', '-')} product in products.json`;
      return [{ rule: 'product', path: [list, position, ...path], message }];
    });
  return [
    ...Object.entries(priceLists).flatMap(([list, nameOf]) => {
      const records: readonly object[] = Reflect.get(prices[key] as object, list);
      return [
        ...findWrongProducts(records, list, ['product_id']),
        ...findDuplicates(records, nameOf, list, [], (name) => `a second ${name}`),
      ];
    }),
    ...findWrongProducts(policies, 'policies', policyPaths.product),
    ...findDuplicates(policies, policyKeys.keyOf, 'policies', [tellingFields.policy]),
    ...findDisorder(policies, 'policies', policyPaths.createdAt),
    ...findHighNumbers(policies, ['policies']),
  ];
}

/** The highest number in fixtures and snapshots. A World counts on from it, and what it counts stays a safe integer. */
export const MAX_GIVEN_NUMBER = 1_000_000_000_000_000;

/** Returns a problem for every number that is too high, at any depth. */
export function findHighNumbers(value: unknown, path: RecordProblem['path']): RecordProblem[] {
  if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value);
    return Object.entries(value).flatMap(([key, inner]) =>
      findHighNumbers(inner, [...path, isList ? Number(key) : key]),
    );
  }
  if (typeof value !== 'number' || value <= MAX_GIVEN_NUMBER) return [];
  return [{ rule: 'range', path, message: `expected at most ${MAX_GIVEN_NUMBER}, got ${value}` }];
}

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

/**
 * Throws `FixtureError` if a World would start before a record was created or updated, or before a purchase at a fixed
 * time. Built-in records move with the clock.
 */
export function assertNotInFuture(fixtures: Fixtures, start: Instant): void {
  const late = [...latePurchases(fixtures, start), ...lateRecords(fixtures, timestamp(start))];
  if (late.length > 0) throw new FixtureError(late);
}

const latePurchases = ({ purchases }: Fixtures, start: Instant): FixtureProblem[] =>
  purchases.flatMap(({ file, position, at, renewals }) =>
    [[at, 'at'] as const, ...renewals.map((time, place) => [time, 'renewals', place] as const)]
      .filter(([time]) => !isRelative(time) && Date.parse(time) > start)
      .map(([time, ...place]) => ({
        rule: 'time',
        file,
        path: ['purchases', position, ...place],
        message: tooLate(timestamp(Date.parse(time)), timestamp(start)),
      })),
  );

const lateRecords = (fixtures: Fixtures, latest: string): FixtureProblem[] =>
  families
    .filter((family) => isGiven(fixtures, fileOf(family), 'policies'))
    .flatMap((family) =>
      lateMoments(fixtures.policies[family.key], latest, ['policies']).map((problem) => ({
        file: fileOf(family),
        ...problem,
      })),
    );

const tooLate = (written: string, latest: string): string =>
  `${written} is after the time of the clock; expected ${latest} or earlier`;

/** Every created_at and updated_at in records that is later than a timestamp. */
export function lateMoments(
  value: unknown,
  latest: string,
  path: RecordProblem['path'] = [],
): RecordProblem[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, inner]): RecordProblem[] => {
    const place = [...path, isList ? Number(key) : key];
    const isMoment = key === 'created_at' || key === 'updated_at';
    if (!isMoment) return lateMoments(inner, latest, place);
    return inner > latest ? [{ rule: 'time', path: place, message: tooLate(inner, latest) }] : [];
  });
}
