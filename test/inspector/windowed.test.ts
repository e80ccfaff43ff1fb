import { describe, expect, test } from 'vitest';
import { keepPlace, reveal, windowOf } from '../../src/ui/inspector/client/calls.tsx';

const rows = (...ids: string[]) => ids.map((id) => ({ id }));

describe('a long list', () => {
  test('draws what is to be seen and a little around it', () => {
    expect(windowOf(1000, 50, { scrollTop: 0, height: 500 })).toEqual({ from: 0, to: 19 });
    expect(windowOf(1000, 50, { scrollTop: 5000, height: 500 })).toEqual({ from: 92, to: 119 });
    expect(windowOf(3, 50, { scrollTop: 5000, height: 500 })).toEqual({ from: 3, to: 3 });
  });

  test('stays at the row that was first to be seen when others come above it', () => {
    const before = rows('c', 'b', 'a');
    expect(keepPlace(before, rows('e', 'd', 'c', 'b', 'a'), 50, 60)).toBe(160);
    expect(keepPlace(before, rows('d', 'c', 'b', 'a'), 50, 0)).toBeUndefined();
    expect(keepPlace(before, rows('x'), 50, 60)).toBeUndefined();
  });

  test('moves no further than a row needs to be seen whole', () => {
    const view = { scrollTop: 100, height: 200 };
    expect(reveal(0, 50, view)).toBe(0);
    expect(reveal(3, 50, view)).toBe(100);
    expect(reveal(10, 50, view)).toBe(350);
  });
});
