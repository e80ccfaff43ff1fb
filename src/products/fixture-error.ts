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
  /** What is the same for the same mistake at another position of a list. Default: the rule. */
  readonly expected?: string;
}

/** The fixtures are invalid. The message has every problem, one per line; a repeated one is there once. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
  /** Every problem with its rule, file and place. */
  readonly problems: readonly FixtureProblem[];
  /** `now` if records are later than the start time of the clock; otherwise undefined. */
  readonly option: 'now' | undefined;

  constructor(problems: readonly FixtureProblem[], option?: 'now') {
    super(linesOf(problems).join('\n'));
    this.problems = problems;
    this.option = option;
  }
}

recognizeCopies(FixtureError, 'FixtureError');

/** The most lines about one file. */
const MAX_LINES = 20;
/** The most further places that a line names. */
const MAX_PLACES = 3;

function linesOf(problems: readonly FixtureProblem[]): string[] {
  return [...grouped(problems, ({ file }) => file)].flatMap(([file, ofFile]) => {
    const lines = [...grouped(ofFile, mistakeOf).values()].map(lineOf);
    const more = lines.length - MAX_LINES;
    return [...lines.slice(0, MAX_LINES), ...(more > 0 ? [`${file}: +${more} more`] : [])];
  });
}

/** The same text for the same mistake at several positions of a list. */
const mistakeOf = ({ rule, path, expected = '' }: FixtureProblem): string =>
  JSON.stringify([rule, path.map((part) => (typeof part === 'number' ? 0 : part)), expected]);

/** The first place of a mistake with what is wrong there, and some of the other places. */
function lineOf([first, ...others]: readonly FixtureProblem[]): string {
  const { file, path, message } = first as FixtureProblem;
  const places = [...new Set(others.map((other) => other.path.join('.')))];
  const more = places.length - MAX_PLACES;
  const named = places.slice(0, MAX_PLACES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const also = named === '' ? '' : ` (also ${named})`;
  const place = path.length === 0 ? file : `${file}: ${path.join('.')}`;
  return printable(`${place}: ${message}${also}`);
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
