import type { z } from '@hono/zod-openapi';
import { restoreEntry, type SavedEntry } from '../control/journal-entry.ts';
import type { MerchantAccount, MerchantStore } from '../control/merchant-store.ts';
import { addFamilies, type World } from '../products/world.ts';
import { createWorldTime } from '../world/clock.ts';
import { addEntry } from '../world/journal.ts';
import type { MerchantRow } from '../world/merchant.ts';
import { registerMerchant, SANDBOX_TABLES } from '../world/merchants.ts';
import {
  type Change,
  KeyedTable,
  type Line,
  RecordTable,
  type Table,
  type Tables,
} from '../world/tables.ts';
import type { Instant } from '../world/time.ts';
import { createWorldCore, WORLD_TABLES } from '../world/world.ts';
import {
  Changes,
  FileEnd,
  FileHeader,
  isHalfLine,
  type LastLine,
  LogHeader,
  Row,
  readContent,
  readLine,
  StateError,
  type StateFiles,
} from './lines.ts';
import { noStateReason, readEach, readHeader } from './read-lines.ts';
import { checkRow, SAVED_TABLES, SAVED_VALUES } from './rows.ts';

/** A line, with the time of the sandbox when it was written if that is known. */
interface StoredLine extends Line {
  readonly at?: Instant;
}

/** Loads stored lines into a sandbox. */
export interface Loader {
  /**
   * Loads a line. Throws an `Error` if it is invalid. Rows of a line with a place in a log are validated at the end, if
   * they still exist: later rows replace or delete most of them.
   */
  load(line: StoredLine, place?: number): void;
  /** Validates the remaining rows. Throws an `Error` that names the line. */
  checkRest(): void;
  /**
   * Throws an `Error` if a World is incomplete.
   *
   * @param at the last time of the sandbox, behind which no clock goes back
   */
  finish(at: Instant): void;
}

/** Empties a sandbox and returns a loader for its stored lines. */
export function createLoader(store: MerchantStore): Loader {
  for (const id of store.merchants.keys()) loadRow(store.tables, store.merchants.name, id, null);
  store.byId.clear();
  store.byKey.clear();
  /** The places of rows that are not validated yet, by table and key. */
  const unchecked = new Map<Table<unknown>, Map<string, number>>();

  const loadUnchecked = (table: Table<unknown>, change: Change, place: number): void => {
    const [, key, value] = change;
    const places = unchecked.get(table) ?? new Map<string, number>();
    unchecked.set(table, places);
    if (value === null) places.delete(key);
    else places.set(key, place);
    try {
      table.load(key, value ?? undefined);
    } catch (error) {
      // Too invalid even to load. `checkRow` gives the better message.
      checkRow(change);
      throw error;
    }
    table.settle(key);
  };

  return {
    load({ merchant: id, replaced, changes, at }, place) {
      const merchant = id === undefined ? undefined : store.byId.get(id);
      if (id !== undefined && !merchant) throw new Error(`unknown merchant ${id}`);
      if (merchant && replaced) {
        for (const table of tablesOf(merchant)) unchecked.delete(table);
        Object.assign(merchant, { world: undefined });
      }
      for (const change of changes) {
        const world = merchant && worldOf(store, merchant);
        const table = world?.tables.byName.get(change[0]);
        if (table instanceof KeyedTable && place !== undefined) {
          loadUnchecked(table, change, place);
          continue;
        }
        checkRow(change);
        if (world) loadWorldRow(merchant, change, store.maxJournalBytes);
        else loadSandboxRow(store, change);
      }
      if (merchant?.hasWorld && at !== undefined) reachTime(merchant, at);
    },
    checkRest() {
      for (const [table, places] of unchecked) {
        for (const [key, place] of places) {
          try {
            checkRow([table.name, key, table.get(key)]);
          } catch (error) {
            throw new Error(`line ${place}: ${(error as Error).message}`);
          }
        }
      }
    },
    finish(at) {
      for (const merchant of store.byId.values()) {
        if (merchant.hasWorld) requireWhole(merchant);
        reachTime(merchant, at);
      }
    },
  };
}

const tablesOf = (merchant: MerchantAccount): Iterable<Table<unknown>> =>
  merchant.hasWorld ? merchant.world.tables.byName.values() : [];

