/** A command line that can't be followed. Its message is the one line that says so. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
