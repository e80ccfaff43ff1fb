/* Reads and writes files, and throws errors that name the file and say why. */

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
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { FixtureError } from '../products/fixture-error.ts';
import { PROGRAM } from '../start-options.ts';
import { printable } from '../world/printable.ts';
import { FileError, fileProblem } from './errors.ts';

/** Reads a JSON file. Throws a `FileError` with the line and column of a mistake. */
export function readJsonFile(file: string): unknown {
  const text = readTextFile(file);
  try {
    return JSON.parse(text);
  } catch {
    throw new FileError(file, text.trim() === '' ? 'is empty' : jsonMistake(text));
  }
}

/** Whether the first line of a file is that of a state file or its log. */
export function isStateFile(file: string): boolean {
  if (!existsSync(file) || !statSync(file).isFile()) return false;
  const [first = ''] = new TextDecoder().decode(readBytes(file)).split('\n', 1);
  return first.startsWith('{') && first.includes(`"state":"${PROGRAM}"`);
}

/** Removes a byte order mark, which some editors add. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function readTextFile(file: string): string {
  const bytes = readBytes(file);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new FileError(file, 'is not UTF-8 text; save it as UTF-8');
  }
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new FileError(file, fileProblem(error, 'read'));
  }
}

/**
 * Reads the fixture files of a folder, by name. Throws a `FixtureError` with the line and column of each JSON mistake.
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
  if (problems.length > 0) throw new FixtureError(problems.map(printable));
  return files;
}

function jsonFilesIn(folder: string): string[] {
  try {
    return (
      readdirSync(folder, { withFileTypes: true })
        // Editors create hidden files, such as the lock `.#motor.json`.
        .filter(({ name }) => name.endsWith('.json') && !name.startsWith('.'))
        .filter((entry) => !entry.isDirectory())
        .map((entry) => entry.name)
        .sort()
    );
  } catch (error) {
    throw new FileError(folder, fileProblem(error, 'read'));
  }
}

/* Commands check at the start that they can write a file, not after the work is done. */

/** Throws `FileError` if the file cannot be written. */
export function requireWritable(file: string): void {
  if (!existsSync(file)) requireWritableFolder(file);
  else if (statSync(file).isDirectory()) throw new FileError(file, 'is a folder, not a file');
  else if (!isWritable(file)) throw new FileError(file, 'cannot be written: permission denied');
}

/** Throws `FileError` if no file can be created in the folder of a file. */
export function requireWritableFolder(file: string): void {
  const folder = dirname(file);
  if (!existsSync(folder)) throw new FileError(file, 'its folder does not exist');
  if (!statSync(folder).isDirectory()) throw new FileError(file, 'its folder is a file');
  if (!isWritable(folder)) {
    throw new FileError(file, 'its folder cannot be written: permission denied');
  }
}

/**
 * Writes a temporary file and renames it, so that readers never see half a file. Writes directly to pipes and devices.
 * Throws `FileError`.
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

/** The first mistake in invalid JSON: `line 3, column 9: comma expected`. Errors of `JSON.parse` may have no position. */
export function jsonMistake(text: string): string {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  const [first] = errors;
  const lines = text.slice(0, first?.offset).split('\n');
  const where = `line ${lines.length}, column ${(lines.at(-1) as string).length + 1}`;
  return `${where}: ${first ? wordsOf(printParseErrorCode(first.error)) : 'invalid JSON'}`;
}

/** `PropertyNameExpected` as words. */
const wordsOf = (name: string): string => name.replace(/\B[A-Z]/g, ' $&').toLowerCase();