/** Moves the time of a merchant's World forward to at least this moment. */
function reachTime(merchant: MerchantAccount, at: Instant): void {
  if (!merchant.hasWorld) {
    merchant.reached = at;
    return;
  }
  const { time } = merchant.world;
  time.latest = Math.max(time.latest, at);
}

/** The World to load rows into. Nothing in it comes from the fixtures. */
function worldOf(store: MerchantStore, merchant: MerchantAccount): World {
  if (!merchant.hasWorld) {
    const { settings, time, priceList } = store;
    const core = createWorldCore({ settings, time: createWorldTime(time) }, {});
    const world = addFamilies(core, priceList);
    Object.assign(merchant, { world, keptWorld: world });
  }
  return merchant.world;
}

function loadSandboxRow(store: MerchantStore, [table, key, value]: Change): void {
  if (table === SANDBOX_TABLES.values && key === SAVED_VALUES.anonymousRequests) {
    store.anonymousRequests = value as number;
    return;
  }
  loadRow(store.tables, table, key, value);
  if (table === SANDBOX_TABLES.merchants) loadMerchant(store, key, value as MerchantRow | null);
}

function loadMerchant(store: MerchantStore, key: string, row: MerchantRow | null): void {
  if (row && String(row.id) !== key) throw new Error(`merchants "${key}": id: got ${row.id}`);
  const known = store.byId.get(Number(key));
  if (known) store.byKey.delete(known.api_key);
  if (!row) store.byId.delete(Number(key));
  else if (!known) registerMerchant(store, row);
  else {
    known.row = row;
    store.byKey.set(row.api_key, known);
  }
}

function loadWorldRow(
  merchant: MerchantAccount,
  [table, key, value]: Change,
  maxJournalBytes: number,
): void {
  const { world } = merchant;
  if (table === SAVED_TABLES.journal) {
    addEntry(world.journal, restoreEntry(value as SavedEntry, merchant), maxJournalBytes);
  } else if (table === SAVED_TABLES.assumed) {
    world.assumption_counts.set(key, value as number);
  } else if (table === WORLD_TABLES.values && key === SAVED_VALUES.requests) {
    world.requests = value as number;
  } else if (table === WORLD_TABLES.values && key === SAVED_VALUES.time) {
    reachTime(merchant, value as Instant);
  } else loadRow(world.tables, table, key, value);
}

function loadRow({ byName }: Tables, name: string, key: string, value: unknown): void {
  const table = byName.get(name);
  if (!table) throw new Error(`${name} ${JSON.stringify(key)}: this row does not belong here`);
  requireOwnKey(table, key, value);
  table.load(key, value ?? undefined);
  table.settle(key);
}

/** A record must have the key it is stored under, and is never deleted. */
function requireOwnKey(table: Table<unknown>, key: string, value: unknown): void {
  if (!(table instanceof RecordTable)) return;
  const own = value === null ? 'nothing' : JSON.stringify(table.keyOf(value));
  if (own !== JSON.stringify(key)) {
    throw new Error(
      `${table.name} ${JSON.stringify(key)}: expected the record with this key, got ${own}`,
    );
  }
}

function requireWhole({ id, world }: MerchantAccount): void {
  for (const name of ['merchant_id', 'clock', 'chance', 'fault_chance']) {
    if (!world.tables.byName.get(WORLD_TABLES.values)?.has(name)) {
      throw new Error(`the World of merchant ${id} has no ${name}`);
    }
  }
}

/** The position of a restored state. */
export interface Standing {
  readonly id: string;
  /** The number of the last line of its log. */
  readonly lastLine: number;
  /** Whether the sandbox ended without a save. */
  readonly isUnclean: boolean;
  /** Whether the log ends within a group of lines, so that no line may follow. */
  readonly isTorn: boolean;
  /** The last line of the file. */
  readonly end: LastLine;
}

/**
 * Restores a sandbox: loads the rows of the file, then the changes of the log. Returns undefined if there is no state.
 * Throws `StateError` and leaves the files as they were if they are invalid.
 *
 * @param warn prints a warning
 */
