import { describe, expect, test } from 'vitest';
import { FOLDED, jsonLines } from '../../src/ui/inspector/client/json-view.tsx';

const NOTHING: ReadonlySet<string> = new Set();

/** The lines as text, with the number of folded members in brackets. */
const shown = (value: unknown, marked = NOTHING, unfolded = FOLDED) =>
  jsonLines(value, marked, unfolded).map(({ indent, key, text, comma, count }) =>
    [
      '  '.repeat(indent),
      key === undefined ? '' : `"${key}": `,
      text,
      comma ? ',' : '',
      count === undefined ? '' : ` (${count})`,
    ].join(''),
  );

describe('JSON as lines', () => {
  test('looks like the output of JSON.stringify', () => {
    const value = { a: 'x "y"', b: [1, null, true, {}, []], c: { d: { e: -1.5 } } };
    expect(shown(value).join('\n')).toBe(JSON.stringify(value, null, 2));
    expect(shown(7)).toEqual(['7']);
  });

  test('shows the first hundred of 5,000 members, and more on request', () => {
    const lines = jsonLines(Array(5000).fill(1), NOTHING, FOLDED);
    expect(lines).toHaveLength(103);
    expect(lines.at(-2)).toMatchObject({ kind: 'more', path: '', count: 4900 });
    const more = new Map([['', 600]]);
    expect(jsonLines(Array(5000).fill(1), NOTHING, more)).toHaveLength(603);
  });

  test('folds long lists, and unfolds them on request', () => {
    const value = { list: Array.from({ length: 300 }, (_, id) => ({ id, a: 1, b: 2, c: 3 })) };
    expect(jsonLines(value, NOTHING, FOLDED).length).toBeLessThan(400);
    const closed = new Map([['list', 0]]);
    expect(shown(value, NOTHING, closed)).toEqual(['{', '  "list": [ … ] (300)', '}']);
    const open = new Map([['list.99', 100]]);
    expect(shown(value, NOTHING, open)).toContain('      "id": 99,');
  });

  test('shows marked values at any position', () => {
    const value = { list: Array.from({ length: 5000 }, (_, id) => ({ id })) };
    const lines = jsonLines(value, new Set(['list.4321.id']), FOLDED);
    expect(lines.find(({ path }) => path === 'list.4321.id')?.text).toBe('4321');
    const leftOut = lines.filter(({ kind }) => kind === 'more').map(({ count }) => count);
    expect(leftOut).toEqual([4221, 678]);
  });
});
