import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LONGEST_LIFETIME, tokenLifetimes } from '../src/products/lifetimes.ts';
import { familyKeys, lifetimeOf } from './support/requests.ts';

test('the token of every family is valid for 15 minutes (specification, "Limits")', () => {
  expect(familyKeys.map((family) => [family, lifetimeOf(family)])).toEqual(
    familyKeys.map((family) => [family, 15]),
  );
});

const PAGES = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'src/public.ts',
];

test('pages written by hand name the lifetime that the families have', () => {
  const wrong = PAGES.flatMap((page) =>
    readFileSync(page, 'utf8')
      .split('\n')
      .flatMap((line, place) => {
        const named = line.match(/\d+ minutes|\bPT\d+M\b/g) ?? [];
        const isTrue = (text: string) =>
          text === `PT${LONGEST_LIFETIME}M` || text === tokenLifetimes();
        // `npm run docs` writes the tables of assumptions.
        return line.includes(tokenLifetimes()) || named.every(isTrue)
          ? []
          : [`${page}:${place + 1}: ${line.trim()}`];
      }),
  );
  expect(wrong, `Tokens live ${tokenLifetimes()}. These lines say otherwise`).toEqual([]);
});
