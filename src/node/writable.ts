import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UnusableFile } from './unusable-file.ts';

/*
 * Whether a file can be written is asked before there is anything to lose: a state that can't be saved
 * when the sandbox stops, a report of a check that has sent all its requests.
 */

/** Throws `UnusableFile` where a file could not be written. */
export function refuseUnwritable(file: string): void {
  if (!existsSync(file)) refuseUnwritableFolder(file);
  else if (statSync(file).isDirectory()) throw new UnusableFile(file, 'is a folder, not a file');
  else if (!mayWrite(file)) throw new UnusableFile(file, 'may not be written by this user');
}

/** Throws `UnusableFile` where no file could be put into the folder of a file. */
export function refuseUnwritableFolder(file: string): void {
  const folder = dirname(file);
  if (!existsSync(folder)) throw new UnusableFile(file, 'its folder does not exist');
  if (!statSync(folder).isDirectory()) throw new UnusableFile(file, 'its folder is a file');
  if (!mayWrite(folder)) {
    throw new UnusableFile(file, 'its folder may not be written by this user');
  }
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
