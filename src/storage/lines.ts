/* The lines of a state: a checkpoint of all rows, and a log of the changes since. */

import { z } from '@hono/zod-openapi';
import { formatIssues } from '../world/problem-texts.ts';
import type { Change, Line } from '../world/tables.ts';

/*
 * Both begin with a header, and both go on with lines of changes: the file with one for each row, the log with one for
 * each transaction, which may be a list for several Worlds. Lines of the log are counted for the life of a state, so
 * that the header of the file can say how many of them it includes, and that of the log which is its first.
 */

/** The format of the lines, and of the rows in them. */
const FORMAT = 6;
const PROGRAM = 'micro-insurance-sandbox';

const count = () => z.int().min(0);
/** The time of the sandbox. Clocks never go back behind it, even if the system's time does between two starts. */
const at = count();

/** The first line of the file, and of the log. */
const Header = z.strictObject({
  state: z.literal(PROGRAM),
  format: z.literal(FORMAT),
  /** The same in the file and its log. */
  id: z.string(),
  /** The lines of the log before: those that the file includes, or that an earlier log had. */
  logged: count(),
  at,
  /** The number of lines that follow in the file. */
  lines: count().optional(),
});
export type Header = z.output<typeof Header>;

/** Every other line. */
const Changes = z.strictObject({
  at: at.optional(),
  merchant: z.int().min(1).optional(),
  replaced: z.literal(true).optional(),
  changes: z.custom<Change[]>(
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
  ),
});

/** Changes with the time of the sandbox when they were written, if that is known. */
export interface StoredLine extends Line {
  readonly at?: number | undefined;
}

export const headerLine = (header: Omit<Header, 'state' | 'format'>): string =>
  textOf({ state: PROGRAM, format: FORMAT, ...header });

export const textOf = (line: object): string => `${JSON.stringify(line)}\n`;

/** The beginning of every header. */
const BEGINNING = JSON.stringify({ state: PROGRAM }).slice(0, -1);

/** Whether a text may be the beginning of a header. */
export const isHalfHeader = (text: string): boolean =>
  text.startsWith(BEGINNING) || BEGINNING.startsWith(text);

const NEW_STATE = 'Start with another file to begin a new state';

/** Reads the first line of the file or of the log. Throws an `Error` that says what it is instead. */
export function readHeader(text: string): Header {
  const content = parsedOf(text);
  const { state, format } = (content ?? {}) as Partial<Record<string, unknown>>;
  const isOther = state === PROGRAM && format !== FORMAT;
  if (isOther) {
    const other = typeof format === 'number' ? `format ${format}` : 'another format';
    throw new Error(`has ${other}, and this version reads format ${FORMAT}. ${NEW_STATE}.`);
  }
  if (state !== PROGRAM) throw new Error(`is not a state file of this version. ${NEW_STATE}.`);
  return read(Header, content);
}

/** Reads any other line. Throws an `Error` that names the problem. */
export const readChanges = (text: string): StoredLine[] =>
  [JSON.parse(text)].flat().map((changes) => read(Changes, changes));

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function read<Schema extends z.ZodType>(schema: Schema, content: unknown): z.output<Schema> {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new Error(formatIssues(content, parsed.error)[0]);
}

/** The state file, or the log of changes since its last checkpoint. */
export type Part = 'file' | 'log';

/** A line as it stands in a file. */
export interface TextLine {
  readonly text: string;
  /** The number of bytes up to its end. */
  readonly end: number;
  /** Whether it has a line break. Only the last line may have none. */
  readonly isWhole: boolean;
}

/** Reads and writes the two files of a state. */
export interface StateFiles {
  /** The size of the log, in bytes, that triggers a checkpoint, unless the file is larger. */
  readonly maxLogBytes: number;
  /** The size in bytes; 0 if there is none. */
  size(part: Part): number;
  /** Yields batches of lines. */
  read(part: Part): AsyncIterable<readonly TextLine[]>;
  /** Adds a text to the log before it returns, or nothing and throws. */
  append(text: string): void;
  /** Throws if the log can't be written. */
  tryAppend(): void;
  /** Replaces the file. The old one stays until the new one is complete. */
  replaceFile(texts: Iterable<string>): Promise<void>;
  /** Forgets what the log has after this number of bytes. */
  endLogAt(bytes: number): void;
  /** Replaces the first `bytes` of the log with a text. */
  cutLog(bytes: number, text: string): Promise<void>;
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
