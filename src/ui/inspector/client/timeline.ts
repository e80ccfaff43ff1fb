/* The list of calls with what happened between them, and which part of it is visible. */

import { keyOf, type ListedCall, MAX_CALLS } from './call.ts';

/** A pending purchase that expired, or a policy whose cover ended. */
export interface EndedThing {
  readonly at: number;
  readonly family: string;
  /** Who it was for; empty if nobody knows. */
  readonly holder: string;
  /** Undefined for a pending purchase, which has no record. */
  readonly policy: string | undefined;
}

/** What one move of a clock ended, in order of time. */
export interface EndedByMove {
  readonly things: readonly EndedThing[];
  /** How many more there were. */
  readonly more: number;
  readonly isUnfolded: boolean;
}

/** A change of a World that stands in the list: a move of the clock, a reset, a rewind, or a restored snapshot. */
export interface WorldChange {
  readonly merchant: { readonly id: number; readonly name: string };
  /** The World's clock after the change. */
  readonly at: string;
  readonly text: string;
  /** Its place among everything that arrived. */
  readonly order: number;
  /** The number of the move of the clock by this page, and what it ended. */
  readonly move?: number | undefined;
  readonly ended?: EndedByMove | undefined;
}

/** The time of a clock, and whether it runs. */
interface ClockState {
  readonly at: number;
  readonly mode: 'running' | 'frozen';
}

/** A running clock that differs by less was not moved: the event took that long. */
const TOLERANCE_MS = 1500;

/**
 * Says how a clock changed; undefined if it was not moved, frozen or started.
 *
 * @param words how far it was moved in the words of who asked for it, if known: `by a month`
 */
export function describeMove(
  before: ClockState,
  after: ClockState,
  words?: string,
): string | undefined {
  const by = after.at - before.at;
  const isSame = before.mode === after.mode;
  const isMoved = Math.abs(by) > (isSame && after.mode === 'frozen' ? 0 : TOLERANCE_MS);
  const changed = isSame ? undefined : after.mode === 'frozen' ? 'frozen' : 'set running';
  if (!isMoved) return changed && `Clock ${changed}`;
  return [`Clock moved ${words ?? `by ${durationText(by)}`}`, changed].filter(Boolean).join(', ');
}

const UNITS = { day: 86_400_000, h: 3_600_000, min: 60_000, s: 1000 };

/** `15 min`, `1 day 2 h`, `28 days`: the two largest units. */
export function durationText(ms: number): string {
  let left = Math.abs(ms);
  const parts: string[] = [];
  for (const [unit, length] of Object.entries(UNITS)) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(`${count} ${unit}${unit === 'day' && count > 1 ? 's' : ''}`);
  }
  const text = parts.slice(0, 2).join(' ') || `${left} ms`;
  return ms < 0 ? `−${text}` : text;
}

/** When calls and changes arrived, counted by the page. Calls from a journal came before. */
const arrivals = new Map<string, number>();
let lastOrder = 0;

/** How many arrivals are remembered: more than the calls on the page. */
const MAX_ARRIVALS = 5 * MAX_CALLS;

export const nextOrder = (): number => ++lastOrder;

export function recordArrival(call: Pick<ListedCall, 'id' | 'merchant'>): void {
  const key = keyOf(call);
  arrivals.delete(key);
  arrivals.set(key, nextOrder());
  const [oldest] = arrivals.keys();
  if (arrivals.size > MAX_ARRIVALS && oldest !== undefined) arrivals.delete(oldest);
}

export const orderOf = (call: Pick<ListedCall, 'id' | 'merchant'>): number =>
  arrivals.get(keyOf(call)) ?? 0;

/** A line of the list. Lines that are no calls are lower and cannot be chosen. */
export type TimelineLine = {
  readonly key: string;
  readonly top: number;
  readonly height: number;
} & (
  | { readonly kind: 'call'; readonly call: ListedCall; readonly place: number }
  | { readonly kind: 'change'; readonly change: WorldChange }
  /** The day of the calls below it. */
  | { readonly kind: 'day'; readonly at: string }
  /** Time that passed between two calls, if the page did not see why. */
  | { readonly kind: 'gap'; readonly ms: number }
);

/** The heights of lines, as in the style sheet. */
export const CALL_HEIGHT = 52;
export const MARK_HEIGHT = 24;
const ENDED_HEIGHT = 22;

/** How much of what a move ended is listed at first. */
export const FOLDED = 3;

