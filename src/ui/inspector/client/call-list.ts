import type { Address } from './address.ts';
import { type Call, isLost, isRefused, summaryOf } from './call.ts';

/* The calls of the page: those of one merchant and those of nobody, newest first. */

export const MAX_CALLS = 1000;

/** Adds calls that came, the newest first. One that is there already is replaced: a World that began anew numbers anew. */
export function addCalls(known: readonly Call[], came: readonly Call[]): Call[] {
  const ids = new Set(came.map(({ id }) => id));
  return [...came, ...known.filter(({ id }) => !ids.has(id))].slice(0, MAX_CALLS);
}

/**
 * What was read at once, with the calls that came while it was read.
 *
 * @param came the ids of those calls
 */
export function mergeRead(
  known: readonly Call[],
  read: readonly Call[],
  came: ReadonlySet<string>,
) {
  const ids = new Set(read.map(({ id }) => id));
  const newer = known.filter(({ id }) => came.has(id) && !ids.has(id));
  return [...newer, ...read].slice(0, MAX_CALLS);
}

/** The calls of a merchant and of nobody out of those of all, then older ones of the merchant alone. */
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

/** The calls that a filter lets through; every word of its text must stand somewhere in the call. */
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
