import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }));

/** A comment before everything else, and no docstring: that would belong to the declaration below it. */
const HEAD = /^\/\*\s(?:(?!\*\/).)*\.\s+\*\/\n\n/s;

test('each file begins with a sentence that says what it is for', () => {
  const silent = sources
    .filter(({ text }) => !HEAD.test(text))
    .map(({ path }) => `src/${path}: begin it with /* A sentence that says what it is for. */`);
  expect(silent).toEqual([]);
});

/** Generated from the schemas of the documents: a type has the name of its schema. */
const GENERATED = /^types\/((control-)?wire|profile)\.ts$/;
const SCHEMAS = /^products\/[^/]+\/(schemas|requests)\.ts$/;

test('an exported type name stands for one thing', () => {
  const files = new Map<string, string[]>();
  for (const { path, text } of sources) {
    const declared =
      /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)(?=[<\s=])/gm;
    for (const [, name = ''] of text.matchAll(declared)) {
      files.set(name, [...(files.get(name) ?? []), path]);
    }
  }
  const isOneThing = ([first = '', second = '', ...more]: readonly string[]) =>
    more.length === 0 &&
    [first, second].some((path) => GENERATED.test(path)) &&
    [first, second].some((path) => SCHEMAS.test(path));
  const shared = [...files]
    .filter(([, paths]) => paths.length > 1 && !isOneThing(paths))
    .map(
      ([name, paths]) =>
        `${name} is declared in ${paths.map((path) => `src/${path}`).join(' and ')}: rename all but one, or import it`,
    );
  expect(shared).toEqual([]);
});
