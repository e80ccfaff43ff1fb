import { readFileSync } from 'node:fs';
import { jsonMistake } from './json-mistake.ts';
import { UnusableFile } from './unusable-file.ts';

/** The JSON in a file. Throws `UnusableFile` that names line and column of a mistake. */
export function readJsonFile(file: string): unknown {
  const text = readTextFile(file);
  try {
    return JSON.parse(text);
  } catch {
    throw new UnusableFile(file, jsonMistake(text));
  }
}

function readTextFile(file: string): string {
  try {
    // A byte order mark is what some editors begin a file with.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new UnusableFile(file, whyUnreadable(error as NodeJS.ErrnoException));
  }
}

/** Why a file or folder can't be read, in words. */
export function whyUnreadable({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'ENOENT':
      return 'does not exist';
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by this user';
    case 'EISDIR':
      return 'is a folder, not a file';
    case 'ENOTDIR':
      return 'is a file, not a folder';
    default:
      return message;
  }
}
