/* Reads fixture files, and reports what is wrong with all of them at once. */

import type { z } from '@hono/zod-openapi';
import { systemNow } from '../world/clock.ts';
import { describeIssues, isPlainObject } from '../world/problem-texts.ts';
import type { Instant } from '../world/time.ts';
import { FixtureError, type FixtureProblem } from './fixture-error.ts';
import { type BoughtRecords, boughtAt } from './fixture-purchases.ts';
import {
  buildFixtures,
  builtInFiles,
  type FixtureContents,
  type Fixtures,
  fileOf,
  fileSchemas,
  type ProductsFile,
  reviewProducts,
} from './fixtures.ts';
import type { ServedFamilies } from './index.ts';
import {
  findDuplicates,
  findHighNumbers,
  type RecordProblem,
  validateRecords,
} from './record-validation.ts';
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
  const problems: FixtureProblem[] = [];
  const throwIfAny = (): void => {
    if (problems.length > 0) throw new FixtureError(problems);
  };
  const known = Object.keys(fileSchemas());
  for (const file of Object.keys(files)) {
    if (known.includes(file)) continue;
    const message = `unknown fixture file; expected ${known.join(' or ')}`;
    problems.push({ rule: 'unknown_field', file, path: [], message });
  }
  const contents = mergeBuiltIn(files);
  const read: Record<string, unknown> = {};
  for (const [file, schema] of Object.entries(fileSchemas())) {
    const content = contents[file];
    const parsed = schema.safeParse(content);
    if (parsed.success) {
      read[file] = parsed.data;
      continue;
    }
    for (const problem of describeIssues(content, parsed.error, schema)) {
      problems.push({ file, ...problem, path: problem.path as FixtureProblem['path'] });
    }
    // What is well formed of it is judged all the same, and so are other files.
    const rest = partsOf(file, content)
      .map((part) => schema.safeParse(part))
      .find(({ success }) => success);
    if (rest) read[file] = rest.data;
  }
  if (Object.keys(read).length < known.length) throwIfAny();
  const { products } = read['products.json'] as z.output<ReturnType<typeof ProductsFile>>;
  const wrongProducts = reviewProducts(products);
  problems.push(...inFile('products.json', wrongProducts));
  // Records refer to products, so the catalogue must be valid first.
  if (wrongProducts.length > 0) throwIfAny();
  const given = Object.entries(files).map(([file, content]) => [file, keysOf(content)]);
  const written = buildFixtures(read, Object.fromEntries(given));
  const wrong = reviewWritten(written, files);
  problems.push(...wrong.problems);
  // Purchases cannot be judged without their prices.
  if (wrong.hasWrongPrices) throwIfAny();
  // Wrong records are no help in judging a purchase.
  const judged =
    problems.length === 0 ? written : { ...written, records: withoutPolicies(written) };
  problems.push(
    ...reviewPurchases(judged, files, (fixtures) => boughtAt(fixtures, served, start())),
  );
  throwIfAny();
  return written;
}

const keysOf = (content: unknown): string[] => Object.keys(Object(content));

const inFile = (file: string, problems: readonly RecordProblem[]): FixtureProblem[] =>
  problems.map((problem) => ({ file, ...problem }));

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
      const isOwn = family !== undefined && Object.hasOwn(content, family.policyList);
      return [
        name,
        { ...written, ...(!isOwn && purchases !== undefined && { purchases }), ...content },
      ];
    }),
  );

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

/** What is wrong with the merchants and the records as they are written. */
function reviewWritten(fixtures: Fixtures, files: FixtureContents) {
  const { merchants } = fixtures;
  const problems = inFile('merchants.json', [
    ...findDuplicates(merchants, ({ id }) => id, 'merchants', ['id']),
    ...findDuplicates(merchants, ({ api_key }) => api_key, 'merchants', ['api_key']),
    ...findHighNumbers(merchants, 'merchants'),
  ]);
  let hasWrongPrices = false;
  for (const family of anyFamilies) {
    const file = fileOf(family);
    const records = fixtures.records[family.key] as object;
    for (const problem of validateRecords(family, records, fixtures)) {
      const [list = ''] = problem.path;
      if (list !== family.policyList) hasWrongPrices = true;
      const isGiven = keysOf(files[file]).includes(String(list));
      const remedy = isGiven ? '' : `; this is built in, "${list}": [] leaves it out`;
      problems.push({ file, ...problem, message: problem.message + remedy });
    }
  }
  return { problems, hasWrongPrices };
}

/** Why purchases of the given files are refused. A World does without a built-in one that is. */
function reviewPurchases(
  fixtures: Fixtures,
  files: FixtureContents,
  buy: (fixtures: Fixtures) => BoughtRecords,
): readonly FixtureProblem[] {
  const isGiven = (file: string) => keysOf(files[file]).includes('purchases');
  if (!fixtures.purchases.some(({ file }) => isGiven(file))) return [];
  if (fixtures.merchants.length > 0)
    return buy(fixtures).problems.filter(({ file }) => isGiven(file));
  const message = 'purchases need a merchant that makes them';
  return inFile('merchants.json', [{ rule: 'merchant', path: ['merchants'], message }]);
}

const withoutPolicies = ({ records }: Fixtures): Fixtures['records'] =>
  Object.fromEntries(
    anyFamilies.map(({ key, policyList }) => [key, { ...records[key], [policyList]: [] }]),
  );
