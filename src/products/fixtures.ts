import { z } from '@hono/zod-openapi';
import merchants from '../../fixtures/merchants.json' with { type: 'json' };
import products from '../../fixtures/products.json' with { type: 'json' };
import { id } from '../api/response-fields.ts';
import { formatIssues, truncate } from '../world/problem-texts.ts';
import { type Instant, timestamp } from '../world/time.ts';
import { CatalogueProduct } from './catalogue.ts';
import type { ProductFamily } from './family.ts';
import { FixtureError } from './fixture-error.ts';
import { families } from './index.ts';
import { findDuplicates, type RecordProblem } from './record-validation.ts';

/** `fixtures/merchants.json` */
export const MerchantsFile = z
  .strictObject({
    merchants: z.array(
      z.strictObject({
        id: id(),
        name: z.string().min(1),
        api_key: z.string().regex(/^\S+$/),
      }),
    ),
  })
  .openapi('MerchantsFile');

/** `fixtures/products.json` */
export const ProductsFile = z
  .strictObject({ products: z.array(CatalogueProduct) })
  .openapi('ProductsFile');

/** The parsed fixtures. Shared between sandboxes and never changed. */
export interface Fixtures {
  readonly merchants: z.output<typeof MerchantsFile>['merchants'];
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

/** The schemas of the fixture files, by file name. */
export const fixtureSchemas: Readonly<Record<string, z.ZodType>> = {
  'merchants.json': MerchantsFile,
  'products.json': ProductsFile,
  ...Object.fromEntries(families.map((each) => [fileOf(each), each.records])),
};

let builtIn: Fixtures | undefined;

/** The fixtures that ship with the sandbox. A test validates them. */
export function builtInFixtures(): Fixtures {
  builtIn ??= buildFixtures(builtInFiles);
  return builtIn;
}

/** Reads the given files; the built-in files replace missing ones. Throws `FixtureError`. */
export function readFixtures(files: FixtureFiles): Fixtures {
  const errors: string[] = [];
  const read: Record<string, unknown> = {};
  for (const name of Object.keys(files)) {
    if (name in fixtureSchemas) continue;
    errors.push(
      `${name}: unknown fixture file; expected ${Object.keys(fixtureSchemas).join(' or ')}`,
    );
  }
  for (const [name, schema] of Object.entries(fixtureSchemas)) {
    const content = withoutSchemaKey(files[name] ?? builtInFiles[name]);
    const parsed = schema.safeParse(content);
    if (parsed.success) read[name] = parsed.data;
    else errors.push(...formatIssues(content, parsed.error).map((line) => `${name}: ${line}`));
  }
  if (errors.length > 0) throw new FixtureError(errors);
  const { products } = read['products.json'] as z.output<typeof ProductsFile>;
  errors.push(...reviewProducts(products).map((line) => `products.json: ${line}`));
  // Records refer to products, so the catalogue must be valid first.
  if (errors.length > 0) throw new FixtureError(errors);
  const fixtures = buildFixtures(read);
  errors.push(...reviewAll(fixtures));
  if (errors.length > 0) throw new FixtureError(errors);
  return fixtures;
}

/** `$schema` is for editors. */
function withoutSchemaKey(content: unknown): unknown {
  if (typeof content !== 'object' || content === null || !('$schema' in content)) return content;
  const { $schema: _, ...rest } = content;
  return rest;
}

function buildFixtures(files: FixtureFiles): Fixtures {
  const catalogue = (files['products.json'] as z.output<typeof ProductsFile>).products;
  return {
    merchants: (files['merchants.json'] as z.output<typeof MerchantsFile>).merchants,
    products: new Map(catalogue.map((product) => [product.id, product])),
    records: Object.fromEntries(
      families.map((family) => [family.key, files[fileOf(family)] as object]),
    ),
  };
}

/** The problems of a catalogue that matches its schema: duplicate ids and unknown families. */
export function reviewProducts(products: readonly CatalogueProduct[]): string[] {
  const keys: readonly string[] = families.map(({ key }) => key);
  return [
    ...findDuplicates(products, ({ id }) => id, 'products', 'id'),
    ...products.flatMap(({ family }, position) =>
      keys.includes(family)
        ? []
        : [`products.${position}.family: expected ${keys.join(' or ')}, got ${truncate(family)}`],
    ),
  ];
}

function reviewAll(fixtures: Fixtures): string[] {
  const errors = [
    ...findDuplicates(fixtures.merchants, ({ id }) => id, 'merchants', 'id'),
    ...findDuplicates(fixtures.merchants, ({ api_key }) => api_key, 'merchants', 'api_key'),
  ].map((line) => `merchants.json: ${line}`);
  for (const family of families) {
    const records = fixtures.records[family.key] as object;
    for (const problem of family.validateRecords(records, fixtures)) {
      if (problem) errors.push(lineOf(family, problem));
    }
  }
  return errors;
}

/** Throws `FixtureError` if a record was created or updated after the start time of a World. */
export function assertNotInFuture(fixtures: Fixtures, start: Instant): void {
  const errors: string[] = [];
  const latest = timestamp(start);
  for (const family of families) {
    for (const problem of futureMoments(fixtures.records[family.key], latest)) {
      errors.push(lineOf(family, problem));
    }
  }
  if (errors.length > 0) throw new FixtureError(errors.slice(0, 10), 'now');
}

const lineOf = (family: Pick<ProductFamily, 'key'>, { path, message }: RecordProblem): string =>
  `${fileOf(family)}: ${path.join('.')}: ${message}`;

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
      const message = `${inner} is after the time of the clock; expected ${latest} or earlier`;
      problems.push({ path: [...path, key], message });
    }
  }
  return problems;
}
