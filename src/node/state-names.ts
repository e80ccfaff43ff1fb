/* The names of the files that stand next to a state file for a while. */

import { createHash, randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/** The longest name that file systems take, in bytes. */
const MAX_NAME = 255;
/** A socket path is cut at 107 bytes without an error, and begins with the open folder. */
const MAX_LOCK_NAME = 64;

/** The beginning of a name next to a file: the file's own, or its digest if that is too long. */
function startOf(file: string, maxBytes: number): string {
  const name = basename(file);
  return Buffer.byteLength(name) <= maxBytes ? name : digestOf(name);
}

/** 32 hex digits. */
export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The path of the lock of a state file. */
export const lockPath = (file: string): string =>
  join(dirname(file), `${startOf(file, MAX_LOCK_NAME - '.lock'.length)}.lock`);

const TEMPORARY = /^\.[0-9a-f]{16}\.tmp$/;
const temporaryStart = (file: string): string =>
  startOf(file, MAX_NAME - '.0123456789abcdef.tmp'.length);

/** A new path of a temporary file that will replace a state file or its log. */
export const temporaryPath = (file: string): string =>
  join(dirname(file), `${temporaryStart(file)}.${randomBytes(8).toString('hex')}.tmp`);

/** Whether a file in the folder of a state file is a temporary file of it. */
export function isTemporary(file: string, name: string): boolean {
  const start = temporaryStart(file);
  return name.startsWith(start) && TEMPORARY.test(name.slice(start.length));
}
