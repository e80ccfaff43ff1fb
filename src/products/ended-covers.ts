/* The policies whose cover ends while time passes. */

import type { Family } from '../types/public.ts';
import type { Settings } from '../world/settings.ts';
import type { RecordTable } from '../world/tables.ts';
import type { Instant } from '../world/time.ts';
import type { ProductFamily } from './family.ts';
import { anyFamilies, stateOf, type World } from './world.ts';

/** A policy whose cover ended. */
export interface EndedCover {
  readonly kind: 'cover_ended';
  readonly family: Family;
  readonly policy_number: string;
  readonly at: Instant;
}

/** The covers that ended in a time. */
export interface EndedCovers {
  /** The first of them, in order of time. */
  readonly first: readonly EndedCover[];
  readonly count: number;
}

/**
 * The covers that end after `from`, and at `to` at the latest: at its end itself, a cover has ended.
 *
 * @param most how many to return
 */
export function endedCovers(world: World, from: Instant, to: Instant, most: number): EndedCovers {
  const first: EndedCover[] = [];
  let count = 0;
  for (const family of anyFamilies) {
    const policies = family.policiesOf(stateOf(world, family));
    const ends = endsOf(family, policies, world.settings);
    const ended: number[] = [];
    for (let place = 0; place < policies.list.length; place++) {
      const end = ends[place] as Instant;
      if (end > from && end <= to) ended.push(place);
    }
    const endAt = (place: number) => ends[place] as Instant;
    count += ended.length;
    for (const place of ended.sort((a, b) => endAt(a) - endAt(b)).slice(0, most)) {
      first.push({
        kind: 'cover_ended',
        family: family.key as Family,
        policy_number: policies.keyOf(policies.list[place] as object),
        at: endAt(place),
      });
    }
  }
  return { first: first.sort((a, b) => a.at - b.at).slice(0, most), count };
}

/** The ends of policies, with the records that they were read from. */
interface KnownEnds {
  readonly records: object[];
  readonly ends: Instant[];
}

const known = new WeakMap<RecordTable<object>, KnownEnds>();

/**
 * The end of each policy by its place. Reading a date from a record takes a hundred times as long as seeing that it is
 * the same record as before, so a clock that moves among 100,000 policies reads only those that changed.
 */
function endsOf(
  { coverEndOf }: ProductFamily,
  table: RecordTable<object>,
  settings: Settings,
): readonly Instant[] {
  const { list } = table;
  const { records, ends } = known.get(table) ?? { records: [], ends: [] };
  known.set(table, { records, ends });
  for (let place = 0; place < list.length; place++) {
    const record = list[place] as object;
    if (records[place] === record) continue;
    records[place] = record;
    ends[place] = coverEndOf(record, settings) ?? Number.POSITIVE_INFINITY;
  }
  // Going back removes the newest, which should not be kept in memory.
  records.length = list.length;
  return ends;
}
