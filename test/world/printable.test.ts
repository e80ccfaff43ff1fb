import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable, quoted } from '../../src/world/printable.ts';
import { truncate } from '../../src/world/problem-texts.ts';
import { anyCharacter } from '../support/characters.ts';

/** Texts with any characters, and many that break lines, steer terminals or cannot be seen. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 3 }),
    fc.constantFrom(
      ...'\n\r\t\u001b\u0085\u2028\u2029\u202e\u2066\u200b\u2060\ufeff\u00ad\ud83e"\\',
    ),
    fc.constantFrom('\u{e0041}', '\u{e0100}', '\ufe0f', '🦁', 'Ọlá'),
  ),
});
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/u;

test.each([
  ['Ada\nObi', 'Ada\\nObi'],
  ['red \u001b[31m, C1 \u009b2J', 'red \\u001b[31m, C1 \\u009b2J'],
  ['lines\u2028and\u2029paragraphs', 'lines\\u2028and\\u2029paragraphs'],
  ['\u202ereversed, zero\u200bwidth', '\\u202ereversed, zero\\u200bwidth'],
  ['a hidden \u{e0041}, half a 🦁: \ud83e', 'a hidden \\udb40\\udc41, half a 🦁: \\ud83e'],
  ['Ọlá Şule Καλή 🦁 "x" \\', 'Ọlá Şule Καλή 🦁 "x" \\'],
])('%j is shown as %s', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('whatever a text is, it is shown on one line, and in quotes it can be read back', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(printable(text)).not.toMatch(UNSEEN);
      expect(truncate(text)).not.toMatch(UNSEEN);
      expect(truncate(text).length).toBeLessThanOrEqual(60);
      const shown = quoted({ [text]: [text] });
      expect(shown).not.toMatch(UNSEEN);
      expect(JSON.parse(shown)).toEqual({ [text]: [text] });
    }),
  );
});
