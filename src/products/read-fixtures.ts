/* Reads fixture files, and reports what is wrong with all of them at once. */

import type { z } from '@hono/zod-openapi';
import { systemNow } from '../world/clock.ts';
import { printable } from '../world/printable.ts';
import { formatIssues, isPlainObject } from '../world/problem-texts.ts';
import type { Instant } from '../world/time.ts';
import { CatalogueProduct } from './catalogue.ts';
import { completeRecords } from './complete-record.ts';
import { FixtureError } from './fixture-error.ts';
import { type BoughtRecords, boughtAt } from './fixture-purchases.ts';
import {
  buildFixtures,
  builtInFiles,
  type FixtureContents,
  type Fixtures,
  fileOf,
  fileSchemas,
  lineOf,
  type ProductsFile,
  reviewProducts,
} from './fixtures.ts';
import type { ServedFamilies } from './index.ts';
import { findDuplicates } from './record-validation.ts';
import { anyFamilies, publishedFamilies } from './world.ts';

/**
 * Reads the given files. The built-in files replace missing files, and keys that a file leaves out. Purchases are judged
 * by the rules of these families, for a World that starts at `start`. Throws `FixtureError`.
 */
export function readFixtures(
  files: FixtureContents,
  served: ServedFamilies = publishedFamilies,
  start: () => Instant = systemNow,
): Fixtures {
  const problems = collectProblems();
  for (const name of Object.keys(files)) {
    if (name in fileSchemas) continue;
    const known = Object.keys(fileSchemas).join(' or ');
    problems.add(name, `unknown fixture file; expected ${known}`);
  }
  const contents = mergeBuiltIn(files);
  const merchantId = firstMerchant(contents['merchants.json']);
  const read: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(fileSchemas)) {
    const content = completed(name, contents[name], files, merchantId);
    const parsed = schema.safeParse(content);
    if (parsed.success) {
      read[name] = parsed.data;
      continue;
    }
    for (const line of formatIssues(content, parsed.error, { schema, whole: 'the file' })) {
      problems.add(name, line);
    }
    // What is well formed of it is judged all the same, and so are other files.
    const rest = partsOf(name, content)
      .map((part) => schema.safeParse(part))
      .find(({ success }) => success);
    if (rest) read[name] = rest.data;
  }
  if (Object.keys(fileSchemas).some((name) => !(name in read))) problems.throwIfAny();
  const { products } = read['products.json'] as z.output<typeof ProductsFile>;
  const wrongProducts = reviewProducts(products);
  for (const line of wrongProducts) problems.add('products.json', line);
  // Records refer to products, so the catalogue must be valid first.
  if (wrongProducts.length > 0) problems.throwIfAny();
  const written = buildFixtures(read);
  // Purchases cannot be judged without their prices.
  if (reviewWritten(written, files, problems) === 'wrong prices') problems.throwIfAny();
  reviewPurchases(written, files, problems, (fixtures) => boughtAt(fixtures, served, start()));
  problems.throwIfAny();
  return written;
}

/** The most problems of one file that are reported. */
const MAX_PROBLEMS = 20;

function collectProblems() {
  const byFile = new Map<string, string[]>();
  return {
    add(file: string, line: string): void {
      const lines = byFile.get(file);
      if (lines) lines.push(line);
      else byFile.set(file, [line]);
    },
    get isEmpty(): boolean {
      return byFile.size === 0;
    },
    throwIfAny(): void {
      if (byFile.size === 0) return;
      const lines = [...byFile].flatMap(([file, all]) => {
        const problems = folded(all);
        const more = problems.length - MAX_PROBLEMS;
        const shown = problems.slice(0, MAX_PROBLEMS).map((line) => `${file}: ${line}`);
        return more > 0 ? [...shown, `${file}: +${more} more`] : shown;
      });
      throw new FixtureError(lines.map(printable));
    },
  };
}
type Problems = ReturnType<typeof collectProblems>;

/** The most further places that a problem names. */
const MAX_PLACES = 3;

/** One line for the same problem at several positions of a list: the first one, and the places of the others. */
function folded(lines: readonly string[]): string[] {
  const byKind = new Map<string, string[]>();
  for (const line of lines) {
    const kind = line.replace(/, got .*$/s, '').replace(/\d+/g, '#');
    const same = byKind.get(kind);
    if (same) same.push(line);
    else byKind.set(kind, [line]);
  }
  return [...byKind.values()].map(([first = '', ...others]) => {
    if (others.length === 0) return first;
    const places = others.slice(0, MAX_PLACES).map((line) => line.slice(0, line.indexOf(': ')));
    const more = others.length - places.length;
    return `${first} (also ${places.join(', ')}${more > 0 ? ` and ${more} more` : ''})`;
  });
}

