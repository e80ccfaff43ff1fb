/* The errors that a user can fix: a wrong option, an unusable file, a port that is taken. */

import { recognizeCopies } from '../world/error-classes.ts';

/** An invalid command line. The message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A file or folder that cannot be used. The message names it and says why. */
export class FileError extends Error {
  override readonly name = 'FileError';
  /** The path, as the user wrote it. */
  readonly file: string;
  /** What is wrong with it. */
  readonly why: string;

  constructor(file: string, why: string) {
    super(`${file}: ${why}`);
    this.file = file;
    this.why = why;
  }
}

recognizeCopies(FileError, 'FileError');

/** Why a file could not be read or written. The text follows the file's path. */
export function fileProblem(error: unknown, done: 'read' | 'written'): string {
  const { code, message } = error as Error & { readonly code?: string };
  switch (code) {
    case 'ENOENT':
      return 'does not exist';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `cannot be ${done}: permission denied`;
    case 'EISDIR':
      return 'is a folder, not a file';
    case 'ENOTDIR':
    // From mkdir with `recursive`, which takes a folder that exists.
    case 'EEXIST':
      return 'is a file, not a folder';
    case 'ENAMETOOLONG':
      return `cannot be ${done}: its name is too long for the file system`;
    case 'ENOSPC':
    case 'EDQUOT':
      return 'cannot be written: no space left';
    default:
      return message;
  }
}

/** The port or the address is not available. The message says why and what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  /** The system's error code, such as `EADDRINUSE` for a taken port. */
  readonly code: string | undefined;
  readonly port: number;
  readonly host: string;

  constructor(
    message: string,
    port: number,
    host: string,
    // Spelled out, so that the published types do not need Node's.
    cause: Error & { readonly code?: string | undefined },
  ) {
    super(message, { cause });
    this.code = cause.code;
    this.port = port;
    this.host = host;
  }
}

recognizeCopies(ListenError, 'ListenError');
