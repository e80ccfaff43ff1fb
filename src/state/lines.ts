import { z } from '@hono/zod-openapi';
import { EntryFault } from '../control/journal.ts';
import type { LogLine } from '../core/change-log.ts';

const moment = () => z.int().min(0);
const id = () => z.int().min(1);
const count = () => z.int().min(0);

/** What must be the same for changes to come out the same when they are made again. */
export interface Identity {
  readonly program: string;
  readonly fixtures: string;
  readonly profile: string;
  readonly settings: string;
}

/** What stands in the first line of a log: what its lines are to be done on, and by whom. */
export const LogHeader = z.strictObject({
  log: z.literal(1),
  /** Of the state, as its document says too. */
  id: z.string(),
  /** How many lines there were before the first of this log. */
  first: count(),
  /** When the state of the document began to go on, in the sandbox's time. */
  at: moment(),
  program: z.string(),
  fixtures: z.string(),
  profile: z.string(),
  settings: z.string(),
});
export type LogHeader = z.output<typeof LogHeader>;

/** What a document says of its log. */
export const LogMark = z.strictObject({
  id: z.string(),
  /** How many lines the document holds the outcome of. */
  lines: count(),
  /** When it was written, in the sandbox's time. */
  at: moment(),
});
export type LogMark = z.output<typeof LogMark>;

const Line = z.union([
  z.strictObject({
    at: moment(),
    merchant: id(),
    call: id(),
    request: z.strictObject({
      came: moment(),
      method: z.string(),
      url: z.url(),
      headers: z.array(z.string()),
      body: z.string().nullable(),
    }),
    fault: z.literal(true).optional(),
    met: EntryFault.nullable().optional(),
    lost: z.literal(true).optional(),
  }),
  z.strictObject({
    at: moment(),
    change: z.string(),
    merchant: id().optional(),
    input: z.unknown().optional(),
    parts: count().optional(),
  }),
  z.strictObject({ part: count(), text: z.string() }),
]);

/** The line a text holds; undefined where it is none. */
export function parseLine(text: string): LogLine | undefined {
  return parseWith(Line, text) as LogLine | undefined;
}

export const parseHeader = (text: string): LogHeader | undefined => parseWith(LogHeader, text);

function parseWith<S extends z.ZodType>(schema: S, text: string): z.output<S> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
