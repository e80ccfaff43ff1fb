/** Fixtures that can't be served. The message has every problem, a line each. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
  /** Every problem: file, place, what was expected, what was seen. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
