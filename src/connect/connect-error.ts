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

  // The library of ES2020 lacks the type `ErrorOptions`.
  constructor(url: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.url = url;
  }
}

recognizeCopies(ConnectError, 'ConnectError');
