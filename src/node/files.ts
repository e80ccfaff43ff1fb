/* Reads and writes files, and throws errors that name the file and say why. */

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { FixtureError, type FixtureProblem } from '../products/fixture-error.ts';
import { exceedsDepth, MAX_READ_DEPTH } from '../world/json.ts';
import { utf8 } from '../world/platform.ts';
import { FileError, fileProblem } from './errors.ts';

const MIB = 1024 * 1024;
/** The size limit of a file that is read whole. */
const MAX_FILE_BYTES = 256 * MIB;

/**
 * Reads a JSON file. Throws a `FileError` if it is too large or nested too deeply, or with the line and column of a
 * mistake.
 */
export function readJsonFile(file: string, maxBytes = MAX_FILE_BYTES): unknown {
  const text = readTextFile(file, maxBytes);
  if (exceedsDepth(text, MAX_READ_DEPTH)) {
    throw new FileError(file, `is nested deeper than ${MAX_READ_DEPTH} levels`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new FileError(file, text.trim() === '' ? 'is empty' : jsonMistake(text));
  }
}

function readTextFile(file: string, maxBytes: number): string {
  const bytes = readBytes(file, maxBytes);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new FileError(file, 'is not UTF-8 text; save it as UTF-8');
  }
}

/** Reads a file, pipe or device. The size of the last two is not known before, and a device may never end. */
function readBytes(file: string, maxBytes: number): Uint8Array {
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    if (fstatSync(handle).size > maxBytes) throw tooLarge(file, maxBytes);
    const chunks: Uint8Array[] = [];
    for (let size = 0; ; ) {
      const chunk = new Uint8Array(MIB);
      const read = readSync(handle, chunk);
      if (read === 0) return Buffer.concat(chunks);
      size += read;
      if (size > maxBytes) throw tooLarge(file, maxBytes);
      chunks.push(chunk.subarray(0, read));
    }
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(file, fileProblem(error, 'read'));
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** The beginning of a file; empty if it cannot be read. A pipe is not read, because nobody could read it again. */
export function beginningOf(file: string, bytes: number): string {
  const start = Buffer.alloc(bytes);
  let handle: number | undefined;
  try {
    if (!statSync(file).isFile()) return '';
    handle = openSync(file, 'r');
    return start.toString('utf8', 0, readSync(handle, start));
  } catch {
    return '';
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

const tooLarge = (file: string, maxBytes: number): FileError =>
  new FileError(file, `is larger than ${maxBytes / MIB} MiB`);

/**
 * Reads the fixture files of a folder, by name. Throws a `FixtureError` with the line and column of each JSON mistake.
 */
export function readFixtureFolder(folder: string): Readonly<Record<string, unknown>> {
  const files: Record<string, unknown> = {};
  const problems: FixtureProblem[] = [];
  for (const name of jsonFilesIn(folder)) {
    try {
      files[name] = readJsonFile(join(folder, name));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      problems.push({ rule: 'malformed', file: error.file, path: [], message: error.why });
    }
  }
  if (problems.length > 0) throw new FixtureError(problems);
  return files;
}

function jsonFilesIn(folder: string): string[] {
  try {
    return (
      readdirSync(folder)
        // Editors create hidden files, such as the lock `.#motor.json`.
        .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
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
