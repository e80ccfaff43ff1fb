/** Fixtures that can't be served. One line per problem: file, place, value, what was expected. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
  readonly problems: readonly string[];
  /** The option that they do not go with, where there is nothing wrong with them alone. */
  readonly option: 'now' | undefined;

  constructor(problems: readonly string[], option?: 'now') {
    super(problems.join('\n'));
    this.problems = problems;
    this.option = option;
  }
}
