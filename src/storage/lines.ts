import { z } from '@hono/zod-openapi';
import { formatIssues } from '../world/problem-texts.ts';
import type { Change, Line } from '../world/tables.ts';

/*
 * A line is a JSON object with its number and the checksum of what follows: `{"line":7,"sum":"90ab12cd","at":…}`. So
 * one that was changed, is missing or stands there twice is found, and people and programs can read it.
 *
 * The file begins with a header, holds one row a line, and ends with its end. The log begins with a header, and has
 * one line for what a call changed. Its lines are numbered from the first there ever was.
 */

/** The format of the lines, and of the rows in them. */
export const FORMAT = 2;
const PROGRAM = 'micro-insurance-sandbox';

const count = () => z.int().min(0);
const numbered = { line: count(), sum: z.string() };
const begin = { ...numbered, state: z.literal(PROGRAM), format: z.literal(FORMAT), id: z.string() };
/** Changes, as they are written. What they hold is checked by the schema of its table. */
const changes = z.custom<Change[]>(
  (value) =>
    Array.isArray(value) &&
    value.every(
      (change) =>
        Array.isArray(change) &&
        change.length === 3 &&
        typeof change[0] === 'string' &&
        typeof change[1] === 'string',
    ),
  { error: 'a list of [table, key, value]' },
);
/** The time of the sandbox, which does not go back though the system's does between two starts. */
const at = count();

/** The first line of the file. */
export const FileHeader = z.strictObject({
  ...begin,
  /** How many lines of the log the file holds the outcome of, at least. */
  log_lines: count(),
});
/** The last line of the file. */
export const FileEnd = z.strictObject({
  ...numbered,
  /** How many lines of the log must be there to make it whole: rows changed while others were written. */
  log_lines: count(),
  at,
  end: z.literal(true),
});
/** The first line of a log. Its number is that of the last line before, which is in the file. */
export const LogHeader = z.strictObject({ ...begin, at, log: z.literal(true) });
/** What a transaction changed. */
export const Changes = z.strictObject({
  ...numbered,
  at,
  merchant: z.int().min(1).optional(),
  replaced: z.literal(true).optional(),
  changes,
  /** Whether it counts with the next line alone. */
  more: z.literal(true).optional(),
});
/** A row of the file. */
export const Row = Changes.pick({ line: true, sum: true, merchant: true, changes: true });

type Unnumbered<Schema extends z.ZodType> = Omit<z.output<Schema>, keyof typeof numbered>;

export const fileHeader = (id: string, log_lines: number): Unnumbered<typeof FileHeader> => ({
  state: PROGRAM,
  format: FORMAT,
  id,
  log_lines,
});
export const logHeader = (id: string, at: number): Unnumbered<typeof LogHeader> => ({
  state: PROGRAM,
  format: FORMAT,
  id,
  at,
  log: true,
});

/** The text of a line. */
export function writeLine(
  { checksum }: Pick<StateFiles, 'checksum'>,
  number: number,
  content: object,
): string {
  const rest = JSON.stringify(content).slice(1);
  return `${LINE}${number},"sum":"${sumOf(checksum, rest, number)}",${rest}\n`;
}

/** A checksum starts from a number of 32 bits. */
const sumOf = (checksum: StateFiles['checksum'], text: string, number: number): string =>
  checksum(text, number >>> 0)
    .toString(16)
    .padStart(8, '0');

/** How every line begins. */
const LINE = '{"line":';
const BEGIN = /^\{"line":(\d+),"sum":"([0-9a-f]{8})",/;

/** Whether a text may be a line, though one that was changed. */
export const isOurs = (text: string): boolean =>
  text.startsWith(LINE) || text.includes(`"state":"${PROGRAM}"`);

/** Whether a text is how a line begins. */
export const isHalfLine = (text: string): boolean => text.startsWith(LINE) || LINE.startsWith(text);

/** A line that was read: its number, and what it holds. */
export interface ReadLine {
  readonly number: number;
  readonly content: unknown;
}

/** Reads a line; undefined if it is none, or not as it was written. */
export function readLine(
  { checksum }: Pick<StateFiles, 'checksum'>,
  text: string,
): ReadLine | undefined {
  const [begin, digits, sum] = BEGIN.exec(text) ?? [];
  if (begin === undefined) return undefined;
  const number = Number(digits);
  if (sumOf(checksum, text.slice(begin.length), number) !== sum) return undefined;
  return { number, content: JSON.parse(text) };
}

/** What a line holds by its schema. Throws an `Error` that names what is wrong. */
export function readContent<Schema extends z.ZodType>(
  schema: Schema,
  content: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new Error(formatIssues(content, parsed.error)[0]);
}

/** Lines that count together: every one but the last says that there is more. */
export function* inOneGroup(lines: Iterable<Line>, at: number): Generator<object, void> {
  let last: Line | undefined;
  for (const line of lines) {
    if (last) yield { at, ...last, more: true };
    last = line;
  }
  if (last) yield { at, ...last };
}

/** The file that holds a sandbox, or the log of what changed since. */
export type Part = 'file' | 'log';

/** Where the lines of a state are written and read. */
export interface StateFiles {
  /** How long the log may get, in bytes, before the file is written anew, unless that is longer still. */
  readonly maxLogBytes: number;
  exists(part: Part): boolean;
  /** Its lines, many at a time. Answers what stands behind the last end of a line: the half of one, or nothing. */
  read(part: Part): AsyncGenerator<readonly string[], string>;
  /** Adds lines to the log. They are in place when it returns; throws if they can't be, and none of them is then. */
  append(lines: Iterable<string>): void;
  /** Throws unless lines could be added. */
  tryAppend(): void;
  /** How long they are, in bytes. */
  size(part: Part): number;
  /** Puts a file in the place of the old one, which stays until the new one is there whole. */
  replaceFile(pieces: Iterable<string>): Promise<void>;
  /** Takes the beginning of the log away, that many bytes of it, and puts a line there instead. */
  cutLog(bytes: number, firstLine: string): Promise<void>;
  /**
   * Which of the two somebody else removed, replaced or changed. The log is there again then, and empty if it was
   * emptied; the file is lost until it is replaced. Throws if the log can't be written.
   */
  findLost(): readonly Part[];
  /** A number that a changed text does not have: each start makes another one. */
  checksum(text: string, start: number): number;
  /** A name that no other state has. */
  newId(): string;
}

/** A state that can't be used: where, and why. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly part: Part;

  constructor(part: Part, reason: string) {
    super(reason);
    this.part = part;
  }
}
