import { describe, expect, test } from 'vitest';
import { stripEmpty } from '../../src/api/request.ts';

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
    expect(stripEmpty(sent)).toEqual({ kept: { f: 0, g: false }, h: [] });
  });

  test('is cleared from objects in a list; the list keeps its length', () => {
    expect(stripEmpty([{ a: ' ', b: 1 }, null, ' '])).toEqual([{ b: 1 }, null, ' ']);
  });

  test('is not text around which there is white space: it is answered as it was sent', () => {
    expect(stripEmpty({ a: ' Ada ' })).toEqual({ a: ' Ada ' });
  });

  test('can not reach the prototype of anything', () => {
    const sent = JSON.parse('{"__proto__":{"a":null,"polluted":1},"b":null}');
    const cleared = stripEmpty(sent) as object;
    expect(Object.getPrototypeOf(cleared)).toBe(Object.prototype);
    expect(JSON.stringify(cleared)).toBe('{"__proto__":{"polluted":1}}');
  });
});
