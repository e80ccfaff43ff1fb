/* The items of the list, calls and World events: their names, how they are found, and which belong together. */

import type { JournalEntryJson } from '../../../types/control-wire.ts';
import type { WorldEvent } from '../../../types/public.ts';
import { contract } from './contract.ts';

/** A call as the journal tells it. */
export type JournalCall = JournalEntryJson;

export type Item = JournalCall | WorldEvent;

export const isCall = (item: Item): item is JournalCall => 'request' in item;

/** How many items the page keeps. */
export const MAX_ITEMS = 1000;

/**
 * Identifies a call among those of all merchants. A World that was restored from another merchant's snapshot has calls
 * with ids of that merchant; they are told apart by the merchant behind: `req-1-7@2`.
 */
export const keyOf = ({ id, merchant }: Pick<JournalCall, 'id' | 'merchant'>): string =>
  keyIn(merchant?.id, id);

/** The key of a call of this merchant, or of none. */
export const keyIn = (merchant: number | undefined, id: string): string =>
  merchantOf(id) === merchant ? id : `${id}@${merchant ?? 0}`;

/** The id in the key of a call. */
export const idOf = (key: string): string => key.replace(/@\d+$/, '');

/** The merchant in the key of a call: `req-3-17` belongs to merchant 3, `req-3-17@2` to 2, `req-0-1` to none. */
export function merchantOf(key: string | undefined): number | undefined {
  const [, named, owner] = /^req-(\d+)-(?:\d+-)?\d+(?:@(\d+))?$/.exec(key ?? '') ?? [];
  return whole(owner ?? named);
}

/** A whole number from 1. */
export function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** Adds new items, newest first. Known ones are replaced: a reset World counts from one again. */
export function addItems(known: readonly Item[], fresh: readonly Item[]): Item[] {
  const identityOf = (item: Item) => (isCall(item) ? keyOf(item) : JSON.stringify(item));
  const keys = new Set(fresh.map(identityOf));
  return [...fresh, ...known.filter((item) => !keys.has(identityOf(item)))].slice(0, MAX_ITEMS);
}

/* What a row says. */

/** Timers may fire slightly early. */
const TIMER_SLACK_MS = 2;

/** Whether the client got no complete response: a fault took it, or the client left before a late one. */
export function isLost({
  status,
  fault,
  elapsed_ms,
}: Pick<JournalCall, 'status' | 'fault' | 'elapsed_ms'>): boolean {
  if (status === null) return true;
  if (!fault) return false;
  const { stage, effect } = fault;
  if (effect.kind !== 'delay') return contract.losingFaults.includes(effect.kind);
  return stage === 'after' && elapsed_ms !== null && elapsed_ms < effect.ms - TIMER_SLACK_MS;
}

/** Whether the service refused, with whatever status, or a fault answered with an error. */
export const isRefused = ({ status, problems }: JournalCall): boolean =>
  problems.length > 0 || (status !== null && status >= 400);

export const statusText = (call: JournalCall): string =>
  isLost(call) ? 'lost' : String(call.status);

/** The CSS class of a status. Under a profile a refusal may have the status of a success. */
export function statusClass(call: JournalCall): string {
  if (isLost(call)) return 's0';
  const [first] = String(call.status);
  return isRefused(call) && first === '2' ? 's4' : `s${first}`;
}

export const titleOf = ({ operation, method, path }: JournalCall): string =>
  operation ?? `${method} ${path}`;

/** The problems of a refusal: wrong values, and required fields that are missing. */
export function problemsOf({ problems }: Pick<JournalCall, 'problems'>) {
  return {
    wrong: problems.filter(({ rule }) => rule !== 'required'),
    missing: problems.flatMap(({ rule, field }) => (rule === 'required' ? (field ?? []) : [])),
  };
}

/** Why a call was refused, in one line: wrong values before missing fields, `+5` for the rest. */
export function reasonText(call: JournalCall): string {
  const { wrong } = problemsOf(call);
  const [first = call.problems[0]] = wrong;
  const others = call.problems.length - 1;
  return [first?.message, others > 0 ? `+${others}` : ''].filter(Boolean).join(' ');
}

/** The real duration: `<0.1 ms`, `0.4 ms`, `12 ms`, `2.0 s`; empty if an earlier process answered. */
export function tookText({ elapsed_ms: ms }: Pick<JournalCall, 'elapsed_ms'>): string {
  if (ms === null) return '';
  if (ms < 0.1) return '<0.1 ms';
  if (ms >= 999.5) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 9.95 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** Whether this run of the sandbox served a call, with a key. Only such a call can be sent again or rewound. */
export const isOfThisRun = ({ merchant, received_at }: JournalCall): boolean =>
  merchant !== null && received_at !== null;

/* The search: words that must all be in a call, and terms. */

/** A term of the search, by its name: whether a call has this value. */
const TERMS: Readonly<Record<string, (call: JournalCall, value: string) => boolean>> = {
  status: (call, value) => statusText(call).startsWith(value.replaceAll('x', '')),
  op: ({ operation }, value) => (operation ?? 'unknown').toLowerCase().includes(value),
  fault: ({ fault }, value) => fault?.effect.kind.includes(value) === true,
  rule: ({ problems }, value) => problems.some(({ rule }) => rule === value),
  merchant: ({ merchant }, value) =>
    (merchant?.name ?? 'no valid key').toLowerCase().includes(value),
};

export const TERM_NAMES = Object.keys(TERMS);

export interface Search {
  readonly words: readonly string[];
  /** Whether a call has what a term asks for. */
  readonly terms: readonly ((call: JournalCall) => boolean)[];
  /** The names of terms that do not exist. */
  readonly unknown: readonly string[];
}

const PART = /(-?)(?:([a-z]{2,12}):(?!\/\/))?(?:"([^"]*)"?|(\S+))/gi;

