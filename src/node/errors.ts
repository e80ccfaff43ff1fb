/* What whoever runs a sandbox can put right. */

/** A command line that can't be followed. Its message is the one line that says so. */
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

/** The port or the address can't be had; the message says why, and what to do about it. */
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
