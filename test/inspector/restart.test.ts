import { expect, test } from 'vitest';
import { isAnotherWorld } from '../../src/ui/inspector/client/restart.ts';
import { entry } from './entry.ts';

const at = (shown: number) => ({ shown, readAt: 0, mode: 'frozen' }) as const;
const keyless = entry({ id: 'req-0-9', merchant: null });
const call = entry({ id: 'req-1-2' });
const known = { calls: [keyless, call], policies: { motor: 7 }, clock: at(60_000) };

test.each([
  ['the newest call of a merchant', { calls: [entry({ id: 'req-1-1' })] }],
  ['that call, with its id given to a later one', { calls: [{ ...call, at: '2030-01-01' }] }],
  ['policies', { policies: { motor: 6 } }],
  ['time that had passed', { clock: at(0) }],
])('a sandbox that came back is another one if it lacks %s', (_, change) => {
  expect(isAnotherWorld(known, { ...known, ...change })).toBe(true);
});

test.each([
  ['has all of it and more', { calls: [entry({ id: 'req-1-3' }), call], policies: { motor: 8 } }],
  ['forgot calls without a valid key', { calls: [call] }],
  ['is not read yet', { calls: undefined, policies: {}, clock: undefined }],
])('a sandbox that came back is the same if it %s', (_, change) => {
  expect(isAnotherWorld(known, { ...known, ...change })).toBe(false);
});
