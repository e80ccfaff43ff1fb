/* The lines of the list with their places, and which of them are visible. */

import { endedBy, type Item, isCall, keyOf } from './items.ts';

/** A line: an item, or the day of the items below it. Days and events are lower and cannot be chosen. */
export interface ListLine {
  readonly key: string;
  readonly top: number;
  readonly height: number;
  /** Undefined for a day. */
  readonly item: Item | undefined;
  /** The position of a call among calls. */
  readonly place: number;
  readonly day: string;
}

/** The heights of lines, as in the style sheet. */
export const CALL_HEIGHT = 46;
export const MARK_HEIGHT = 24;
/** How much of what a move of the clock ended is listed. */
export const MAX_EFFECTS = 3;

/** The lines of items, newest first. Days make no sense if the items of several clocks are mixed. */
export function linesOf(items: readonly Item[], isMixed: boolean): ListLine[] {
  const lines: ListLine[] = [];
  let [top, place, day] = [0, 0, ''];
  const add = (line: Pick<ListLine, 'key' | 'item'>, height: number) => {
    lines.push({ ...line, top, height, place, day });
    top += height;
  };
  for (const [index, item] of items.entries()) {
    const key = isCall(item) ? keyOf(item) : `event ${items.length - index} ${item.at}`;
    if (!isMixed && item.at.slice(0, 10) !== day) {
      day = item.at.slice(0, 10);
      add({ key: `day ${key}`, item: undefined }, MARK_HEIGHT);
    }
    const effects = isCall(item) ? 0 : endedBy(item).effects.length;
    const marks = 1 + Math.min(effects, MAX_EFFECTS) + (effects > MAX_EFFECTS ? 1 : 0);
    add({ key, item }, isCall(item) ? CALL_HEIGHT : marks * MARK_HEIGHT);
    if (isCall(item)) place += 1;
  }
  return lines;
}

/** The visible part of a list, in pixels. */
export interface View {
  readonly scrollTop: number;
  readonly height: number;
}

export const heightOf = (lines: readonly ListLine[]): number => {
  const last = lines.at(-1);
  return last ? last.top + last.height : 0;
};

/** Lines are drawn this far above and below the visible part. */
const AROUND = 8 * CALL_HEIGHT;

/** The lines of a long list to draw: the visible ones, and a few around them. */
export function visibleLines(
  lines: readonly ListLine[],
  { scrollTop, height }: View,
): readonly ListLine[] {
  const from = placeAt(lines, scrollTop - AROUND);
  const to = placeAt(lines, scrollTop + height + AROUND);
  return lines.slice(from, to + 1);
}

/** The position of the line at a height, by binary search. */
function placeAt(lines: readonly ListLine[], y: number): number {
  let [from, to] = [0, Math.max(0, lines.length - 1)];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if ((lines[middle]?.top ?? 0) <= y) from = middle;
    else to = middle - 1;
  }
  return from;
}

/** The scroll position that keeps the first visible call in place; undefined at the top, and if that call is gone. */
export function keepPlace(
  before: readonly ListLine[],
  now: readonly ListLine[],
  scrollTop: number,
): number | undefined {
  if (scrollTop <= 0) return undefined;
  const anchor = before
    .slice(placeAt(before, scrollTop))
    .find(({ item }) => item !== undefined && isCall(item));
  const same = anchor && now.find(({ key }) => key === anchor.key);
  return same && scrollTop + same.top - anchor.top;
}

/** The scroll position that shows a whole line. */
export function reveal({ top, height }: Pick<ListLine, 'top' | 'height'>, view: View): number {
  if (top < view.scrollTop) return top;
  return Math.max(view.scrollTop, top + height - view.height);
}
