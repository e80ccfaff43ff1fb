import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonMistake } from '../../src/node/files.ts';

test.each([
  ['', 'line 1, column 1: value expected'],
  ['{"a": 1', 'line 1, column 8: close brace expected'],
  ['{"a" 1}', 'line 1, column 6: colon expected'],
  ['{"a": 1,}', 'line 1, column 9: property name expected'],
  ['{a: 1}', 'line 1, column 2: invalid symbol'],
  ['[1, 2,\n  three]', 'line 2, column 3: invalid symbol'],
  ['[1\n2]', 'line 2, column 1: comma expected'],
  ['[01]', 'line 1, column 3: comma expected'],
  ['["open]', 'line 1, column 2: unexpected end of string'],
  ['{} {}', 'line 1, column 4: end of file expected'],
  ["['a']", 'line 1, column 2: invalid symbol'],
])('%j: %s', (text, mistake) => {
  expect(jsonMistake(text)).toBe(mistake);
});

test('whatever is cut off or put into a document, a place is named', () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.string())
    .map(([text, at, more]) => text.slice(0, at % (text.length + 1)) + more)
    .filter((text) => {
      try {
        JSON.parse(text);
        return false;
      } catch {
        return true;
      }
    });
  fc.assert(fc.property(broken, (text) => /^line \d+, column \d+: \w/.test(jsonMistake(text))));
});
