import { expect, test } from 'vitest';
import { balanceIsolates, isolate, shorten } from '../../src/ui/layout/client/user-text.ts';

const [LRI, RLI, FSI, PDI] = ['\u2066', '\u2067', '\u2068', '\u2069'];

test('an isolate that a text leaves open is closed in its line', () => {
  expect(balanceIsolates(`a${RLI}b`)).toBe(`a${RLI}b${PDI}`);
  expect(balanceIsolates(`${LRI}a${FSI}b${PDI}\nc`)).toBe(`${LRI}a${FSI}b${PDI}${PDI}\nc`);
});

test('a mark that closes no isolate of its line is left out', () => {
  expect(balanceIsolates(`a${PDI}${PDI}b`)).toBe('ab');
  expect(balanceIsolates(`${RLI}a\nb${PDI}`)).toBe(`${RLI}a${PDI}\nb`);
});

test('what ends a paragraph is a space, and a line still ends where it did', () => {
  expect(balanceIsolates('a\u2029b\u0085c\u001cd\re')).toBe('a b c d e');
  expect(balanceIsolates('a\n\tb')).toBe('a\n\tb');
});

test('any other text stays as it is, and so do isolates that are whole', () => {
  for (const text of ['', 'Ada Obi', 'مرحبا', `a \u202Eb`, `${RLI}a${PDI} b`]) {
    expect(balanceIsolates(text)).toBe(text);
  }
});

test('a text in an isolate is cut where it is long', () => {
  expect(isolate('Ada')).toBe(`${FSI}Ada${PDI}`);
  expect(isolate(`${RLI}${'a'.repeat(300)}`)).toBe(`${FSI}${RLI}${'a'.repeat(199)}…${PDI}${PDI}`);
  expect(shorten('a'.repeat(200))).toBe('a'.repeat(200));
});
