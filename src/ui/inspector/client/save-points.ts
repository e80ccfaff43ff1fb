/* Save points: Worlds as the sandbox saved them, to go back to, and the undo of what replaces a World. */

import type { Child } from 'hono/jsx/dom';
import { merchantHeaders, request } from './api.ts';
import { attempt } from './merchants.ts';
import { sentence } from './parts.tsx';
import { chosenMerchant, getState, notify, type SavePoint, setState } from './store.ts';

const SNAPSHOT = '/_sandbox/snapshot';

/** Older save points go, because a World can be large. */
const MAX_SAVE_POINTS = 20;

const takeSnapshot = async (): Promise<Blob> =>
  (await request(SNAPSHOT, { headers: merchantHeaders() })).blob();

/** Saves the World of the chosen merchant under a name. */
export async function savePoint(name: string): Promise<void> {
  keep(name, await takeSnapshot());
  notify('ok', sentence`Saved ${name}. World ▾ goes back to it.`);
}

function keep(name: string, snapshot: Blob): SavePoint {
  const merchant = chosenMerchant(getState())?.id ?? 0;
  const point = { name, merchant, snapshot };
  setState({ savePoints: [point, ...getState().savePoints].slice(0, MAX_SAVE_POINTS) });
  return point;
}

/** Replaces the World, after a save point that the notice can go back to. */
export const replaceWorld = (
  name: string,
  said: Child,
  act: () => Promise<unknown>,
): Promise<void> =>
  attempt(async () => {
    const snapshot = await takeSnapshot();
    await act();
    const before = keep(name, snapshot);
    notify('ok', said, { undo: () => undo(before) });
  });

/** Restores a World that was saved, here or in a file. A snapshot that cannot be read changes nothing. */
export const restoreWorld = (name: string, snapshot: Blob): Promise<void> =>
  replaceWorld(`before restoring ${name}`, sentence`Restored ${name}.`, () => put(snapshot));

const undo = ({ name, snapshot }: SavePoint): Promise<void> =>
  attempt(async () => {
    await put(snapshot);
    notify('ok', sentence`Undone: ${name}.`);
  });

const put = (body: Blob): Promise<Response> =>
  request(SNAPSHOT, {
    method: 'PUT',
    headers: { ...merchantHeaders(), 'content-type': 'application/json' },
    body,
  });

/** Saves the World as a file of the browser. */
export const download = (): Promise<void> =>
  attempt(async () => {
    const address = URL.createObjectURL(await takeSnapshot());
    const link = document.createElement('a');
    link.href = address;
    link.download = `world-${chosenMerchant(getState())?.id}.json`;
    link.click();
    URL.revokeObjectURL(address);
  });
