/* Parts of a snapshot, for tests that compare or change them. */

type SavedWorld = Readonly<Record<string, unknown>>;

/** The tables of the families: their policies and tokens. */
export const tablesOfFamilies = (world: SavedWorld): SavedWorld =>
  Object.fromEntries(Object.entries(world).filter(([table]) => table.includes('.')));

/**
 * A World without its history, which holds real moments and ends with a restart, and without its events, among which a
 * restore is one.
 */
export function withoutHistory({
  history: _,
  values,
  journal,
  ...world
}: SavedWorld): Record<string, unknown> {
  const { steps: __, ...others } = values as SavedWorld;
  const entries = callsIn(journal).map(({ before: ___, ...entry }) => entry);
  return { ...world, journal: entries, values: others };
}

/**
 * A World without its history, its journal, its counts of assumptions and its number of requests, which every call
 * changes.
 */
export function withoutCalls(saved: SavedWorld): Record<string, unknown> {
  const { journal: _, assumed: __, values, ...world } = withoutHistory(saved);
  const { requests: ___, ...others } = values as SavedWorld;
  return { ...world, values: others };
}

/** A snapshot without the events of its World: putting one back, a reset and a rewind are events themselves. */
export const withoutEvents = <Saved extends { readonly world: SavedWorld }>(saved: Saved) => {
  const { world } = saved;
  return { ...saved, world: { ...world, journal: callsIn(world.journal) } };
};

/** What a rewind restores of a World: not its events, its counts of assumptions and its number of requests. */
export function rewindablePart(saved: SavedWorld): Record<string, unknown> {
  const { assumed: _, values, journal, ...tables } = saved;
  const { requests: __, ...others } = values as SavedWorld;
  return { ...tables, values: others, journal: callsIn(journal) };
}

/** The calls of a journal. Only events have a kind. */
export const callsIn = (journal: unknown): readonly SavedWorld[] =>
  (journal as readonly SavedWorld[]).filter(({ kind }) => kind === undefined);