/** Reads `status:4xx op:verify -op:list "Ada Obi"`. */
export function parseSearch(text: string): Search {
  const words: string[] = [];
  const terms: Search['terms'][number][] = [];
  const unknown: string[] = [];
  for (const [whole, minus, name, phrase, word] of text.toLowerCase().matchAll(PART)) {
    const value = phrase ?? word ?? '';
    const term = name !== undefined && Object.hasOwn(TERMS, name) ? TERMS[name] : undefined;
    if (name === undefined) words.push(phrase ?? whole);
    else if (term) terms.push((call) => term(call, value) !== (minus === '-'));
    else unknown.push(name);
  }
  return { words: words.filter(Boolean), terms, unknown };
}

/** The items that match. World events have no terms. */
export function filterItems(items: readonly Item[], search: Search): readonly Item[] {
  const { words, terms, unknown } = search;
  if (unknown.length > 0) return [];
  if (words.length + terms.length === 0) return items;
  return items.filter((item) => {
    if (!isCall(item)) return terms.length === 0 && hasWords(JSON.stringify(item), words);
    return terms.every((isIn) => isIn(item)) && hasWords(textOf(item), words);
  });
}

const hasWords = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.toLowerCase().includes(word));

const texts = new WeakMap<JournalCall, string>();

/** The searchable text of a call. */
function textOf(call: JournalCall): string {
  const known = texts.get(call);
  if (known !== undefined) return known;
  const { id, operation, method, path, merchant, request, response, summary } = call;
  const { cause = '', problems } = call;
  const bodies = [request.body, response?.body].map((body) => JSON.stringify(body) ?? '');
  const messages = problems.map(({ message }) => message);
  const shown = [id, operation, method, path, statusText(call), merchant?.name, summary, cause];
  const text = [...shown, ...messages, ...bodies].join('\n');
  texts.set(call, text);
  return text;
}

/** The problems of calls, each once with the number of calls that have it, most frequent first. */
export function groupProblems(
  calls: readonly JournalCall[],
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { problems } of calls) {
    const messages = new Set(problems.map(({ message }) => message));
    for (const message of messages) counts.set(message, (counts.get(message) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1]);
}

/* The story of a purchase: the calls with its token and about its policy. */

/** What a call is about: tokens and policies. */
function subjectsOf({ request, response, changes }: JournalCall): string[] {
  const tokens = [memberOf(request.body, 'token'), memberOf(response?.body, 'data', 'token')];
  const rows = changes.filter(({ table }) => !table.endsWith('faults')).map(({ key }) => key);
  return [...tokens.filter((token) => typeof token === 'string'), ...rows];
}

export const memberOf = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce(
    (held, key) =>
      typeof held === 'object' && held !== null && Object.hasOwn(held, key)
        ? Reflect.get(held, key)
        : undefined,
    value,
  );

export interface Story {
  /** The calls, and the events that ended the purchase, oldest first. */
  readonly steps: readonly Item[];
  /** The policy that exists because of it. */
  readonly policy: { readonly family: string; readonly number: string } | undefined;
  readonly isExpired: boolean;
}

/** The story that a call belongs to; undefined if it is about no purchase. */
export function storyOf(call: JournalCall, items: readonly Item[]): Story | undefined {
  const same = items.filter(({ merchant }) => merchant?.id === call.merchant?.id);
  const known = same.some((item) => isCall(item) && keyOf(item) === keyOf(call));
  const own = known ? same : [call, ...same];
  const subjects = new Set(subjectsOf(call));
  // A renewal names the policy, the purchase of the policy its token.
  for (const item of own) {
    const others = isCall(item) ? subjectsOf(item) : [];
    if (others.some((each) => subjects.has(each))) for (const each of others) subjects.add(each);
  }
  const isExpiry = (item: Item) =>
    !isCall(item) &&
    item.kind === 'clock' &&
    item.effects.some((effect) => 'token' in effect && subjects.has(effect.token));
  const steps = own
    .filter((item) =>
      isCall(item) ? subjectsOf(item).some((each) => subjects.has(each)) : isExpiry(item),
    )
    .toReversed();
  if (subjects.size === 0 || steps.length === 0) return undefined;
  const policy = steps
    .filter(isCall)
    .flatMap(({ changes }) => changes)
    .find(({ table, change }) => table.endsWith('.policies') && change !== 'removed');
  return {
    steps,
    policy: policy && { family: policy.table.split('.')[0] ?? '', number: policy.key },
    // A clock that runs has no event when a purchase expires.
    isExpired: steps.some((step) =>
      isCall(step) ? step.problems.some(({ rule }) => rule === 'token_expired') : isExpiry(step),
    ),
  };
}
