/** Fixtures that can't be served. The message has every problem, a line each. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
  /** Every problem: file, place, what was expected, what was seen. */
  readonly problems: readonly string[];
  /** The option that they do not go with, where there is nothing wrong with them alone. */
  readonly option: 'now' | undefined;

  constructor(problems: readonly string[], option?: 'now') {
    super(problems.join('\n'));
    this.problems = problems;
    this.option = option;
  }
}
