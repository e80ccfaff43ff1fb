import { expect, test } from 'vitest';
import { headerText } from '../../src/api/hints.ts';

test('plain text becomes a header as it is', () => {
  expect(headerText('email was ignored; did you mean "e-mail"?')).toBe(
    'email was ignored; did you mean "e-mail"?',
  );
  expect(headerText('x'.repeat(500))).toBe('x'.repeat(500));
});

test('other characters are written as in JSON', () => {
  expect(headerText('gr\u00f6\u00dfe\n\u3000 🙂')).toBe(
    'gr\\u00f6\\u00dfe\\u000a\\u3000 \\ud83d\\ude42',
  );
});

test.each([
  ['a long text', 'x'.repeat(60_000), `${'x'.repeat(497)}...`],
  ['a text that is long in ASCII', '\u3000'.repeat(84), `${'\\u3000'.repeat(82)}...`],
])(
  '%s ends with dots after at most 500 characters, never within an escape',
  (_what, text, header) => {
    expect(headerText(text)).toBe(header);
  },
);
