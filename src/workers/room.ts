/* Refuses what makes a World larger than an object can hold. */

import { anyFamilies, stateOf, type World } from '../products/world.ts';
import { grouped } from '../world/grouped.ts';
import { bytesOf } from '../world/json.ts';
import { type Change, type Line, NotStoredError } from '../world/tables.ts';
import { WORLD_TABLES } from '../world/world.ts';
import type { SqlRows } from './sql-rows.ts';

/** Maximum number of policies and pending purchases in a World. An object has 128 MB of memory. */
const MAX_POLICIES = 20_000;
/** Maximum stored bytes of a World. Policies may have many members, and fault rules have bodies. */
const MAX_KEPT_BYTES = 31 * 1024 * 1024;
/** The maximum size of a policy, relative to its pending purchase. Each member gets additional fields. */
const BYTES_OF_POLICY = 3;

/** How many policies and bytes a World may hold. */
export interface RoomLimits {
  readonly maxPolicies: number;
  readonly maxKeptBytes: number;
}

const LIMITS: RoomLimits = { maxPolicies: MAX_POLICIES, maxKeptBytes: MAX_KEPT_BYTES };

/** The lines that change a World. Throws `NotStoredError` at one that makes it larger without room for that. */
export function* whereRoomIs(
  world: World,
  { bytes }: Pick<SqlRows, 'bytes'>,
  lines: Iterable<Line>,
  limits: RoomLimits = LIMITS,
): Generator<Line, void> {
  let isWhole = false;
  for (const line of lines) {
    // A fresh or restored World has limits of its own.
    isWhole ||= line.replaced === true;
    const reason = isWhole ? undefined : fullReason(world, bytes, line.changes, limits);
    if (reason !== undefined) throw new NotStoredError(reason);
    yield line;
  }
}

function fullReason(
  world: World,
  kept: number,
  changes: readonly Change[],
  { maxPolicies, maxKeptBytes }: RoomLimits,
): string | undefined {
  const [begins, enlarges] = [changes.some(beginsPurchase), changes.some(addsBytes)];
  // A verify always has room: its purchase took it. So has a rewind, whose rows were here before.
  if (changes.some(usesToken) || changes.some(undoesVerify) || !(begins || enlarges))
    return undefined;
  let policies = 0;
  let pendingBytes = 0;
  for (const family of anyFamilies) {
    const { policies: bought, tokens } = stateOf(world, family);
    policies += bought.size + tokens.pending.size;
    for (const { details } of tokens.pending.values()) pendingBytes += sizeOf(details);
  }
  const bytes = kept + pendingBytes * (BYTES_OF_POLICY - 1);
  const isFull = bytes >= maxKeptBytes || (begins && policies > maxPolicies);
  if (!isFull) return undefined;
  return `This World is full: the limits are ${grouped(maxPolicies)} policies and pending purchases, and ${maxKeptBytes >> 20} MiB including fault rules. Reset it, or use another key.`;
}

const tablesNamed = (nameOf: (family: (typeof anyFamilies)[number]) => string) =>
  new Set(anyFamilies.map(nameOf));

const PENDING = tablesNamed(({ key }) => `${key}.pending`);
const USED = tablesNamed(({ key }) => `${key}.used`);
const POLICIES = tablesNamed(({ key }) => `${key}.policies`);

const beginsPurchase = ([table, , value]: Change): boolean => PENDING.has(table) && value !== null;

const usesToken = ([table, , value]: Change): boolean => USED.has(table) && value !== null;

/** Only a rewind removes what a verify added. */
const undoesVerify = ([table, , value]: Change): boolean => USED.has(table) && value === null;

/** A new fault rule takes a number. One that was used is only changed. */
const addsBytes = ([table, key]: Change): boolean =>
  POLICIES.has(table) || (table === WORLD_TABLES.sequences && key === 'fault');

/** Pending purchases never change, so each is measured once. */
const sizes = new WeakMap<object, number>();

function sizeOf(details: object): number {
  const known = sizes.get(details) ?? bytesOf(JSON.stringify(details));
  sizes.set(details, known);
  return known;
}
