import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { FixtureError } from '../products/fixture-error.ts';
import { FileError } from './errors.ts';
import { jsonMistake } from './json-mistake.ts';

/** The JSON in a file. Throws `FileError` that names line and column of a mistake. */
export function readJsonFile(file: string): unknown {
  const text = readTextFile(file);
  try {
    return JSON.parse(text);
  } catch {
    throw new FileError(file, jsonMistake(text));
  }
}

function readTextFile(file: string): string {
  try {
    // A byte order mark is what some editors begin a file with.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new FileError(file, whyUnreadable(error as NodeJS.ErrnoException));
  }
}

/**
 * The fixture files of a folder, by name. Files it lacks are left to the built-in ones. Throws
 * `FixtureError` that names line and column of every file that is no JSON, and every file of an unknown name.
 */
export function readFixtureFolder(folder: string): Readonly<Record<string, unknown>> {
  const files: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const name of jsonFilesIn(folder)) {
    try {
      files[name] = readJsonFile(join(folder, name));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new FixtureError(problems);
  return files;
}

function jsonFilesIn(folder: string): string[] {
  try {
    return (
      readdirSync(folder, { withFileTypes: true })
        // A hidden file is an editor's or a system's own, such as the lock `.#motor.json`.
        .filter(({ name }) => name.endsWith('.json') && !name.startsWith('.'))
        .filter((entry) => !entry.isDirectory())
        .map((entry) => entry.name)
        .sort()
    );
  } catch (error) {
    throw new FileError(folder, whyUnreadable(error as NodeJS.ErrnoException));
  }
}

function whyUnreadable({ code, message }: NodeJS.ErrnoException): string {
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

/*
 * Whether a file can be written is asked before there is anything to lose: a state that can't be saved
 * when the sandbox stops, a report of a check that has sent all its requests.
 */

/** Throws `FileError` where a file could not be written. */
export function requireWritable(file: string): void {
  if (!existsSync(file)) requireWritableFolder(file);
  else if (statSync(file).isDirectory()) throw new FileError(file, 'is a folder, not a file');
  else if (!isWritable(file)) throw new FileError(file, 'may not be written by this user');
}

/** Throws `FileError` where no file could be put into the folder of a file. */
export function requireWritableFolder(file: string): void {
  const folder = dirname(file);
  if (!existsSync(folder)) throw new FileError(file, 'its folder does not exist');
  if (!statSync(folder).isDirectory()) throw new FileError(file, 'its folder is a file');
  if (!isWritable(folder)) {
    throw new FileError(file, 'its folder may not be written by this user');
  }
}

/**
 * Writes a file so that nobody ever finds half of it: what is no plain file, a pipe for one, is written to
 * directly. Throws `FileError`.
 */
export function writeWhole(file: string, content: string): void {
  try {
    const place = existsSync(file) ? realpathSync(file) : file;
    const isPlain = !existsSync(place) || statSync(place).isFile();
    if (isPlain) replaceFile(place, content);
    else writeFileSync(place, content);
  } catch (error) {
    throw new FileError(file, `could not be written: ${(error as Error).message}`);
  }
}

function replaceFile(file: string, content: string): void {
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, content);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
