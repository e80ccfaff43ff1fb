/* Finds out whether a sandbox that came back has the Worlds that the page knew. */

import { keyOf } from './call.ts';
import type { State } from './store.ts';

type Known = Pick<State, 'calls' | 'policies' | 'clock'>;

/** A clock that was read later never shows an earlier time, except for this. */
const TOLERANCE_MS = 1000;

/** Whether something is gone that the page knew: the newest call, policies, or time that had passed. */
export function isAnotherWorld(before: Known, now: Known): boolean {
  // Calls without a valid key belong to no World.
  const newest = before.calls?.find(({ merchant }) => merchant !== null);
  const isSame = (call: typeof newest) =>
    call && newest && keyOf(call) === keyOf(newest) && call.at === newest.at;
  if (newest && now.calls && !now.calls.some(isSame)) return true;
  if (before.clock && now.clock && now.clock.shown < before.clock.shown - TOLERANCE_MS) return true;
  return Object.entries(before.policies).some(
    ([family, count]) => (now.policies[family] ?? count) < count,
  );
}
