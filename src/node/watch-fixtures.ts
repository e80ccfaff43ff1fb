import { statSync } from 'node:fs';
import { watch } from 'chokidar';
import type { SandboxCore } from '../core.ts';
import { FixtureError } from '../products/fixture-error.ts';
import type { FixtureFiles } from '../products/fixtures.ts';
import { wait } from '../world/clock.ts';
import { FileError } from './errors.ts';
import { readFixtureFolder } from './files.ts';

/** Editors write in steps, and several files in a row: files are read after a pause this long. */
const QUIET_MS = 100;
/** How often a missing folder is looked for. */
const ABSENCE_MS = 250;

/** What is done with fixtures that have changed. */
export interface FixtureWatch {
  readonly folder: string;
  /** Its files as they were read before. */
  readonly files: FixtureFiles;
  readonly change: SandboxCore['changeFixtures'];
  /** Takes a line about fixtures that were read. */
  readonly tell: (line: string) => void;
  /** Takes a line, or several, about what keeps them from being read. */
  readonly warn: (line: string) => void;
}

/** Reads the fixtures of a folder again whenever one of its files has changed, until it is ended. */
export function watchFixtures(watched: FixtureWatch): { end(): Promise<void> } {
  const { folder, warn } = watched;
  const ending = new AbortController();
  const read = createReader(watched);
  let events = 0;
  let reading: Promise<void> | undefined;
  const open = () =>
    watch(folder, { depth: 0, ignoreInitial: true })
      .on('all', changed)
      // Catches changes between the first reading and this moment.
      .on('ready', changed)
      .on('error', (error) => warn(`${folder} can not be watched: ${(error as Error).message}`));
  let watcher = open();
  let identity = identityOf(folder);

  function changed(): void {
    events++;
    reading ??= readWhenQuiet().finally(() => {
      reading = undefined;
    });
  }

  async function readWhenQuiet(): Promise<void> {
    for (let seen = 0; seen !== events; ) {
      seen = events;
      await wait(QUIET_MS, ending.signal);
    }
    if (ending.signal.aborted) return;
    read();
    if (identityOf(folder) === identity) return;
    // A watcher does not see a new folder that replaces the old one.
    await watcher.close();
    while (!identityOf(folder) && !ending.signal.aborted) await wait(ABSENCE_MS, ending.signal);
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

/** Identifies a folder, also against one that replaces it; undefined if there is none. */
function identityOf(folder: string): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found && `${found.ino} ${found.birthtimeMs}`;
}

/** Reads a folder and serves its files if they changed, or prints why that fails. */
export function createReader({ folder, files, change, tell, warn }: FixtureWatch): () => void {
  let served = files;
  let mistake: string | undefined;
  return () => {
    const before = mistake;
    mistake = undefined;
    try {
      const read = readFixtureFolder(folder);
      const names = changedNames(served, read);
      if (names.length === 0 && before === undefined) return;
      const notes = change(read);
      served = read;
      tell([describe(folder, names), ...notes].join(' '));
    } catch (error) {
      if (!(error instanceof FixtureError || error instanceof FileError)) throw error;
      mistake = error.message;
      if (mistake !== before) warn(`${mistake}\nThe fixtures stay as they were.`);
    }
  };
}

/** The files that are not as they were. */
function changedNames(before: FixtureFiles, after: FixtureFiles): string[] {
  return Object.keys({ ...before, ...after })
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => (name in after ? name : `${name} (built in again)`));
}

const describe = (folder: string, names: readonly string[]): string =>
  names.length === 0
    ? `${folder} read again: it is as it was.`
    : `${names.join(', ')} read again: resets and new merchants take ${names.length === 1 ? 'it' : 'them'}.`;
