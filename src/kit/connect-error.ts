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

  constructor(url: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.url = url;
  }
}

recognizeCopies(ConnectError, 'ConnectError');
