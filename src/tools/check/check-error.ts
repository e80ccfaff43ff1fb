/* The error of a check that cannot be done. */

/** The check is not possible. The message is one line with the URL and the reason. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
}
