import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { ControlError } from '../control/control-error.ts';
import type { Sandbox } from '../public.ts';
import { FileError, readJsonFile, requireWritableFolder } from './files.ts';

/** Puts back what a file holds, if there is one. Throws `FileError`, also where it could not be saved again. */
export function restoreState(sandbox: Sandbox, file: string): void {
  requireWritableFolder(file);
  if (!existsSync(file)) return;
  const state = readJsonFile(file);
  try {
    sandbox.load(state);
  } catch (error) {
    if (error instanceof ControlError) throw new FileError(file, error.message);
    throw error;
  }
}

/** Writes the whole sandbox to a file. The old content stays until the new one is safely there. */
export function saveState(sandbox: Sandbox, file: string): void {
  const fresh = `${file}.${process.pid}.tmp`;
  try {
    const handle = openSync(fresh, 'w', 0o600);
    try {
      writeFileSync(handle, JSON.stringify(sandbox.dump()));
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw new FileError(file, `the state can't be saved: ${(error as Error).message}`);
  }
}
