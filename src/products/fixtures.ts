/* The fixtures: the form of their files, and the built-in ones. */

import { z } from '@hono/zod-openapi';
import merchants from '../../fixtures/merchants.json' with { type: 'json' };
import products from '../../fixtures/products.json' with { type: 'json' };
import { id } from '../api/response-fields.ts';
import { isClockInstant } from '../world/clock.ts';
import { isDuration } from '../world/duration.ts';
import { sendableKey } from '../world/merchants.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import { anyText } from '../world/settings.ts';
import { CatalogueProduct, type PriceList } from './catalogue.ts';
import type { ProductFamily, RecordsSchema } from './family.ts';
import { families } from './index.ts';

/** `fixtures/merchants.json` */
const MerchantsFile = onFirstUse(() =>
  z.strictObject({
    merchants: z.array(
      z.strictObject({ id: id(), name: z.string().min(1), api_key: sendableKey() }),
    ),
  }),
);

/** `fixtures/products.json` */
export const ProductsFile = onFirstUse(() =>
  z.strictObject({ products: z.array(CatalogueProduct()) }),
);

/** The parsed fixtures. Shared between sandboxes and never changed. */
export interface Fixtures extends PriceList {
  /** The keys of each file that are not built in. */
  readonly given: Readonly<Record<string, readonly string[]>>;
  readonly merchants: z.output<ReturnType<typeof MerchantsFile>>['merchants'];
  /** The policies of all merchants by family, as they are written. */
  readonly policies: Readonly<Record<string, readonly object[]>>;
  readonly purchases: readonly FilePurchase[];
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

/** A fixture file of a family: purchases, policies, and lists of prices. */
interface FamilyFile {
  readonly purchases?: readonly z.output<ReturnType<typeof Purchase>>[];
  readonly policies: readonly object[];
}

/** The schemas of the fixture files, by file name. */
export const fileSchemas = onFirstUse(
  (): Readonly<Record<string, z.ZodType>> => ({
    'merchants.json': MerchantsFile(),
    'products.json': ProductsFile(),
    ...Object.fromEntries(
      families.map((family) => [
        fileOf(family),
        z.strictObject({
          ...(family.records() as RecordsSchema).shape,
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

/** The fixtures of parsed files. */
export function buildFixtures(files: FixtureContents, given: Fixtures['given'] = {}): Fixtures {
  const { merchants } = files['merchants.json'] as z.output<ReturnType<typeof MerchantsFile>>;
  const { products } = files['products.json'] as z.output<ReturnType<typeof ProductsFile>>;
  const prices: Record<string, object> = {};
  const policies: Record<string, readonly object[]> = {};
  const purchases: FilePurchase[] = [];
  for (const family of families) {
    const { key } = family;
    const file = fileOf(family);
    const { purchases: own = [], policies: written, ...lists } = files[file] as FamilyFile;
    policies[key] = written;
    prices[key] = lists;
    for (const [position, purchase] of own.entries()) {
      const { at, policy_number: policyNumber, renewals = [], ...request } = purchase;
      purchases.push({ family: key, file, position, at, policyNumber, renewals, request });
    }
  }
  return { given, merchants, products, prices, policies, purchases };
}

/** Whether a key of a file is not the built-in one. Built-in records and purchases move with the clock. */
export const isGiven = ({ given }: Fixtures, file: string, key: string): boolean =>
  given[file]?.includes(key) ?? false;