export async function restoreState(
  store: MerchantStore,
  files: StateFiles,
  warn: (line: string) => void,
): Promise<Standing | undefined> {
  if (!files.exists('file')) {
    if (files.size('log') === 0) return undefined;
    throw new StateError(
      'log',
      'has changes, but its state file is missing; restore that file to keep them, or delete this log',
    );
  }
  const loader = createLoader(store);
  const file = await readFile(files, loader);
  const log = await readLog(files, loader, file, warn);
  const isWhole = log ? log.last >= file.end : file.end === file.start;
  if (!isWhole) {
    throw new StateError('log', `lacks lines that the state file needs, up to number ${file.end}`);
  }
  const isLost = !log && file.line.log === 1;
  if (isLost && !files.exists('log')) {
    throw new StateError(
      'log',
      'is missing, and had the changes since the last checkpoint; put it back, or create an empty file with this name to start without them',
    );
  }
  if (isLost) warn('its log is empty; the changes since the last checkpoint are lost');
  try {
    loader.finish(log?.at ?? file.at);
  } catch (error) {
    throw new StateError('file', (error as Error).message);
  }
  const { last = file.end, isTorn = false } = log ?? {};
  return {
    id: file.id,
    lastLine: last,
    isUnclean: log !== undefined || isLost,
    isTorn,
    end: file.line,
  };
}

/** The log lines that a file includes: all up to `start`, and some up to `end`. */
interface FileStanding {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** The time of the sandbox when it was written. */
  readonly at: Instant;
  /** Its last line. */
  readonly line: LastLine;
}

async function readFile(files: StateFiles, loader: Loader): Promise<FileStanding> {
  let header: z.output<typeof FileHeader> | undefined;
  let end: z.output<typeof FileEnd> | undefined;
  const { rest, lines } = await readEach(files, 'file', ({ number, content }, place) => {
    if (number !== place) throw new Error(`expected line number ${place}, got ${number}`);
    if (end) throw new Error('comes after the end of the state');
    if (!header) header = readHeader(FileHeader, content);
    else if (isEnd(content)) end = readContent(FileEnd, content);
    else loader.load(readContent(Row, content));
  });
  if (!header) throw new StateError('file', noStateReason(rest));
  if (rest !== '' || !end) {
    const where = rest === '' ? `after line ${lines}` : `within line ${lines + 1}`;
    throw new StateError('file', `ends ${where}; the rest is missing`);
  }
  return { id: header.id, start: header.log_lines, end: end.log_lines, at: end.at, line: end };
}

const isEnd = (content: unknown): boolean => Object.hasOwn(content as object, 'end');

/** The position of the log. */
interface LogStanding {
  /** The number of its last line. */
  readonly last: number;
  readonly isTorn: boolean;
  /** The time of the sandbox when the last change was written. */
  readonly at: Instant;
}

async function readLog(
  files: StateFiles,
  loader: Loader,
  file: FileStanding,
  warn: (line: string) => void,
): Promise<LogStanding | undefined> {
  if (files.size('log') === 0) return undefined;
  let last: number | undefined;
  let { at } = file;
  let group: z.output<typeof Changes>[] = [];
  const { rest, lines } = await readEach(files, 'log', ({ number, content }, place) => {
    if (last === undefined) {
      const { id } = readHeader(LogHeader, content);
      if (id !== file.id) throw new Error('belongs to another state file');
      if (number > file.start) {
        throw new Error(`earlier lines are missing, from number ${file.start}`);
      }
      last = number;
      return;
    }
    last += 1;
    if (number !== last) throw new Error(`expected line number ${last}, got ${number}`);
    const line = readContent(Changes, content);
    // The file includes this line.
    if (number <= file.start) return;
    group.push(line);
    if (line.more) return;
    for (const each of group) loader.load(each, place);
    group = [];
    at = line.at;
  });
  try {
    loader.checkRest();
  } catch (error) {
    throw new StateError('log', (error as Error).message);
  }
  if (rest !== '' && readLine(files, rest.slice(0, -1))) {
    throw new StateError('log', `line ${lines + 1}: is damaged`);
  }
  if (lines === 0 && !isHalfLine(rest)) throw new StateError('log', noStateReason(rest));
  if (rest !== '' || group.length > 0) {
    warn('the last line of its log is incomplete; that change was not made');
  }
  return last === undefined ? undefined : { last, isTorn: group.length > 0, at };
}
