import { describe, expect, test } from 'vitest';
import { withoutBlanks } from '../../src/http/blanks.ts';

describe('what counts as missing', () => {
  test('is null and text of white space only, wherever in an object it stands', () => {
    const sent = {
      a: null,
      b: ' \t\n',
      c: '',
      d: '\u00a0',
      kept: { e: null, f: 0, g: false },
      h: [],
    };
    expect(withoutBlanks(sent)).toEqual({ kept: { f: 0, g: false }, h: [] });
  });

  test('is cleared from objects in a list; the list keeps its length', () => {
    expect(withoutBlanks([{ a: ' ', b: 1 }, null, ' '])).toEqual([{ b: 1 }, null, ' ']);
  });

  test('is not text around which there is white space: it is answered as it was sent', () => {
    expect(withoutBlanks({ a: ' Ada ' })).toEqual({ a: ' Ada ' });
  });

  test('changes nothing of what was sent', () => {
    const sent = { a: null, list: [{ b: ' ' }] };
    withoutBlanks(sent);
    expect(sent).toEqual({ a: null, list: [{ b: ' ' }] });
  });

  test('costs no copy where there is none of it', () => {
    const sent = { a: 1, list: [{ b: 'x' }], inside: { c: true } };
    expect(withoutBlanks(sent)).toBe(sent);
  });

  test('can not reach the prototype of anything', () => {
    const sent = JSON.parse('{"__proto__":{"a":null,"polluted":1},"b":null}');
    const cleared = withoutBlanks(sent) as object;
    expect(Object.getPrototypeOf(cleared)).toBe(Object.prototype);
    expect(JSON.stringify(cleared)).toBe('{"__proto__":{"polluted":1}}');
  });
});
