/* A World as one document, and back: its rows, table by table. */

import { z } from '@hono/zod-openapi';
import { isPlainObject, truncate } from '../world/problem-texts.ts';
import type { Change, Tables } from '../world/tables.ts';
import { firstProblem, InvalidRow, putRow, readRow, type StoredTables } from './rows.ts';

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

/** The tables of a document: all of them and no others, each of its form. Throws `InvalidRow`. */
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
  throw new InvalidRow('world', firstProblem(document, parsed.error));
}

/** Reads an empty array as a table without values by key, as a program in PHP writes it. */
const withObjectTables = (stored: StoredTables<never>, document: object): object =>
  Object.fromEntries(
    Object.entries(document).map(([name, rows]) => {
      const isEmpty = Array.isArray(rows) && rows.length === 0;
      return [name, isEmpty && !stored.get(name)?.keyOf ? {} : rows];
    }),
  );

/** Puts the rows of a table into its holder. Throws `InvalidRow`. */
export function putRows<Holder extends { readonly tables: Tables }>(
  stored: StoredTables<Holder>,
  name: string,
  rows: TableDocument,
  holder: Holder,
): void {
  const table = stored.get(name);
  if (!table) return;
  const positions = new Map<string, string>();
  for (const [at, value] of Object.entries(rows)) {
    const place = `world.${name}.${at}`;
    const row = readRow(table, place, Array.isArray(rows) ? undefined : at, value);
    const first = positions.get(row.key);
    if (first !== undefined) {
      const message = `${truncate(row.key)} is already used by world.${name}.${first}`;
      throw new InvalidRow(place, { message });
    }
    positions.set(row.key, at);
    const refused = table.refuse?.(holder, row.value, row.key);
    if (refused !== undefined) throw new InvalidRow(place, refused);
    putRow(table, holder, row.key, row.value);
  }
}
