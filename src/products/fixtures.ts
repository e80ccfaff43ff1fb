import * as z from 'zod/mini';
import merchants from '../../fixtures/merchants.json' with { type: 'json' };
import products from '../../fixtures/products.json' with { type: 'json' };
import { formProblems, shortly } from '../core/form.ts';
import { component, type Infer } from '../core/schema.ts';
import { type Instant, timestamp } from '../core/time.ts';
import { id } from '../http/record-fields.ts';
import type { ProductFamily, RecordProblem } from './family.ts';
import { FixtureError } from './fixture-error.ts';
import { families } from './index.ts';
import { CatalogueProduct } from './product.ts';
import { repeated } from './review.ts';

/** `fixtures/merchants.json` */
export const MerchantsFile = component('MerchantsFile', () =>
  z.strictObject({
    merchants: z.array(
      z.strictObject({
        id: id(),
        name: z.string().check(z.minLength(1)),
        api_key: z.string().check(z.regex(/^\S+$/)),
      }),
    ),
  }),
);

/** `fixtures/products.json` */
export const ProductsFile = component('ProductsFile', () =>
  z.strictObject({ products: z.array(CatalogueProduct()) }),
);

/** What every sandbox of these fixtures starts from. Shared and never changed. */
export interface Fixtures {
  readonly merchants: Infer<typeof MerchantsFile>['merchants'];
  readonly products: ReadonlyMap<number, CatalogueProduct>;
  /** The file of each family, by its key. */
  readonly records: Readonly<Record<string, object>>;
}

/** The contents of fixture files, by file name. */
export type FixtureFiles = Readonly<Record<string, unknown>>;

/** The name of a family's fixture file. */
export const fileOf = (family: Pick<ProductFamily, 'key'>): string =>
  `${family.key.replace(/_/g, '-')}.json`;

/** The fixture files that ship with the sandbox. */
export const builtInFiles: FixtureFiles = {
  'merchants.json': merchants,
  'products.json': products,
  ...Object.fromEntries(families.map((family) => [fileOf(family), family.builtInRecords])),
};

/** The forms of the fixture files, by file name. */
export const fixtureForms: Readonly<Record<string, () => z.core.$ZodType>> = {
  'merchants.json': MerchantsFile,
  'products.json': ProductsFile,
  ...Object.fromEntries(
    (families as readonly ProductFamily[]).map((each) => [fileOf(each), each.records]),
  ),
};

let builtIn: Fixtures | undefined;

/** The fixtures that ship with the sandbox; a test holds that they are right. */
export function builtInFixtures(): Fixtures {
  builtIn ??= arrange(builtInFiles);
  return builtIn;
}

/** The given files, and the built-in ones where a file is not given. Throws `FixtureError`. */
export function readFixtures(files: FixtureFiles): Fixtures {
  const problems: string[] = [];
  const read: Record<string, unknown> = {};
  for (const name of Object.keys(files)) {
    if (name in fixtureForms) continue;
    problems.push(
      `${name}: no such fixture file; expected ${Object.keys(fixtureForms).join(', ')}`,
    );
  }
  for (const [name, form] of Object.entries(fixtureForms)) {
    const content = withoutSchemaKey(files[name] ?? builtInFiles[name]);
    const parsed = z.safeParse(form(), content);
    if (parsed.success) read[name] = parsed.data;
    else problems.push(...formProblems(content, parsed.error).map((line) => `${name}: ${line}`));
  }
  if (problems.length > 0) throw new FixtureError(problems);
  const { products } = read['products.json'] as Infer<typeof ProductsFile>;
  problems.push(...reviewProducts(products).map((line) => `products.json: ${line}`));
  // What records say of products is judged by a catalogue that is right.
  if (problems.length > 0) throw new FixtureError(problems);
  const fixtures = arrange(read);
  problems.push(...reviewAll(fixtures));
  if (problems.length > 0) throw new FixtureError(problems);
  return fixtures;
}

/** Editors find a file's form by its `$schema`; the file itself means nothing by it. */
function withoutSchemaKey(content: unknown): unknown {
  if (typeof content !== 'object' || content === null || !('$schema' in content)) return content;
  const { $schema: _, ...rest } = content;
  return rest;
}

function arrange(files: FixtureFiles): Fixtures {
  const catalogue = (files['products.json'] as Infer<typeof ProductsFile>).products;
  return {
    merchants: (files['merchants.json'] as Infer<typeof MerchantsFile>).merchants,
    products: new Map(catalogue.map((product) => [product.id, product])),
    records: Object.fromEntries(
      families.map((family) => [family.key, files[fileOf(family)] as object]),
    ),
  };
}

/** What is wrong with a catalogue whose form is right: an id given twice, a family there is not. */
export function reviewProducts(products: readonly CatalogueProduct[]): string[] {
  const keys: readonly string[] = families.map(({ key }) => key);
  return [
    ...repeated(products, ({ id }) => id, 'products', 'id'),
    ...products.flatMap(({ family }, position) =>
      keys.includes(family)
        ? []
        : [`products.${position}.family: expected ${keys.join(', ')}; got ${shortly(family)}`],
    ),
  ];
}

function reviewAll(fixtures: Fixtures): string[] {
  const problems = [
    ...repeated(fixtures.merchants, ({ id }) => id, 'merchants', 'id'),
    ...repeated(fixtures.merchants, ({ api_key }) => api_key, 'merchants', 'api_key'),
  ].map((line) => `merchants.json: ${line}`);
  for (const family of families as readonly ProductFamily[]) {
    const records = fixtures.records[family.key] as object;
    for (const { path, message } of family.review(records, fixtures)) {
      problems.push(`${fileOf(family)}: ${path.join('.')}: ${message}`);
    }
  }
  return problems;
}

/** Throws `FixtureError` if a record was made or changed after the moment a World starts at. */
export function refuseFuture(fixtures: Fixtures, start: Instant): void {
  const problems: string[] = [];
  const latest = timestamp(start);
  for (const family of families) {
    for (const { path, message } of futureRecords(fixtures.records[family.key], latest)) {
      problems.push(`${fileOf(family)}: ${path.join('.')}: ${message}`);
    }
  }
  if (problems.length > 0) throw new FixtureError(problems.slice(0, 10));
}

/** The records of a document whose created_at or updated_at lies after a timestamp. */
export function futureRecords(
  value: unknown,
  latest: string,
  path: RecordProblem['path'] = [],
): RecordProblem[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const place = [...path, Array.isArray(value) ? Number(key) : key];
    if ((key !== 'created_at' && key !== 'updated_at') || typeof inner !== 'string') {
      return futureRecords(inner, latest, place);
    }
    if (inner <= latest) return [];
    return [
      {
        path: place,
        message: `${inner} is in the future of the clock; expected ${latest} or earlier`,
      },
    ];
  });
}
