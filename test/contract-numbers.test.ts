import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { IDENTITY_LENGTH, PAGE_SIZE, PHONE_LENGTH, TOKEN_MINUTES } from '../src/world/limits.ts';

test('a token is valid for 15 minutes, a page has 15 items, a phone number and an identity number 11 digits (specification "Limits", list-selection, phone-digits, nin-number)', () => {
  expect({ TOKEN_MINUTES, PAGE_SIZE, PHONE_LENGTH, IDENTITY_LENGTH }).toEqual({
    TOKEN_MINUTES: 15,
    PAGE_SIZE: 15,
    PHONE_LENGTH: 11,
    IDENTITY_LENGTH: 11,
  });
});

const PAGES = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'src/types/public.ts',
];

/** Where pages name a number that src decides, and what they should say. */
const NUMBERS = {
  'the lifetime of tokens': {
    named: /\d+ minutes|\bPT\d+M\b/g,
    // And the minute after, as faults write it.
    said: [
      `${TOKEN_MINUTES} minutes`,
      `PT${TOKEN_MINUTES}M`,
      `PT${TOKEN_MINUTES + 1}M`,
      `${TOKEN_MINUTES + 1} minutes`,
    ],
  },
  'the items on a page': {
    named: /\d+ (?:elements|items|policies) a page/g,
    said: [`${PAGE_SIZE} elements a page`],
  },
  'the digits of a phone number': {
    named: /(?:phone\w* field must be|\[redacted\]) \d+ digits/g,
    said: [`phone_no field must be ${PHONE_LENGTH} digits`, `[redacted] ${PHONE_LENGTH} digits`],
  },
};

test.for(Object.entries(NUMBERS))(
  'pages written by hand name %s as src does',
  ([, { named, said }]) => {
    // `npm run docs` writes the tables of assumptions.
    const lines = PAGES.flatMap((page) =>
      readFileSync(page, 'utf8')
        .split('\n')
        .map((line, place) => ({ line, at: `${page}:${place + 1}: ${line.trim()}` })),
    );
    const naming = lines.filter(({ line }) => line.match(named));
    const wrong = naming.filter(({ line }) => {
      const rest = said.reduce((text, sentence) => text.replaceAll(sentence, ''), line);
      return rest.match(named);
    });
    expect(
      wrong.map(({ at }) => at),
      `These lines should say one of: ${said.join(', ')}`,
    ).toEqual([]);
    expect(naming, 'No page names this number any more: take it out of NUMBERS').not.toEqual([]);
  },
);
