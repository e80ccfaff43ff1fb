import { systemNow } from '../world/clock.ts';
import type { MerchantRecord } from './bindings.ts';
import type { ObjectStorage } from './engine.ts';

/** How far the list has numbered: ids and keys go on from there. */
export interface Numbering {
  readonly last_id: number;
  readonly chance: readonly number[];
}

/** The list of merchants in the storage of an object. */
export interface MerchantRows {
  /** Each by its id; null stands for a built-in one that was removed. */
  read(): Map<number, MerchantRecord | null>;
  write(id: number, record: MerchantRecord | null): void;
  remove(id: number): void;
  numbering(): Promise<Numbering | undefined>;
  setNumbering(numbering: Numbering): void;
}

const NUMBERING = 'numbering';

export function openMerchantRows(storage: ObjectStorage): MerchantRows {
  const { sql } = storage;
  sql.exec('CREATE TABLE IF NOT EXISTS merchants (id INTEGER PRIMARY KEY, record TEXT NOT NULL)');
  return {
    read() {
      const rows = sql.exec<{ id: number; record: string }>('SELECT id, record FROM merchants');
      return new Map(Array.from(rows, ({ id, record }) => [id, readRecord(record)]));
    },
    write: (id, record) =>
      void sql.exec(
        'INSERT OR REPLACE INTO merchants (id, record) VALUES (?, ?)',
        id,
        JSON.stringify(record),
      ),
    remove: (id) => void sql.exec('DELETE FROM merchants WHERE id = ?', id),
    numbering: () => storage.get<Numbering>(NUMBERING),
    setNumbering: (numbering) => void storage.put(NUMBERING, numbering),
  };
}

/** Version 0.1.0 did not write when a World begins: those that have not begun yet begin now. */
function readRecord(text: string): MerchantRecord | null {
  const record = JSON.parse(text);
  return record && { since: systemNow(), ...record };
}
