/* The fixtures: the form of their files, and the built-in ones. */

import { z } from '@hono/zod-openapi';
import merchants from '../../fixtures/merchants.json' with { type: 'json' };
import products from '../../fixtures/products.json' with { type: 'json' };
import { id } from '../api/response-fields.ts';
import { isClockInstant } from '../world/clock.ts';
import { isDuration } from '../world/duration.ts';
import { sendableKey } from '../world/merchants.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import { truncate } from '../world/problem-texts.ts';
import { anyText } from '../world/settings.ts';
import { type Instant, timestamp } from '../world/time.ts';
import { CatalogueProduct } from './catalogue.ts';
import type { ListsSchema, ProductFamily } from './family.ts';
import { FixtureError, type FixtureProblem } from './fixture-error.ts';
import { families } from './index.ts';
import { findDuplicates, type RecordProblem } from './record-validation.ts';

/** `fixtures/merchants.json` */
export const MerchantsFile = onFirstUse(() =>
  z
    .strictObject({
      merchants: z.array(
        z.strictObject({
          id: id(),
          name: z.string().min(1),
          api_key: sendableKey(),
        }),
      ),
    })
    .openapi('MerchantsFile'),
);

/** `fixtures/products.json` */
export const ProductsFile = onFirstUse(() =>
  z.strictObject({ products: z.array(CatalogueProduct()) }).openapi('ProductsFile'),
);

/** The parsed fixtures. Shared between sandboxes and never changed. */
export interface Fixtures {
  readonly merchants: z.output<ReturnType<typeof MerchantsFile>>['merchants'];
  readonly products: ReadonlyMap<number, CatalogueProduct>;
  /** The records of each family, by its key, as they are written. */
  readonly records: Readonly<Record<string, object>>;
  readonly purchases: readonly FilePurchase[];
  /** The keys of the families whose policies are the built-in ones. They move with the clock. */
  readonly builtInPolicies: ReadonlySet<string>;
}

/** A purchase of a fixture file, with its place. */
export interface FilePurchase {
  readonly family: string;
  readonly file: string;
  readonly position: number;
  /** A time, or how long before the start of the World: `-P10D`. */
  readonly at: string;
  /** The number of the policy; one is drawn if it is undefined. */
  readonly policyNumber: string | undefined;
  /** When the policy is renewed, in the forms of `at`. */
  readonly renewals: readonly string[];
  /** The body that initiate takes. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Whether it is built in. It moves with the clock. */
  readonly isBuiltIn: boolean;
  /** Whether a test validates it: it is built in, and so are the prices. */
  readonly isChecked: boolean;
}

/** Whether the time of a purchase counts from the start of the World. */
export const isRelative = (at: string): boolean => at.startsWith('-');

/** The contents of fixture files, by file name. */
export type FixtureContents = Readonly<Record<string, unknown>>;

/** The name of a family's fixture file. */
export const fileOf = (family: Pick<ProductFamily, 'key'>): string =>
  `${family.key.replace(/_/g, '-')}.json`;

/** The fixture files that ship with the sandbox. */
export const builtInFiles: FixtureContents = {
  'merchants.json': merchants,
  'products.json': products,
  ...Object.fromEntries(families.map((family) => [fileOf(family), family.builtInRecords])),
};

const isTime = (text: string): boolean => z.iso.datetime({ offset: true }).safeParse(text).success;

/** When a purchase is made, as a fixture file says it. */
const purchaseTime = () =>
  z
    .string()
    .refine((at) => (isRelative(at) ? isDuration(at.slice(1)) : isTime(at)), {
      error: 'a time like 2026-01-31T10:00:00Z or a duration before the start like -P10D',
      abort: true,
    })
    .refine((at) => isRelative(at) || isClockInstant(Date.parse(at)), {
      error: 'a time within the range of clocks',
    });

/** A purchase: when it is made, its policy's number and renewals, and what initiate takes, which its rule checks. */
const Purchase = onFirstUse(() =>
  z.looseObject({
    at: purchaseTime(),
    policy_number: anyText().optional(),
    renewals: z.array(purchaseTime()).optional(),
  }),
);

