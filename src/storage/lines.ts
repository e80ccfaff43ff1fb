/* The lines of a state file and of its log: how they are written, read and checked. */

import { z } from '@hono/zod-openapi';
import { formatIssues } from '../world/problem-texts.ts';
import type { Change, Line } from '../world/tables.ts';

/*
 * A line is a JSON object with its number and the checksum of the rest: `{"line":7,"sum":"90ab12cd","at":…}`. This
 * detects changed, missing and repeated lines, and keeps the file readable for people and programs.
 *
 * The file has a header, one line per row, and an end line. The log has a header and one line per transaction. The
 * numbers of log lines never start again.
 */

/** The format of the lines, and of the rows in them. */
export const FORMAT = 3;
/** The format before it, which is read too. */
export const FORMER_FORMAT = 2;
const PROGRAM = 'micro-insurance-sandbox';

const count = () => z.int().min(0);
const numbered = { line: count(), sum: z.string() };
const begin = {
  ...numbered,
  state: z.literal(PROGRAM),
  format: z.literal([FORMER_FORMAT, FORMAT]),
  id: z.string(),
};
/** Changes as they are written. The schema of each table validates their values. */
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
/** The time of the sandbox. Clocks never go back behind it, even if the system's time does between two starts. */
const at = count();

/** The first line of the file. */
export const FileHeader = z.strictObject({
  ...begin,
  /** The file includes at least all log lines up to this number. */
  log_lines: count(),
});
/** The last line of the file. */
export const FileEnd = z.strictObject({
  ...numbered,
  /** The log must reach this number to complete the file, because rows changed while it was written. */
  log_lines: count(),
  at,
  end: z.literal(true),
  /** 1 if the log may have changes since this checkpoint, 0 after a stop. Earlier versions did not tell. */
  log: z.int().min(0).max(1).optional(),
});
/** The first line of a log. Its number is that of the last line before it, which the file includes. */
export const LogHeader = z.strictObject({ ...begin, at, log: z.literal(true) });
/** The changes of a transaction. */
export const Changes = z.strictObject({
  ...numbered,
  at,
  merchant: z.int().min(1).optional(),
  replaced: z.literal(true).optional(),
  changes,
  /** Whether it counts only together with the next line. */
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
/** What a last line says, with its number. */
export type LastLine = Pick<z.output<typeof FileEnd>, 'line' | 'log_lines' | 'at' | 'log'>;
/** The end of a file. Its size does not depend on `isLogged`, so that `overwriteEnd` can change it. */
export const fileEnd = (
  { log_lines, at }: Pick<LastLine, 'log_lines' | 'at'>,
  isLogged: boolean,
): Unnumbered<typeof FileEnd> => ({ log_lines, at, end: true, log: Number(isLogged) });

/** The text of a line. */
export function writeLine(
  { checksum }: Pick<StateFiles, 'checksum'>,
  number: number,
  content: object,
): string {
  const rest = JSON.stringify(content).slice(1);
  return `${LINE}${number},"sum":"${sumOf(checksum, rest, number)}",${rest}\n`;
}

/** The number of the line seeds its checksum, cut to 32 bits. */
const sumOf = (checksum: StateFiles['checksum'], text: string, number: number): string =>
  checksum(text, number >>> 0)
    .toString(16)
    .padStart(8, '0');

/** How every line begins. */
const LINE = '{"line":';
const BEGIN = /^\{"line":(\d+),"sum":"([0-9a-f]{8})",/;

/** Whether a text may be a line of a state, possibly damaged. */
export const isStateText = (text: string): boolean =>
  text.startsWith(LINE) || text.includes(`"state":"${PROGRAM}"`);

/** Whether a text may be the beginning of a line. */
export const isHalfLine = (text: string): boolean => text.startsWith(LINE) || LINE.startsWith(text);

/** A parsed line: its number and content. */
export interface ReadLine {
  readonly number: number;
  readonly content: unknown;
}

/** Parses a line; undefined if it is not a line, or damaged. */
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

/** Parses the content of a line. Throws an `Error` that names the problem. */
export function readContent<Schema extends z.ZodType>(
  schema: Schema,
  content: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new Error(formatIssues(content, parsed.error)[0]);
}

/** Groups lines that count together: every line but the last has `more`. */
export function* inOneGroup(lines: Iterable<Line>, at: number): Generator<object, void> {
  let last: Line | undefined;
  for (const line of lines) {
    if (last) yield { at, ...last, more: true };
    last = line;
  }
  if (last) yield { at, ...last };
}

/** The state file, or the log of changes since its last checkpoint. */
export type Part = 'file' | 'log';

/** Reads and writes the lines of a state. */
export interface StateFiles {
  /** The size of the log, in bytes, that triggers a checkpoint, unless the file is larger. */
  readonly maxLogBytes: number;
  /** Whether the part existed when the state was opened. */
  exists(part: Part): boolean;
  /** Yields batches of lines. Returns the text after the last line break: an incomplete line, or nothing. */
  read(part: Part): AsyncGenerator<readonly string[], string>;
  /** Adds all lines to the log before it returns, or none and throws. */
  append(lines: Iterable<string>): void;
  /** Throws if lines can't be added. */
  tryAppend(): void;
  /** The size in bytes. */
  size(part: Part): number;
  /** Replaces the file. The old one stays until the new one is complete. */
  replaceFile(pieces: Iterable<string>): Promise<void>;
  /** Replaces the last line of the file by one of the same size. Throws if the file can only be replaced. */
  overwriteEnd(line: string): void;
  /** Replaces the first `bytes` of the log with a line. */
  cutLog(bytes: number, firstLine: string): Promise<void>;
  /**
   * Returns which parts another program removed, replaced or changed. It has then opened a new log, empty if the log
   * was emptied; the file is lost until it is replaced. Throws if the log can't be written.
   */
  findLost(): readonly Part[];
  /** The checksum of a text. The same text has different checksums for different starts. */
  checksum(text: string, start: number): number;
  /** A unique id for a new state. */
  newId(): string;
}

/** A state that can't be used. The message says why. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly part: Part;

  constructor(part: Part, reason: string) {
    super(reason);
    this.part = part;
  }
}
