/* Reads fixture files, and reports what is wrong with them. */

import type { z } from '@hono/zod-openapi';
import { systemNow } from '../world/clock.ts';
import { describeIssues, isPlainObject } from '../world/problem-texts.ts';
import type { Instant } from '../world/time.ts';
import { FixtureError, type FixtureProblem } from './fixture-error.ts';
import { boughtAt } from './fixture-policies.ts';
import {
  buildFixtures,
  builtInFiles,
  type FixtureContents,
  type Fixtures,
  fileOf,
  fileSchemas,
  isGiven,
  type ProductsFile,
} from './fixtures.ts';
import type { ServedFamilies } from './index.ts';
import {
  assertNotInFuture,
  findDuplicates,
  findHighNumbers,
  type RecordProblem,
  reviewProducts,
  validateRecords,
} from './record-validation.ts';
import { anyFamilies, publishedFamilies } from './world.ts';

/**
 * Reads the given files. The built-in files replace missing files, and keys that a file leaves out. Throws
 * `FixtureError` with all problems of the forms, then of the catalogue, then of records, then of purchases.
 *
 * @param served the families whose rules judge purchases
 * @param start when Worlds start; by default nothing is too late
 */
export function readFixtures(
  files: FixtureContents,
  served: ServedFamilies = publishedFamilies,
  start?: () => Instant,
): Fixtures {
  const given = Object.entries(files).map(([file, content]) => [
    file,
    Object.keys(Object(content)),
  ]);
  const contents = parseFiles(files);
  const { products } = contents['products.json'] as z.output<ReturnType<typeof ProductsFile>>;
  throwIfAny(inFile('products.json', reviewProducts(products)));
  const fixtures = buildFixtures(contents, Object.fromEntries(given));
  throwIfAny(reviewRecords(fixtures));
  throwIfAny(reviewPurchases(fixtures, served, start ?? systemNow));
  if (start) assertNotInFuture(fixtures, start());
  return fixtures;
}

function throwIfAny(problems: readonly FixtureProblem[]): void {
  if (problems.length > 0) throw new FixtureError(problems);
}

const inFile = (file: string, problems: readonly RecordProblem[]): FixtureProblem[] =>
  problems.map((problem) => ({ file, ...problem }));

/** The contents of all files as their schemas read them. */
function parseFiles(files: FixtureContents): FixtureContents {
  const schemas = fileSchemas();
  const problems: FixtureProblem[] = [];
  const known = Object.keys(schemas);
  for (const file of Object.keys(files)) {
    if (known.includes(file)) continue;
    const message = `unknown fixture file; expected ${known.join(' or ')}`;
    problems.push({ rule: 'unknown_field', file, path: [], message });
  }
  const contents = mergeBuiltIn(files);
  const read = Object.entries(schemas).map(([file, schema]) => {
    const content = contents[file];
    const parsed = schema.safeParse(content);
    const issues = parsed.error ? describeIssues(content, parsed.error, schema) : [];
    for (const problem of issues) {
      problems.push({ file, ...problem, path: problem.path as FixtureProblem['path'] });
    }
    return [file, parsed.data];
  });
  throwIfAny(problems);
  return Object.fromEntries(read);
}

/** The content of each file, with the keys of the built-in file that it leaves out. */
const mergeBuiltIn = (files: FixtureContents): FixtureContents =>
  Object.fromEntries(
    Object.entries(builtInFiles).map(([name, builtIn]) => {
      const { [name]: given = {} } = files;
      if (!isPlainObject(given)) return [name, given];
      const { purchases: _, ...records } = builtIn as Record<string, unknown>;
      const family = anyFamilies.find((each) => fileOf(each) === name);
      // The built-in purchases belong to the built-in policies.
      const hasPolicies = family !== undefined && Object.hasOwn(given, 'policies');
      return [name, { ...(hasPolicies ? records : (builtIn as object)), ...given }];
    }),
  );

/** What is wrong with the merchants and the records as they are written. */
function reviewRecords(fixtures: Fixtures): FixtureProblem[] {
  const { merchants } = fixtures;
  const problems = inFile('merchants.json', [
    ...findDuplicates(merchants, ({ id }) => id, 'merchants', ['id']),
    ...findDuplicates(merchants, ({ api_key }) => api_key, 'merchants', ['api_key']),
    ...findHighNumbers(merchants, ['merchants']),
  ]);
  for (const family of anyFamilies) {
    const file = fileOf(family);
    const policies = fixtures.policies[family.key] ?? [];
    for (const problem of validateRecords(family, fixtures, policies)) {
      const list = String(problem.path[0]);
      const remedy = `; this is built in, "${list}": [] leaves it out`;
      const message = problem.message + (isGiven(fixtures, file, list) ? '' : remedy);
      problems.push({ file, ...problem, message });
    }
  }
  return problems;
}

/** Why purchases of the given files are refused. A World does without a built-in one that is. */
function reviewPurchases(
  fixtures: Fixtures,
  served: ServedFamilies,
  start: () => Instant,
): readonly FixtureProblem[] {
  const isJudged = ({ file }: { readonly file: string }) => isGiven(fixtures, file, 'purchases');
  if (!fixtures.purchases.some(isJudged)) return [];
  if (fixtures.merchants.length > 0) {
    return boughtAt(fixtures, served, start()).problems.filter(isJudged);
  }
  const message = 'purchases need a merchant that makes them';
  return inFile('merchants.json', [{ rule: 'merchant', path: ['merchants'], message }]);
}
