/* Watches a folder of fixtures, and uses its files as soon as they change. */

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FixtureError } from '../products/fixture-error.ts';
import type { FixtureContents } from '../products/fixtures.ts';
import type { SandboxCore } from '../sandbox/core.ts';
import { sleepUnmocked } from '../world/clock.ts';
import { FileError } from './errors.ts';
import { readFixtureFolder } from './files.ts';

/** How often to look at the folder. Unlike events of the system, that works for every folder, shared ones included. */
const LOOK_MS = 100;

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
  const ending = new AbortController();
  const read = createReader(watched);
  const look = async () => {
    // The first look reads them, to catch changes since they were read.
    let used: string | undefined;
    let before: string | undefined;
    while (!ending.signal.aborted) {
      const now = versionOf(watched.folder);
      // Editors write in steps and save several files in a row.
      if (now !== used && now === before) {
        read();
        used = now;
      }
      before = now;
      await sleepUnmocked(LOOK_MS, ending.signal);
    }
  };
  const looking = look();
  return {
    end() {
      ending.abort();
      return looking;
    },
  };
}

/** A text that differs once a file of the folder has changed. */
function versionOf(folder: string): string {
  try {
    const files = readdirSync(folder).map((name) => {
      const stats = statSync(join(folder, name), { throwIfNoEntry: false });
      return `${name} ${stats?.ino} ${stats?.size} ${stats?.mtimeMs}`;
    });
    return files.join('\n');
  } catch (error) {
    return (error as Error).message;
  }
}

/** Reads a folder and uses its files if they changed, or prints why that failed. */
function createReader({ folder, files, change, tell, warn }: FixtureWatch): () => void {
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
