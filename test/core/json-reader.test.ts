import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createJsonReader } from '../../src/core/json-reader.ts';

function read(pieces: readonly string[], maxDepth = 100): unknown {
  const reader = createJsonReader(maxDepth);
  for (const piece of pieces) reader.push(piece);
  return reader.end();
}

/** A text in pieces of that many characters. */
const cut = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, place) =>
    text.slice(place * size, (place + 1) * size),
  );

/** So much white space that what comes before it is read before what comes after. */
const GAP = ' '.repeat(64 * 1024);

describe('a JSON text in pieces', () => {
  test('is what JSON.parse makes of the whole, wherever it is cut', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 6 }),
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        (text, seed, size) => {
          // A gap at some places makes the reader read what it has.
          const spaced = text.replace(
            /(?<=[[{,:])(?![^"]*"(?:[^"]*"[^"]*")*[^"]*$)/g,
            (_, place: number) => ((place + seed) % 7 === 0 ? GAP : ''),
          );
          expect(read(cut(spaced, size * 9973))).toEqual(JSON.parse(spaced));
          expect(JSON.stringify(read([spaced]))).toBe(JSON.stringify(JSON.parse(spaced)));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('keeps fields named __proto__ or like a number, where a piece ends inside of them too', () => {
    const text = `{"b":{"x":1},"1":{"y":${GAP}[2,${GAP}{"__proto__":${GAP}{"z":3},"__proto__":4}]}}`;
    expect(JSON.stringify(read(cut(text, 1000)))).toBe(JSON.stringify(JSON.parse(text)));
  });

  test.each(['-0', '1e400', '"\\u0041\\\\"', 'null', '[]', '{}', '[[],{}]', ' 12 ', '"\\""'])(
    'reads %s',
    (text) => {
      expect(read(cut(text, 1))).toEqual(JSON.parse(text));
      expect(read(cut(`[${GAP}${text}${GAP},${text}]`, 1000))).toEqual(
        JSON.parse(`[${text},${text}]`),
      );
    },
  );

  test.each([
    '',
    ' ',
    '[',
    '{',
    '[1',
    '[1,',
    '{"a"',
    '{"a":',
    '{"a":1',
    '"abc',
    'tru',
    '[1 2]',
    '[,1]',
    '[1,]',
    '[1,,2]',
    '{"a":1,}',
    '{,}',
    '{"a" 1}',
    '{a:1}',
    '{1:1}',
    '{"a":1}x',
    '[]]',
    '[}',
    '01',
    '1.',
    '+1',
    '.5',
    'NaN',
    '"\u0001"',
    '\u00a0[1]',
    '{"a":1 "b":2}',
    "['a']",
    '[1}',
    '{"a":[1}',
  ])('refuses %j, whole and in pieces', (text) => {
    const spaced = text.replace(/[[\]{},:]/g, (sign) => `${GAP}${sign}${GAP}`);
    for (const pieces of [[text], cut(text, 1), [spaced], cut(spaced, 1000)]) {
      expect(() => read(pieces), pieces.join('').trim()).toThrow(SyntaxError);
    }
  });

  test('names the place of a mistake', () => {
    expect(() => read([`[1,${GAP}x]`])).toThrow(
      `Unexpected "x" in JSON at position ${3 + GAP.length}`,
    );
    expect(() => read(['[{"a":1,}]'])).toThrow('at position 8');
    expect(() => read(['[1'])).toThrow('Unexpected end of JSON at position 2');
  });

  test('may be nested so deep and no deeper', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(() => read([nested(100)])).not.toThrow();
    expect(() => read([nested(101)])).toThrow('deeper than 100 levels');
    expect(() => read([`[${GAP}${nested(100)}]`])).toThrow('deeper than 100 levels');
    expect(() => read([`[${GAP}`.repeat(101)])).toThrow('deeper than 100 levels');
  });
});
