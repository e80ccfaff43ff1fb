/* The error of `connect` where no sandbox answers. */

import { recognizeCopies } from '../world/error-classes.ts';

/**
 * No sandbox answered a method of `connect`: nothing listens at the URL, the sandbox was closed meanwhile, or another
 * service answered. The message says which.
 */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  /** The URL of the sandbox. */
  readonly url: string;
  /** The HTTP status of the response, if another service answered. */
  readonly status?: number;

  // The library of ES2020 lacks the type `ErrorOptions`.
  constructor(
    url: string,
    message: string,
    options: { readonly cause?: unknown; readonly status?: number } = {},
  ) {
    const { status, ...cause } = options;
    super(message, cause);
    this.url = url;
    if (status !== undefined) this.status = status;
  }

  /** The error of a response that no sandbox gives. */
  static notASandbox(url: string, status: number): ConnectError {
    return new ConnectError(
      url,
      `${url} responded with status ${status}. This does not look like a sandbox; check the URL.`,
      { status },
    );
  }
}

recognizeCopies(ConnectError, 'ConnectError');