/** The height of the list of what a change ended. */
function endedHeight({ ended }: WorldChange): number {
  if (!ended || ended.things.length === 0) return 0;
  const { length } = ended.things;
  const isFoldable = length > FOLDED;
  const shown = isFoldable && !ended.isUnfolded ? FOLDED : length;
  return (shown + (isFoldable ? 1 : 0)) * ENDED_HEIGHT + 6;
}

/**
 * Shorter pauses between calls need no mention: no purchase expires in them. A frozen clock shows another time only if
 * it was moved.
 */
const MIN_GAP_MS = { running: 10 * 60_000, frozen: 1000 };

interface LinesOptions {
  /** The clock of the calls. Days and gaps make no sense if the calls of several clocks are mixed. */
  readonly clock: 'running' | 'frozen' | 'mixed';
  readonly orderOf?: (call: ListedCall) => number;
}

/** The lines of a list of calls and changes, both newest first. */
export function linesOf(
  calls: readonly ListedCall[],
  changes: readonly WorldChange[],
  { clock, orderOf: order = orderOf }: LinesOptions,
): TimelineLine[] {
  const lines: TimelineLine[] = [];
  let top = 0;
  const add = (line: OmitPlace<TimelineLine>, height: number) => {
    lines.push({ ...line, top, height } as TimelineLine);
    top += height;
  };
  let day = '';
  const addDay = (at: string, key: string) => {
    const isNew = clock !== 'mixed' && at.slice(0, 10) !== day;
    day = at.slice(0, 10);
    if (isNew) add({ kind: 'day', key: `day ${key}`, at }, MARK_HEIGHT);
    return isNew;
  };
  const left = [...changes];
  const addChanges = (isAbove: (change: WorldChange) => boolean) => {
    const [newest] = left;
    if (!newest || !isAbove(newest)) return false;
    left.shift();
    addDay(newest.at, `change ${newest.order}`);
    add(
      { kind: 'change', key: `change ${newest.order}`, change: newest },
      MARK_HEIGHT + endedHeight(newest),
    );
    addChanges(isAbove);
    return true;
  };
  /** When the call below arrived. */
  const sinceOlder = (place: number) => {
    const older = calls[place + 1];
    return older ? order(older) : -1;
  };
  for (const [place, call] of calls.entries()) {
    const newer = calls[place - 1];
    const key = keyOf(call);
    // A fault that moves the clock does so after the request arrived, and its event comes before the call.
    const isDuring = ({ at, order: arrived }: WorldChange) =>
      call.fault?.effect.kind === 'advance' && at > call.at && arrived > sinceOlder(place);
    const isAbove = (change: WorldChange) => change.order > order(call) || isDuring(change);
    const isExplained = addChanges(isAbove) || addDay(call.at, key) || !newer;
    const ms = newer ? Date.parse(newer.at) - Date.parse(call.at) : 0;
    if (clock !== 'mixed' && !isExplained && ms >= MIN_GAP_MS[clock]) {
      add({ kind: 'gap', key: `gap ${key}`, ms }, MARK_HEIGHT);
    }
    addDay(call.at, key);
    add({ kind: 'call', key, call, place }, CALL_HEIGHT);
  }
  addChanges(() => true);
  return lines;
}

type OmitPlace<L> = L extends TimelineLine ? Omit<L, 'top' | 'height'> : never;

/** The visible part of a list, in pixels. */
export interface View {
  readonly scrollTop: number;
  readonly height: number;
}

export const heightOf = (lines: readonly TimelineLine[]): number => {
  const last = lines.at(-1);
  return last ? last.top + last.height : 0;
};

/** Lines are drawn this far above and below the visible part. */
const AROUND = 8 * CALL_HEIGHT;

/** The lines of a long list to draw: the visible ones, and a few around them. */
export function visibleLines(
  lines: readonly TimelineLine[],
  { scrollTop, height }: View,
): readonly TimelineLine[] {
  const from = placeAt(lines, scrollTop - AROUND);
  const to = placeAt(lines, scrollTop + height + AROUND);
  return lines.slice(from, to + 1);
}

/** The position of the line at a height, by binary search. */
function placeAt(lines: readonly TimelineLine[], y: number): number {
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
  before: readonly TimelineLine[],
  now: readonly TimelineLine[],
  scrollTop: number,
): number | undefined {
  if (scrollTop <= 0) return undefined;
  const anchor = before.slice(placeAt(before, scrollTop)).find(({ kind }) => kind === 'call');
  const same = anchor && now.find(({ key }) => key === anchor.key);
  return same && scrollTop + same.top - anchor.top;
}

/** The scroll position that shows a whole line. */
export function reveal({ top, height }: TimelineLine, view: View): number {
  if (top < view.scrollTop) return top;
  return Math.max(view.scrollTop, top + height - view.height);
}