/** The schemas of the fixture files, by file name. */
export const fileSchemas = onFirstUse(
  (): Readonly<Record<string, z.ZodType>> => ({
    'merchants.json': MerchantsFile(),
    'products.json': ProductsFile(),
    ...Object.fromEntries(
      families.map((family) => [
        fileOf(family),
        z.strictObject({
          ...(family.records() as ListsSchema).shape,
          purchases: z.array(Purchase()).optional(),
        }),
      ]),
    ),
  }),
);

let builtIn: Fixtures | undefined;

/** The fixtures that ship with the sandbox. A test validates them. */
export function builtInFixtures(): Fixtures {
  builtIn ??= buildFixtures(builtInFiles);
  return builtIn;
}

/**
 * The fixtures of parsed files.
 *
 * @param given the keys of each file that are not built in
 */
export function buildFixtures(
  files: FixtureContents,
  given: Readonly<Record<string, readonly string[]>> = {},
): Fixtures {
  const catalogue = (files['products.json'] as z.output<ReturnType<typeof ProductsFile>>).products;
  const records = Object.fromEntries(
    families.map((family) => {
      const { purchases: _, ...own } = files[fileOf(family)] as Record<string, unknown>;
      return [family.key, own];
    }),
  );
  return {
    merchants: (files['merchants.json'] as z.output<ReturnType<typeof MerchantsFile>>).merchants,
    products: new Map(catalogue.map((product) => [product.id, product])),
    records,
    purchases: families.flatMap((family) => {
      const file = fileOf(family);
      const { purchases = [] } = files[file] as {
        readonly purchases?: readonly z.output<ReturnType<typeof Purchase>>[];
      };
      const isBuiltIn = !given[file]?.includes('purchases');
      const isChecked = Object.keys(given).length === 0;
      return purchases.map(({ at, policy_number, renewals = [], ...request }, position) => ({
        family: family.key,
        file,
        position,
        at,
        policyNumber: policy_number,
        renewals,
        request,
        isBuiltIn,
        isChecked,
      }));
    }),
    builtInPolicies: new Set(
      families
        .filter((family) => !given[fileOf(family)]?.includes(family.policyList))
        .map(({ key }) => key),
    ),
  };
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

/** Throws `FixtureError` if a purchase is later than the time at which a World starts. */
export function assertBoughtBefore(fixtures: Fixtures, start: Instant): void {
  const errors = latePurchases(fixtures, start);
  if (errors.length > 0) throw new FixtureError(errors, 'now');
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

/**
 * Throws `FixtureError` if a record was created or updated after the start time of a World. Built-in records move with
 * the clock.
 */
export function assertNotInFuture(fixtures: Fixtures, start: Instant): void {
  const latest = timestamp(start);
  const errors = latePurchases(fixtures, start);
  for (const family of families) {
    if (fixtures.builtInPolicies.has(family.key)) continue;
    for (const problem of futureMoments(fixtures.records[family.key], latest)) {
      errors.push({ file: fileOf(family), ...problem });
    }
  }
  if (errors.length > 0) throw new FixtureError(errors, 'now');
}

export const lineOf = ({ path, message }: RecordProblem): string => `${path.join('.')}: ${message}`;

const tooLate = (written: string, latest: string): string =>
  `${written} is after the time of the clock; expected ${latest} or earlier`;

/** Every created_at and updated_at in records that is later than a timestamp. */
export function futureMoments(
  value: unknown,
  latest: string,
  path: RecordProblem['path'] = [],
): RecordProblem[] {
  const problems: RecordProblem[] = [];
  if (typeof value !== 'object' || value === null) return problems;
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'object') {
      if (inner === null) continue;
      problems.push(...futureMoments(inner, latest, [...path, isList ? Number(key) : key]));
    } else if ((key === 'created_at' || key === 'updated_at') && inner > latest) {
      problems.push({ rule: 'time', path: [...path, key], message: tooLate(inner, latest) });
    }
  }
  return problems;
}
