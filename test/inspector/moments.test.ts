import { expect, test } from 'vitest';
import { momentText, remainingText } from '../../src/ui/inspector/client/times.ts';

test('times are shown in UTC, whatever the time zone of the browser', () => {
  expect(momentText(Date.UTC(2026, 0, 31, 10, 15))).toBe('31 Jan 2026 10:15:00 UTC');
});

test.each([
  [900_000, '15 min'],
  [59_001, '1 min'],
  [1, '1 s'],
  [0, 'expired'],
])('shows %d ms as %s', (ms, text) => {
  expect(remainingText(ms)).toBe(text);
});
