import { describe, expect, test } from 'vitest';
import { stripEmpty } from '../../src/api/request.ts';

describe('stripEmpty', () => {
  test('removes null and blank text at any depth of an object', () => {
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

  test('removes empty fields of objects in a list but keeps the list items', () => {
    expect(stripEmpty([{ a: ' ', b: 1 }, null, ' '])).toEqual([{ b: 1 }, null, ' ']);
  });

  test('keeps white space around text', () => {
    expect(stripEmpty({ a: ' Ada ' })).toEqual({ a: ' Ada ' });
  });

  test('cannot change a prototype', () => {
    const sent = JSON.parse('{"__proto__":{"a":null,"polluted":1},"b":null}');
    const cleared = stripEmpty(sent) as object;
    expect(Object.getPrototypeOf(cleared)).toBe(Object.prototype);
    expect(JSON.stringify(cleared)).toBe('{"__proto__":{"polluted":1}}');
  });
});
