import type { Address } from './address.ts';
import { type Call, isLost, isRefused, summaryOf } from './call.ts';

/* The calls of the page: those of one merchant and those without a valid key, newest first. */

export const MAX_CALLS = 1000;

/** Adds calls that came, the newest first. A known id is replaced, because a World that was reset counts from one again. */
export function addCalls(known: readonly Call[], came: readonly Call[]): Call[] {
  const ids = new Set(came.map(({ id }) => id));
  return [...came, ...known.filter(({ id }) => !ids.has(id))].slice(0, MAX_CALLS);
}

/** The calls that were read, after those among the known ones that came while they were read. */
export function mergeRead(
  known: readonly Call[],
  read: readonly Call[],
  came: ReadonlySet<string>,
): Call[] {
  const ids = new Set(read.map(({ id }) => id));
  const newer = known.filter(({ id }) => came.has(id) && !ids.has(id));
  return [...newer, ...read].slice(0, MAX_CALLS);
}

/** The calls of a merchant, and those without a valid key, out of the calls of all; then older ones of the merchant alone. */
export function callsOf(
  merchant: number | undefined,
  ofAll: readonly Call[],
  ofMerchant: readonly Call[] = [],
): Call[] {
  const chosen = ofAll.filter((call) => belongsTo(merchant, call));
  const ids = new Set(chosen.map(({ id }) => id));
  return [...chosen, ...ofMerchant.filter(({ id }) => !ids.has(id))].slice(0, MAX_CALLS);
}

export const belongsTo = (merchant: number | undefined, call: Call): boolean =>
  call.merchant === null || call.merchant.id === merchant;

type Filter = Pick<Address, 'shown' | 'search' | 'operation' | 'status'>;

/** The calls that match a filter; every word of its text must be somewhere in the call. */
export function filterCalls(calls: readonly Call[], filter: Filter): Call[] {
  const { shown, operation, status } = filter;
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  return calls.filter((call) => {
    if (shown === 'refused' && !isRefused(call)) return false;
    if (shown === 'faults' && call.fault === null) return false;
    if (operation !== undefined && call.operation !== operation) return false;
    if (status !== undefined && !hasStatus(call, status)) return false;
    if (words.length === 0) return true;
    const text = textOf(call);
    return words.every((word) => text.includes(word));
  });
}

const hasStatus = (call: Call, status: string): boolean =>
  !isLost(call) && String(call.status).startsWith(status);

const texts = new WeakMap<Call, string>();

/** Everything of a call that can be searched for, written out once. */
function textOf(call: Call): string {
  const known = texts.get(call);
  if (known !== undefined) return known;
  const { id, operation, method, path, request, response } = call;
  const bodies = [request.body, response?.body].map((body) => JSON.stringify(body) ?? '');
  const text = [id, operation ?? '', method, path, call.status, summaryOf(call), ...bodies]
    .join('\n')
    .toLowerCase();
  texts.set(call, text);
  return text;
}

const AROUND = 8;

/** What of a list is visible, in pixels. */
export interface View {
  readonly scrollTop: number;
  readonly height: number;
}

/** Which rows of a long list are drawn: the visible ones, and a few around them. */
export function windowOf(rows: number, rowHeight: number, { scrollTop, height }: View) {
  const first = Math.floor(scrollTop / rowHeight);
  const count = Math.ceil(height / rowHeight) + 1;
  const from = Math.max(0, Math.min(first - AROUND, rows));
  return { from, to: Math.min(rows, Math.max(first, 0) + count + AROUND) };
}

/** Where to scroll so that the first visible row stays in place; undefined at the top, and where that row is gone. */
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

/** Where to scroll so that a whole row is visible. */
export function reveal(place: number, rowHeight: number, { scrollTop, height }: View): number {
  const top = place * rowHeight;
  if (top < scrollTop) return top;
  return Math.max(scrollTop, top + rowHeight - height);
}
