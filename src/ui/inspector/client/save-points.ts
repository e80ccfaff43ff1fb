/* Save points: Worlds as the sandbox saved them, to go back to, and the undo of what replaces a World. */

import type { Child } from 'hono/jsx/dom';
import { bearer, request } from './api.ts';
import { attempt } from './merchants.ts';
import { sentence } from './parts.tsx';
import { getState, keyFor, notify, type SavePoint, setState } from './store.ts';

const SNAPSHOT = '/_sandbox/snapshot';

/** Older save points go, because a World can be large. */
const MAX_SAVE_POINTS = 20;

/** The World of a merchant as it is now. */
async function take(name: string, merchant = getState().address.merchant): Promise<SavePoint> {
  const response = await request(SNAPSHOT, { headers: bearer(keyFor(merchant)) });
  return { name, merchant, snapshot: await response.blob() };
}

const put = ({ merchant, snapshot }: SavePoint): Promise<Response> =>
  request(SNAPSHOT, {
    method: 'PUT',
    headers: { ...bearer(keyFor(merchant)), 'content-type': 'application/json' },
    body: snapshot,
  });

const keep = (point: SavePoint): void =>
  setState({ savePoints: [point, ...getState().savePoints].slice(0, MAX_SAVE_POINTS) });

/** Saves the World of the chosen merchant under a name. */
export async function savePoint(name: string): Promise<void> {
  keep(await take(name));
  notify('ok', sentence`Saved ${name}. World ▾ goes back to it.`);
}

/** Replaces the World of a merchant, after a save point that the notice can go back to. */
export const replaceWorld = (
  merchant: number | undefined,
  name: string,
  said: Child,
  act: () => Promise<unknown>,
): Promise<void> =>
  attempt(async () => {
    const before = await take(name, merchant);
    await act();
    keep(before);
    notify('ok', said, { undo: () => undo(before) });
  });

/** Restores a World that was saved, here or in a file. A snapshot that cannot be read changes nothing. */
export const restoreWorld = (point: SavePoint): Promise<void> =>
  replaceWorld(
    point.merchant,
    `before restoring ${point.name}`,
    sentence`Restored ${point.name}.`,
    () => put(point),
  );

const undo = (point: SavePoint): Promise<void> =>
  attempt(async () => {
    await put(point);
    notify('ok', sentence`Undone: ${point.name}.`);
  });

/** Saves the World as a file of the browser. */
export const download = (): Promise<void> =>
  attempt(async () => {
    const { merchant, snapshot } = await take('');
    const address = URL.createObjectURL(snapshot);
    const link = document.createElement('a');
    link.href = address;
    link.download = `world-${merchant}.json`;
    link.click();
    URL.revokeObjectURL(address);
  });
