/*
 * What is at rest is rows: a table, a key and a value. The state file and its log, a snapshot and the storage of a
 * Durable Object hold the same rows, which are written and read here.
 */

import { z } from '@hono/zod-openapi';
import { parseWithEmptyObjects } from '../world/empty-objects.ts';
import { printable } from '../world/printable.ts';
import { describeIssues } from '../world/problem-texts.ts';
import type { Change, Tables } from '../world/tables.ts';

/** What has tables: a World, or a sandbox with what is no World. */
interface Tabled {
  readonly tables: Tables;
}

/** A table at rest. */
export interface StoredTable<Holder extends Tabled> {
  readonly name: string;
  /** The schema of its values, or one for each key. */
  readonly values: z.ZodType | Readonly<Record<string, z.ZodType>>;
  /** The key that a value has in itself. */
  readonly keyOf?: (value: never) => string;
  /** The most rows of a snapshot. */
  readonly most?: number;
  /** Its rows in their order, in addition to those of the holder's table of this name. */
  rows?(holder: Holder): Iterable<readonly [key: string, value: unknown]>;
  /** Puts back such a row, and returns true. Returns false for one of the holder's table. */
  load?(holder: Holder, key: string, value: unknown): boolean;
  /** Why a value cannot be part of this holder although its schema takes it. */
  refuse?(holder: Holder, value: unknown, key: string): RowProblem | undefined;
}

/** The tables of a kind of holder by name, in the order of their rows. */
export type StoredTables<Holder extends Tabled> = ReadonlyMap<string, StoredTable<Holder>>;

export const storedTables = <Holder extends Tabled>(
  tables: readonly StoredTable<Holder>[],
): StoredTables<Holder> => new Map(tables.map((table) => [table.name, table]));

/** All rows of a holder as it is now, whatever changes later. */
export function rowsOf<Holder extends Tabled>(
  stored: StoredTables<Holder>,
  holder: Holder,
): Change[] {
  const rows: Change[] = [];
  for (const { name, rows: more } of stored.values()) {
    for (const [key, value] of holder.tables.byName.get(name)?.entries() ?? []) {
      rows.push([name, key, value]);
    }
    for (const [key, value] of more?.(holder) ?? []) rows.push([name, key, value]);
  }
  return rows;
}

/** What is wrong with a row: in it, or with it as a whole. */
export interface RowProblem {
  readonly path?: readonly PropertyKey[];
  readonly message: string;
}

/** A row cannot be loaded. The message begins with its place. */
export class InvalidRow extends Error {
  override readonly name = 'InvalidRow';

  constructor(place: string, { path = [], message }: RowProblem) {
    super(printable(`${[place, ...path].join('.')}: ${message}`));
  }
}

/** A row as its schema reads it. */
interface Row {
  readonly key: string;
  readonly value: unknown;
}

/**
 * Reads a row. Throws `InvalidRow`.
 *
 * @param place where it is, for messages
 * @param key undefined for a value in a list, which has its own key
 */
export function readRow<Holder extends Tabled>(
  { values, keyOf }: StoredTable<Holder>,
  place: string,
  key: string | undefined,
  value: unknown,
): Row {
  const schema = values instanceof z.ZodType ? values : ownValue(values, String(key));
  if (!schema) throw new InvalidRow(place, { message: 'is unknown' });
  const parsed = parseWithEmptyObjects(schema, value);
  if (!parsed.success) throw new InvalidRow(place, firstProblem(value, parsed.error));
  const ownKey = keyOf ? keyOf(parsed.data as never) : String(key);
  if (key === undefined || ownKey === key) return { key: ownKey, value: parsed.data };
  const message = `expected the record with this key, got ${JSON.stringify(ownKey)}`;
  throw new InvalidRow(place, { message });
}

/** The first problem of a value that its schema refuses. */
export const firstProblem = (value: unknown, error: z.core.$ZodError): RowProblem =>
  describeIssues(value, error)[0] as RowProblem;

const ownValue = (
  schemas: Readonly<Record<string, z.ZodType>>,
  key: string,
): z.ZodType | undefined => (Object.hasOwn(schemas, key) ? schemas[key] : undefined);

/** Puts a row that was read into its holder. Undefined removes it. */
export function putRow<Holder extends Tabled>(
  { name, load }: StoredTable<Holder>,
  holder: Holder,
  key: string,
  value: unknown,
): void {
  if (load?.(holder, key, value)) return;
  holder.tables.byName.get(name)?.load(key, value);
}

/** Reads a row and puts it into its holder; null removes it. Throws `InvalidRow`, which names the row and the field. */
export function loadRow<Holder extends Tabled>(
  stored: StoredTables<Holder>,
  holder: Holder,
  [name, key, value]: Change,
): void {
  const table = stored.get(name);
  const place = `${name} ${JSON.stringify(key)}`;
  if (!table) throw new InvalidRow(place, { message: 'no such table belongs here' });
  const read = value === null ? undefined : readRow(table, place, key, value).value;
  putRow(table, holder, key, read);
}
