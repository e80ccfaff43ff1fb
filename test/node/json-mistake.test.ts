import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonMistake } from '../../src/node/files.ts';

test.each([
  ['', 'line 1, column 1: expected a value, got the end of the file'],
  ['{"a": 1', 'line 1, column 8: expected a comma or }, got the end of the file'],
  ['{"a" 1}', 'line 1, column 6: expected a colon, got "1"'],
  ['{"a": 1,}', 'line 1, column 9: expected a key in double quotes, got "}"'],
  ['{a: 1}', 'line 1, column 2: expected a key in double quotes or }, got "a"'],
  ['[1, 2,\n  three]', 'line 2, column 3: expected a value, got "three"'],
  ['[1\n2]', 'line 2, column 1: expected a comma or ], got "2"'],
  ['[01]', 'line 1, column 2: expected a value or ], got "01"'],
  ['["open]', 'line 1, column 2: expected a value or ], got "\\""'],
  ['{} {}', 'line 1, column 4: expected the end of the file, got "{"'],
  ["['a']", 'line 1, column 2: expected a value or ], got "\'"'],
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
  fc.assert(
    fc.property(broken, (text) => /^line \d+, column \d+: expected /.test(jsonMistake(text))),
  );
});
