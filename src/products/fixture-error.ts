/* The error for invalid fixtures, in its own file so that catching it loads no schemas. */

import { recognizeCopies } from '../world/error-classes.ts';
import { printable } from '../world/printable.ts';

/** A mistake in a fixture file. */
export interface FixtureProblem {
  /** The rule that was broken, such as `required`, `type` or `duplicate`. */
  readonly rule: string;
  /** The name of the file. */
  readonly file: string;
  /** Keys and positions in the file, outermost first. Empty for the whole file. */
  readonly path: readonly (string | number)[];
  /** What was expected, and what was found. */
  readonly message: string;
}

/** The fixtures are invalid. The message has the problems, one per line. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
  /** Every problem with its rule, file and place. */
  readonly problems: readonly FixtureProblem[];

  constructor(problems: readonly FixtureProblem[]) {
    super(linesOf(problems).join('\n'));
    this.problems = problems;
  }
}

recognizeCopies(FixtureError, 'FixtureError');

/** The most lines about one file. */
const MAX_LINES = 20;

const linesOf = (problems: readonly FixtureProblem[]): string[] =>
  [...new Set(problems.map(({ file }) => file))].flatMap((file) => {
    const lines = problems.filter((problem) => problem.file === file).map(lineOf);
    const more = lines.length - MAX_LINES;
    return more > 0 ? [...lines.slice(0, MAX_LINES), `${file}: +${more} more`] : lines;
  });

function lineOf({ file, path, message }: FixtureProblem): string {
  const place = path.length === 0 ? file : `${file}: ${path.join('.')}`;
  return printable(`${place}: ${message}`);
}
