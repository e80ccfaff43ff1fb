/* Errors that the user can fix. */

/** An invalid command line. The message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A file that can't be used: a state, a folder it is in. The message says which, and why. */
export class FileError extends Error {
  override readonly name = 'FileError';
  /** Its path, as it was given. */
  readonly file: string;

  constructor(file: string, why: string) {
    super(`${file}: ${why}`);
    this.file = file;
  }
}

/** Why a file could not be read or written, in words that follow its path. */
export function fileProblem(error: unknown, done: 'read' | 'written'): string {
  const { code, message } = error as Error & { readonly code?: string };
  switch (code) {
    case 'ENOENT':
      return 'does not exist';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `may not be ${done} by this user`;
    case 'EISDIR':
      return 'is a folder, not a file';
    case 'ENOTDIR':
      return 'is a file, not a folder';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'there is no space left to write it';
    default:
      return message;
  }
}

/** The port or the address is not available. The message says why, and what to do about it. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  /** Why, as the system says it: `EADDRINUSE` where another program has the port. */
  readonly code: string | undefined;
  readonly port: number;
  readonly host: string;

  constructor(
    message: string,
    port: number,
    host: string,
    // Spelled out, as the published types need no others.
    cause: Error & { readonly code?: string | undefined },
  ) {
    super(message, { cause });
    this.code = cause.code;
    this.port = port;
    this.host = host;
  }
}
