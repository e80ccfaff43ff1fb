/* Watches a folder of fixtures, and uses its files as soon as they change. */

import { statSync } from 'node:fs';
import { watch } from 'chokidar';
import { FixtureError } from '../products/fixture-error.ts';
import type { FixtureContents } from '../products/fixtures.ts';
import type { SandboxCore } from '../sandbox/core.ts';
import { sleepUnmocked } from '../world/clock.ts';
import { FileError } from './errors.ts';
import { readFixtureFolder } from './files.ts';

/** Editors write in steps and save several files in a row, so files are read after a pause. */
const QUIET_MS = 100;
/** How often to look for a missing folder. */
const ABSENCE_MS = 250;

/** What to watch, and what to do with changed fixtures. */
export interface FixtureWatch {
  readonly folder: string;
  /** Its files at the last read. */
  readonly files: FixtureContents;
  readonly change: SandboxCore['changeFixtures'];
  /** Prints a line about fixtures that were read. */
  readonly tell: (line: string) => void;
  /** Prints one or more lines about why they could not be read. */
  readonly warn: (line: string) => void;
}

/** Reads the fixtures of a folder again whenever a file changes. */
export function watchFixtures(watched: FixtureWatch): { end(): Promise<void> } {
  const { folder, warn } = watched;
  const ending = new AbortController();
  const read = createReader(watched);
  let events = 0;
  let reading: Promise<void> | undefined;
  const open = () =>
    watch(folder, { depth: 0, ignoreInitial: true })
      .on('all', changed)
      // Catches changes since the first read.
      .on('ready', changed)
      .on('error', (error) => warn(`${folder} cannot be watched: ${(error as Error).message}`));
  let watcher = open();
  let identity = identityOf(folder);

  function changed(): void {
    events++;
    reading ??= readWhenQuiet().finally(() => {
      reading = undefined;
    });
  }

  async function readWhenQuiet(): Promise<void> {
    for (let handled = 0; handled !== events; ) {
      handled = events;
      await sleepUnmocked(QUIET_MS, ending.signal);
    }
    if (ending.signal.aborted) return;
    read();
    if (identityOf(folder) === identity) return;
    // A watcher does not notice that another folder replaced its own.
    await watcher.close();
    while (!identityOf(folder) && !ending.signal.aborted)
      await sleepUnmocked(ABSENCE_MS, ending.signal);
    if (ending.signal.aborted) return;
    identity = identityOf(folder);
    watcher = open();
  }

  return {
    async end() {
      ending.abort();
      await reading;
      await watcher.close();
    },
  };
}

/** Tells a folder from one that replaces it; undefined if there is none. */
function identityOf(folder: string): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found && `${found.ino} ${found.birthtimeMs}`;
}

/** Reads a folder and uses its files if they changed, or prints why that failed. */
export function createReader({ folder, files, change, tell, warn }: FixtureWatch): () => void {
  let served = files;
  let mistake: string | undefined;
  return () => {
    const before = mistake;
    mistake = undefined;
    try {
      const read = readFixtureFolder(folder);
      const isSame = JSON.stringify(read) === JSON.stringify(served);
      if (isSame && before === undefined) return;
      change(read);
      served = read;
      tell(`Reloaded ${folder} for new merchants and resets.`);
    } catch (error) {
      if (!(error instanceof FixtureError || error instanceof FileError)) throw error;
      mistake = error.message;
      if (mistake !== before) warn(`${mistake}\nThe old fixtures stay in use.`);
    }
  };
}
