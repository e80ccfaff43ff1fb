/** Which rows of a long list are drawn: those to be seen, and a few around them. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

const AROUND = 8;

export function windowOf(
  rows: number,
  rowHeight: number,
  { scrollTop, height }: { readonly scrollTop: number; readonly height: number },
): Window {
  const first = Math.floor(scrollTop / rowHeight);
  const count = Math.ceil(height / rowHeight) + 1;
  const from = Math.max(0, Math.min(first - AROUND, rows));
  return { from, to: Math.min(rows, Math.max(first, 0) + count + AROUND) };
}

/**
 * Where a list has to stand so that the row that was first to be seen stays where it is; undefined where
 * that row is gone, or where the top is what was looked at.
 */
export function keepPlace(
  before: readonly { readonly id: string }[],
  now: readonly { readonly id: string }[],
  rowHeight: number,
  scrollTop: number,
): number | undefined {
  if (scrollTop <= 0) return undefined;
  const place = Math.floor(scrollTop / rowHeight);
  const id = before[place]?.id;
  const at = now.findIndex((row) => row.id === id);
  return at === -1 ? undefined : scrollTop + (at - place) * rowHeight;
}

/** Where a list has to stand so that a row is to be seen whole. */
export function reveal(
  place: number,
  rowHeight: number,
  { scrollTop, height }: { readonly scrollTop: number; readonly height: number },
): number {
  const top = place * rowHeight;
  if (top < scrollTop) return top;
  return Math.max(scrollTop, top + rowHeight - height);
}