/** The content of each file, with the keys of the built-in file that it leaves out. */
const mergeBuiltIn = (files: FixtureContents): FixtureContents =>
  Object.fromEntries(
    Object.entries(builtInFiles).map(([name, builtIn]) => {
      const given = files[name];
      if (given === undefined) return [name, builtIn];
      if (typeof given !== 'object' || given === null || Array.isArray(given)) return [name, given];
      // `$schema` is for editors.
      const { $schema: _, ...content } = given as Record<string, unknown>;
      // The built-in purchases belong to the built-in records.
      const family = anyFamilies.find((each) => fileOf(each) === name);
      const { purchases, ...written } = builtIn as Record<string, unknown>;
      const isOwn = family !== undefined && family.policyList in content;
      return [
        name,
        { ...written, ...(!isOwn && purchases !== undefined && { purchases }), ...content },
      ];
    }),
  );

/** The id of the first merchant. If the file is invalid, its schema refuses it. */
function firstMerchant(file: unknown): number {
  const merchants = Reflect.get(Object(file), 'merchants') as unknown;
  const first: unknown = Array.isArray(merchants) ? merchants[0] : undefined;
  const id = Reflect.get(Object(first), 'id') as unknown;
  return typeof id === 'number' ? id : 1;
}

/** The content of a file with whole records. Those of the built-in files are whole. */
function completed(
  name: string,
  content: unknown,
  files: FixtureContents,
  merchantId: number,
): unknown {
  if (name === 'products.json') {
    const given: unknown = Reflect.get(Object(files[name]), 'products');
    if (!Array.isArray(given)) return content;
    return {
      ...(content as object),
      products: completeRecords(CatalogueProduct, given, merchantId),
    };
  }
  const family = anyFamilies.find((each) => fileOf(each) === name);
  const given = family && Reflect.get(Object(files[name]), family.policyList);
  if (!family || !Array.isArray(given)) return content;
  const schema = family.records.shape[family.policyList]?.element as z.ZodType;
  return {
    ...(content as object),
    [family.policyList]: completeRecords(schema, given, merchantId),
  };
}

/** The content of a family's file without its records, its purchases, or both. */
function partsOf(name: string, content: unknown): object[] {
  const family = anyFamilies.find((each) => fileOf(each) === name);
  if (!family || !isPlainObject(content)) return [];
  const records = { [family.policyList]: [] };
  const purchases = { purchases: undefined };
  return [records, purchases, { ...records, ...purchases }].map((less) => ({
    ...content,
    ...less,
  }));
}

/** Adds what is wrong with the merchants and the records as they are written. */
function reviewWritten(
  fixtures: Fixtures,
  files: FixtureContents,
  problems: Problems,
): 'wrong prices' | undefined {
  let found: 'wrong prices' | undefined;
  const { merchants } = fixtures;
  for (const line of [
    ...findDuplicates(merchants, ({ id }) => id, 'merchants', 'id'),
    ...findDuplicates(merchants, ({ api_key }) => api_key, 'merchants', 'api_key'),
  ]) {
    problems.add('merchants.json', line);
  }
  for (const family of anyFamilies) {
    const records = fixtures.records[family.key] as object;
    for (const problem of family.validateRecords(records, fixtures)) {
      if (!problem) continue;
      const [list = ''] = problem.path;
      if (list !== family.policyList) found = 'wrong prices';
      const isGiven = list in Object(files[fileOf(family)]);
      const remedy = isGiven ? '' : `; this is built in, "${list}": [] leaves it out`;
      problems.add(fileOf(family), lineOf(problem) + remedy);
    }
  }
  return found;
}

/** Adds why purchases of the given files are refused. A World does without a built-in one that is. */
function reviewPurchases(
  fixtures: Fixtures,
  files: FixtureContents,
  problems: Problems,
  buy: (fixtures: Fixtures) => BoughtRecords,
): void {
  const purchases = fixtures.purchases.filter(({ file }) => 'purchases' in Object(files[file]));
  if (purchases.length === 0) return;
  if (fixtures.merchants.length === 0) {
    problems.add('merchants.json', 'merchants: purchases need a merchant that makes them');
    return;
  }
  // Wrong records are no help in judging a purchase.
  const judged = problems.isEmpty ? fixtures : { ...fixtures, records: withoutPolicies(fixtures) };
  for (const { file, line } of buy(judged).problems) {
    if (purchases.some((each) => each.file === file)) problems.add(file, line);
  }
}

const withoutPolicies = ({ records }: Fixtures): Fixtures['records'] =>
  Object.fromEntries(
    anyFamilies.map(({ key, policyList }) => [key, { ...records[key], [policyList]: [] }]),
  );
