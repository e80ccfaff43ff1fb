// The published types reach this file, so it imports nothing.

/** Fixtures that a sandbox can't use. The message has every problem, a line each. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
  /** Every problem: file, place, what was expected, what was seen. */
  readonly problems: readonly string[];
  /** The option that these fixtures conflict with; undefined if they are wrong in themselves. */
  readonly option: 'now' | undefined;

  constructor(problems: readonly string[], option?: 'now') {
    super(problems.join('\n'));
    this.problems = problems;
    this.option = option;
  }
}
