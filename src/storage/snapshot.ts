/* A World as one document, and back: its rows, table by table. */

import { z } from '@hono/zod-openapi';
import { formatIssues, isPlainObject, truncate } from '../world/problem-texts.ts';
import type { Change, Tables } from '../world/tables.ts';
import { placed, putRow, readRow, type StoredTables } from './rows.ts';

/** The version of snapshots that this sandbox writes and reads. */
export const SNAPSHOT_VERSION = 2;

/** A table of a snapshot: a list of values that have their own keys, or values by key. */
type TableDocument = unknown[] | Record<string, unknown>;

/** The document of a World with these rows. */
export function documentOf(
  stored: StoredTables<never>,
  rows: Iterable<Change>,
): Record<string, TableDocument> {
  const document: Record<string, TableDocument> = {};
  const entries = new Map<string, [key: string, value: unknown][]>();
  for (const [name, key, value] of rows) {
    const known = entries.get(name) ?? [];
    entries.set(name, known);
    known.push([key, value]);
  }
  for (const { name, keyOf, values } of stored.values()) {
    const ofTable = entries.get(name) ?? [];
    if (keyOf) document[name] = ofTable.map(([, value]) => value);
    else if (values instanceof z.ZodType) document[name] = Object.fromEntries(ofTable);
    else {
      // Single values come in the order in which they were first put. Equal Worlds have equal documents.
      const byKey = new Map(ofTable);
      const keys = Object.keys(values).filter((key) => byKey.has(key));
      document[name] = Object.fromEntries(keys.map((key) => [key, byKey.get(key)]));
    }
  }
  return document;
}

/** The highest number of problems that are reported. */
const MAX_PROBLEMS = 50;

/** The problems of a document, one line each with its place. */
export class InvalidDocument extends Error {
  override readonly name = 'InvalidDocument';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems[0]);
    this.problems = problems;
  }
}

/** Collects the problems of a document. Throws `InvalidDocument` once there are too many. */
export function createProblems() {
  const problems: string[] = [];
  return {
    note(...lines: readonly string[]): void {
      for (const line of lines) {
        problems.push(line);
        if (problems.length === MAX_PROBLEMS) throw new InvalidDocument(problems);
      }
    },
    throwIfAny(): void {
      if (problems.length > 0) throw new InvalidDocument(problems);
    },
  };
}

export type Problems = ReturnType<typeof createProblems>;

/** The tables of a document: all of them and no others, each of its form. Throws `InvalidDocument`. */
export function readTables(
  stored: StoredTables<never>,
  document: unknown,
): Readonly<Record<string, TableDocument>> {
  const tables = Array.from(stored.values(), ({ name, keyOf, most }) => [
    name,
    z
      .custom<TableDocument>(keyOf ? Array.isArray : isPlainObject, {
        error: keyOf ? 'an array' : 'an object',
        abort: true,
      })
      .refine((rows) => most === undefined || Object.keys(rows).length <= most, {
        error: `at most ${most} elements`,
      }),
  ]);
  const sent = isPlainObject(document) ? withObjectTables(stored, document) : document;
  const parsed = z.strictObject(Object.fromEntries(tables)).safeParse(sent);
  if (parsed.success) return parsed.data as Record<string, TableDocument>;
  throw new InvalidDocument(
    formatIssues(document, parsed.error).map((line) => placed('world', line)),
  );
}

/** Reads an empty array as a table without values by key, as a program in PHP writes it. */
const withObjectTables = (stored: StoredTables<never>, document: object): object =>
  Object.fromEntries(
    Object.entries(document).map(([name, rows]) => {
      const isEmpty = Array.isArray(rows) && rows.length === 0;
      return [name, isEmpty && !stored.get(name)?.keyOf ? {} : rows];
    }),
  );

/** Puts the rows of a table into its holder, or notes their problems. Yields after each row. */
export function* putRows<Holder extends { readonly tables: Tables }>(
  stored: StoredTables<Holder>,
  name: string,
  rows: TableDocument,
  holder: Holder,
  problems: Problems,
): Generator<void, void> {
  const table = stored.get(name);
  if (!table) return;
  const positions = new Map<string, string>();
  for (const [at, value] of Object.entries(rows)) {
    yield;
    const place = `world.${name}.${at}`;
    const reading = readRow(table, Array.isArray(rows) ? undefined : at, value);
    if ('problems' in reading) {
      problems.note(...reading.problems.map((line) => placed(place, line)));
      continue;
    }
    const { key } = reading;
    const first = positions.get(key);
    const refused = table.refuse?.(holder, reading.value, key);
    if (first !== undefined) {
      problems.note(`${place}: ${truncate(key)} is already used by world.${name}.${first}`);
    } else if (refused !== undefined) problems.note(placed(place, refused));
    else putRow(table, holder, key, reading.value);
    positions.set(key, at);
  }
}
