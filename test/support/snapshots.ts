/* Parts of a snapshot, for tests that compare or change them. */

type SavedWorld = Readonly<Record<string, unknown>>;

/** The tables of the families: their policies and tokens. */
export const tablesOfFamilies = (world: SavedWorld): SavedWorld =>
  Object.fromEntries(Object.entries(world).filter(([table]) => table.includes('.')));

/** A World without its journal, its counts of assumptions and its number of requests, which every call changes. */
export function withoutCalls({
  journal: _,
  assumed: __,
  values,
  ...world
}: SavedWorld): Record<string, unknown> {
  const { requests: ___, ...others } = values as SavedWorld;
  return { ...world, values: others };
}
