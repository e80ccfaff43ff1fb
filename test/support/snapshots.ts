/* Parts of a snapshot, for tests that compare or change them. */

type SavedWorld = Readonly<Record<string, unknown>>;

/** The tables of the families: their policies and tokens. */
export const tablesOfFamilies = (world: SavedWorld): SavedWorld =>
  Object.fromEntries(Object.entries(world).filter(([table]) => table.includes('.')));

/** A World without its history, which holds real moments and ends with a restart. */
export function withoutHistory({
  history: _,
  values,
  journal,
  ...world
}: SavedWorld): Record<string, unknown> {
  const { steps: __, ...others } = values as SavedWorld;
  const entries = (journal as readonly SavedWorld[]).map(({ before: ___, ...entry }) => entry);
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
