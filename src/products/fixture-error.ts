/** Fixtures that can't be served. One line per problem: file, place, value, what was expected. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
