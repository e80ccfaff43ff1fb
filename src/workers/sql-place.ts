import type { StatePlace } from '../state/place.ts';
import type { ObjectStorage, SqlStorage } from './engine.ts';

/** The engine takes no row of more than 2 MB. */
const MAX_ROW_BYTES = 1024 * 1024;
/** A longer log would keep the first caller waiting when its lines are done again. */
const MAX_LOG_BYTES = 1024 * 1024;

type Table = 'document' | 'log';

const utf8 = new TextEncoder();

/**
 * A state in the storage of an object: document and log are rows of bytes, one after the other. What is written is in
 * place before anything leaves that is answered afterwards; the engine sees to that.
 *
 * @param id a name that no other object has
 * @param onAppend called when lines were added to the log
 */
export function openSqlPlace(
  storage: ObjectStorage,
  id: string,
  digest: StatePlace['digest'],
  onAppend: () => void,
): StatePlace {
  const { sql } = storage;
  let documentSize = createTable(sql, 'document');
  let logSize = createTable(sql, 'log');
  return {
    maxLogBytes: MAX_LOG_BYTES,
    outlivesProgram: true,
    readDocument: () => (documentSize === 0 ? undefined : readRows(sql, 'document')),
    async *readLog() {
      let rest = '';
      const decoder = new TextDecoder();
      for await (const bytes of readRows(sql, 'log')) {
        const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
        rest = lines.pop() as string;
        yield* lines;
      }
      return { isTorn: false };
    },
    append(lines) {
      const bytes = utf8.encode(lines);
      storage.transactionSync(() => addRows(sql, 'log', bytes));
      logSize += bytes.length;
      onAppend();
    },
    // Whether it could be is the engine's to know, which tells when it is done.
    tryAppend() {},
    documentSize: () => documentSize,
    logSize: () => logSize,
    async replaceDocument(pieces) {
      documentSize = storage.transactionSync(() => {
        sql.exec('DELETE FROM document');
        let size = 0;
        for (const bytes of inRows(pieces)) {
          addRows(sql, 'document', bytes);
          size += bytes.length;
        }
        return size;
      });
    },
    async cutLog(bytes, header) {
      if (logSize === 0) return;
      const first = logSize === bytes ? '' : header;
      storage.transactionSync(() => cutRows(sql, bytes, first));
      logSize += utf8.encode(first).length - bytes;
    },
    newId: () => id,
    digest,
  };
}

/** Makes a table where there is none, and says how many bytes are in it. */
function createTable(sql: SqlStorage, table: Table): number {
  sql.exec(`CREATE TABLE IF NOT EXISTS ${table} (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)`);
  return sql
    .exec<{ size: number }>(`SELECT COALESCE(SUM(LENGTH(bytes)), 0) AS size FROM ${table}`)
    .one().size;
}

/** One row after the other: all of them at once would take as much memory as what is made of them. */
async function* readRows(sql: SqlStorage, table: Table): AsyncGenerator<Uint8Array, void> {
  for (let last = 0; ; ) {
    const rows = sql.exec<{ id: number; bytes: ArrayBuffer }>(
      `SELECT id, bytes FROM ${table} WHERE id > ? ORDER BY id LIMIT 1`,
      last,
    );
    const [row] = rows;
    if (!row) return;
    last = row.id;
    yield new Uint8Array(row.bytes);
  }
}

function addRows(sql: SqlStorage, table: Table, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; from += MAX_ROW_BYTES) {
    sql.exec(`INSERT INTO ${table} (bytes) VALUES (?)`, bytes.slice(from, from + MAX_ROW_BYTES));
  }
}

/** Joins the pieces of a document to as few rows as they fit in. */
function* inRows(pieces: Iterable<string>): Generator<Uint8Array, void> {
  const row = new Uint8Array(MAX_ROW_BYTES);
  let length = 0;
  for (const piece of pieces) {
    for (let rest = utf8.encode(piece); rest.length > 0; ) {
      const fitting = rest.subarray(0, MAX_ROW_BYTES - length);
      row.set(fitting, length);
      length += fitting.length;
      rest = rest.subarray(fitting.length);
      if (length < MAX_ROW_BYTES) continue;
      yield row;
      length = 0;
    }
  }
  if (length > 0) yield row.subarray(0, length);
}

/** Takes the rows of the first `bytes` away, and puts a text in their place, if any. */
function cutRows(sql: SqlStorage, bytes: number, text: string): void {
  let last = 0;
  let size = 0;
  const rows = sql.exec<{ id: number; size: number }>(
    'SELECT id, LENGTH(bytes) AS size FROM log ORDER BY id',
  );
  for (const row of rows) {
    if (size >= bytes) break;
    size += row.size;
    last = row.id;
  }
  sql.exec('DELETE FROM log WHERE id <= ?', last);
  if (text !== '') sql.exec('INSERT INTO log (id, bytes) VALUES (?, ?)', last, utf8.encode(text));
}
