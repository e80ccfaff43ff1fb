/* The rows of a World in the SQL storage of a Durable Object, long values in parts. */

import type { ObjectStorage, SqlStorage } from 'cloudflare:workers';
import { CALL_TABLES } from '../control/stored-tables.ts';
import { bytesOf } from '../world/json.ts';
import { SANDBOX_TABLES } from '../world/merchants.ts';
import { type Change, type Line, NotStoredError } from '../world/tables.ts';
import type { Instant } from '../world/time.ts';

/** Characters of a value in one row. The engine allows 2 MB, and a character has up to 3 bytes. */
const PART_LENGTH = 500_000;

/** Tables with their own limit, which do not count towards the size of the World. */
const UNLIMITED: ReadonlySet<string> = new Set(Object.values(CALL_TABLES));

/** The stored rows of an object: one for each value of its tables. */
export interface SqlRows {
  /** The size of the values, without the journal and the counts. */
  readonly bytes: number;
  /** The latest time of the World when a row was written, as of opening. */
  readonly latest: Instant;
  /** Oldest first. */
  read(): Generator<Change, void>;
  /** The keys of a table. */
  keys(name: string): string[];
  /** Writes all lines or nothing. The engine holds back later responses until they are stored. */
  write(lines: Iterable<Line>, at: Instant): void;
}

/** Writes to the storage of an object. Throws `NotStoredError`. */
export function storing<Result>(write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    if (error instanceof NotStoredError) throw error;
    const reason = (error as Error).message;
    throw new NotStoredError(`The change could not be saved, so it was not made: ${reason}`);
  }
}

/** Opens the rows in the storage of an object. Throws `NotStoredError`. */
export function openSqlRows(storage: ObjectStorage): SqlRows {
  const { sql } = storage;
  storing(() => {
    // Keys are JSON too, because the engine treats all lone surrogates as the same character.
    sql.exec(
      'CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, bytes INTEGER NOT NULL, parts INTEGER NOT NULL, value TEXT NOT NULL, UNIQUE (name, key))',
    );
    sql.exec(
      'CREATE TABLE IF NOT EXISTS parts (id INTEGER NOT NULL, part INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (id, part))',
    );
  });
  const { latest } = sql
    .exec<{ latest: Instant }>(`SELECT COALESCE(MAX(at), 0) AS latest FROM rows WHERE ${OF_WORLD}`)
    .one();
  let bytes = sumOf(sql, 'TRUE');
  return {
    get bytes() {
      return bytes;
    },
    latest,
    *read() {
      const rows = sql.exec<{
        id: number;
        name: string;
        key: string;
        parts: number;
        value: string;
      }>('SELECT id, name, key, parts, value FROM rows ORDER BY id');
      for (const { id, name, key, parts, value } of rows) {
        const text = parts === 0 ? value : value + partsOf(sql, id);
        yield [name, JSON.parse(key), JSON.parse(text)];
      }
    },
    keys: (name) =>
      Array.from(
        sql.exec<{ key: string }>('SELECT key FROM rows WHERE name = ?', name),
        ({ key }) => JSON.parse(key),
      ),
    write(lines, at) {
      bytes = storage.transactionSync(() => {
        let sum = bytes;
        for (const { replaced, changes } of lines) {
          if (replaced) sum -= removeWorld(sql);
          for (const change of changes) sum += putRow(sql, change, at);
        }
        return sum;
      });
    },
  };
}

const sumOf = (sql: SqlStorage, condition: string): number =>
  sql
    .exec<{ bytes: number }>(`SELECT COALESCE(SUM(bytes), 0) AS bytes FROM rows WHERE ${condition}`)
    .one().bytes;

/** The rest of a value that is too long for one row. */
const partsOf = (sql: SqlStorage, id: number): string =>
  Array.from(
    sql.exec<{ value: string }>('SELECT value FROM parts WHERE id = ? ORDER BY part', id),
    ({ value }) => value,
  ).join('');

const OF_WORLD = `name NOT IN (${Object.values(SANDBOX_TABLES)
  .map((name) => `'${name}'`)
  .join(', ')})`;

/** Deletes the rows of the World itself. Returns their size. */
function removeWorld(sql: SqlStorage): number {
  const bytes = sumOf(sql, OF_WORLD);
  sql.exec(`DELETE FROM parts WHERE id IN (SELECT id FROM rows WHERE ${OF_WORLD})`);
  sql.exec(`DELETE FROM rows WHERE ${OF_WORLD}`);
  return bytes;
}

/** Replaces a value, or adds it at the end. Returns the number of added bytes. */
function putRow(sql: SqlStorage, [name, key, value]: Change, at: Instant): number {
  const row = [name, JSON.stringify(key)] as const;
  const [known] = sql.exec<{ id: number; bytes: number; parts: number }>(
    'SELECT id, bytes, parts FROM rows WHERE name = ? AND key = ?',
    ...row,
  );
  if (known && known.parts > 0) sql.exec('DELETE FROM parts WHERE id = ?', known.id);
  if (value === null) {
    if (known) sql.exec('DELETE FROM rows WHERE id = ?', known.id);
    return -(known?.bytes ?? 0);
  }
  const text = JSON.stringify(value);
  const [first = '', ...rest] = inParts(text);
  const bytes = UNLIMITED.has(name) ? 0 : bytesOf(text);
  const { id } = sql
    .exec<{ id: number }>(
      'INSERT INTO rows (name, key, at, bytes, parts, value) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name, key) DO UPDATE SET at = excluded.at, bytes = excluded.bytes, parts = excluded.parts, value = excluded.value RETURNING id',
      ...row,
      at,
      bytes,
      rest.length,
      first,
    )
    .one();
  for (const [part, each] of rest.entries()) {
    sql.exec('INSERT INTO parts (id, part, value) VALUES (?, ?, ?)', id, part, each);
  }
  return bytes - (known?.bytes ?? 0);
}

/** Cuts a text, but never within a surrogate pair. */
function* inParts(text: string): Generator<string, void> {
  for (let from = 0; from < text.length; ) {
    const length = isSecondHalf(text, from + PART_LENGTH) ? PART_LENGTH - 1 : PART_LENGTH;
    yield text.slice(from, from + length);
    from += length;
  }
}

const isSecondHalf = (text: string, position: number): boolean => {
  const code = text.charCodeAt(position);
  return code >= 0xdc00 && code <= 0xdfff;
};
