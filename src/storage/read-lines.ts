/* Reads the lines of a state file or its log, and says which one is damaged. */

import type { z } from '@hono/zod-openapi';
import { takeTurn } from '../world/clock.ts';
import {
  FORMAT,
  FORMER_FORMAT,
  isStateText,
  type Part,
  type ReadLine,
  readContent,
  readLine,
  StateError,
  type StateFiles,
} from './lines.ts';

const NO_STATE = 'is not a state file of this program';

/** Why the beginning of a file is not a valid first line. */
export function noStateReason(text: string): string {
  return formerFormat(text) ?? (isStateText(text) ? 'line 1: is damaged' : NO_STATE);
}

/**
 * Reads the lines of a file, in turns with other work. Returns the number of lines and the text after the last one.
 * Throws `StateError` with the place.
 */
export async function readEach(
  files: StateFiles,
  part: Part,
  take: (line: ReadLine, place: number) => void,
): Promise<{ readonly rest: string; readonly lines: number }> {
  let place = 0;
  const batches = files.read(part);
  for (;;) {
    const { done, value } = await batches.next();
    if (done) return { rest: value, lines: place };
    for (const text of value) {
      place += 1;
      try {
        const line = readLine(files, text);
        if (line) take(line, place);
        else throw new Error('is damaged');
      } catch (error) {
        const isForeign = place === 1 && !isStateText(text);
        const why = `line ${place}: ${(error as Error).message}`;
        throw new StateError(part, isForeign ? noStateReason(text) : why);
      }
    }
    await takeTurn();
  }
}

/** Parses a header. Throws an `Error` that names the format if it is another one. */
export function readHeader<Header extends z.ZodType>(
  schema: Header,
  content: unknown,
): z.output<Header> {
  const { state, format } = content as Partial<Record<string, unknown>>;
  const isRead = format === FORMAT || format === FORMER_FORMAT;
  if (typeof state === 'string' && typeof format === 'number' && !isRead) {
    throw new Error(
      `was written in format ${format} by another version; this version reads formats ${FORMER_FORMAT} and ${FORMAT}`,
    );
  }
  return readContent(schema, content);
}

/** Recognizes the files of version 0.1.0: one document, and a log of calls. */
function formerFormat(text: string): string | undefined {
  const isDocument = /^\s*\{\s*"version":\s*1,\s*"(log|sandbox)":/.test(text);
  const isLog = /^\{"log":1,"id":"/.test(text);
  if (!isDocument && !isLog) return undefined;
  const program = isLog ? /"program":"([^"]*)"/.exec(text)?.[1] : undefined;
  return `was written by version ${program ?? '0.1.0 or earlier'} in a format that this version cannot read`;
}
