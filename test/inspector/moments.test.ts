import { describe, expect, test } from 'vitest';
import { momentText, remainingText, shownAt } from '../../src/ui/inspector/client/clock.tsx';

describe('moments', () => {
  test('are shown in UTC, wherever the browser is', () => {
    expect(momentText(Date.UTC(2026, 0, 31, 10, 15))).toBe('31 Jan 2026 10:15:00 UTC');
  });

  test('a running clock goes on from where it was read, a frozen one stands', () => {
    const reading = { shown: 1000, readAt: 50_000 };
    expect(shownAt({ ...reading, mode: 'running' }, 53_000)).toBe(4000);
    expect(shownAt({ ...reading, mode: 'frozen' }, 53_000)).toBe(1000);
  });

  test.each([
    [900_000, '15:00'],
    [59_001, '01:00'],
    [1, '00:01'],
    [0, 'lapsed'],
  ])('of %d ms %s remains', (ms, text) => {
    expect(remainingText(ms)).toBe(text);
  });
});
