/* The error for invalid fixtures, in its own file so that catching it loads no schemas. */

import { recognizeCopies } from '../world/error-classes.ts';

/** The fixtures are invalid. The message has every problem, one per line. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
  /** Every problem: file, place, what was expected and what was found. */
  readonly problems: readonly string[];
  /** `now` if records are later than the start time of the clock; otherwise undefined. */
  readonly option: 'now' | undefined;

  constructor(problems: readonly string[], option?: 'now') {
    super(problems.join('\n'));
    this.problems = problems;
    this.option = option;
  }
}

recognizeCopies(FixtureError, 'FixtureError');
