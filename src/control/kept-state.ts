/* Keeps a sandbox in a state file: restores it, then stores every change. */

import type { StateFiles } from '../storage/lines.ts';
import { StateError } from '../storage/lines.ts';
import { createLog } from '../storage/log.ts';
import { readState } from '../storage/read-state.ts';
import { attachStorage } from '../world/kept-worlds.ts';
import { followFixtures } from './fixture-change.ts';
import type { MerchantStore } from './merchant-store.ts';
import { checkpointOf, completeWorlds, emptySandbox, loadLine } from './stored-worlds.ts';

/** A state that is stored in files. */
export interface KeptState {
  /** Writes a last checkpoint and empties the log. */
  save(): Promise<void>;
}

/**
 * Restores a sandbox from its files, if they exist, and stores its changes in them from now on. Throws `StateError` and
 * leaves the files as they were if they can't be used.
 *
 * @param warn prints a warning
 */
export async function keepState(
  store: MerchantStore,
  files: StateFiles,
  warn: (line: string) => void,
): Promise<KeptState> {
  if (files.size('file') > 0) emptySandbox(store);
  const position = await readState(files, (line) => loadLine(store, line), warn);
  try {
    if (position) completeWorlds(store, position.at);
  } catch (error) {
    throw new StateError('file', (error as Error).message);
  }
  const isChanged = followFixtures(store);
  const source = { now: () => store.time.latest, checkpoint: () => checkpointOf(store) };
  const log = createLog(files, source, position, warn);
  if (isChanged) await log.save();
  // Fails now if the log can't be written, before there is anything to lose.
  log.begin();
  attachStorage(store, log);
  // The requests since the last save have used numbers too.
  if (position?.isUnclean) store.tables.transact(() => ++store.run);
  return { save: log.end };
}
