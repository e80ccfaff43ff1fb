/* How the page names, describes, orders and filters calls. */

import type { JournalEntryJson } from '../../../control-wire.ts';
import { isLost } from '../../layout/client/fault-kinds.ts';

export type ListedCall = JournalEntryJson;

/**
 * Identifies a call among those of all merchants. A World that was restored from another merchant's snapshot has calls
 * with ids of that merchant; they are told apart by the merchant behind: `req-1-7@2`.
 */
export const keyOf = ({ id, merchant }: Pick<ListedCall, 'id' | 'merchant'>): string =>
  // The page does not know the merchant of a key.
  merchant?.id === 0 ? id : keyIn(merchant?.id, id);

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

/** A problem of a request. */
export interface ShownProblem {
  /** The path of the field that caused it: `members.0.email`. */
  readonly field: string | undefined;
  /** The part of the request that has the field. */
  readonly place: 'body' | 'query' | 'path' | 'header' | undefined;
  readonly message: string;
}

/** The query parameters of a call, as sent. A name may repeat. */
export const queryOf = ({ path }: Pick<ListedCall, 'path'>): [string, string][] => [
  ...new URLSearchParams(path.split('?')[1] ?? ''),
];

/** Caches a function's result for each call. */
function once<Answer>(read: (call: ListedCall) => Answer): (call: ListedCall) => Answer {
  const answers = new WeakMap<ListedCall, Answer>();
  return (call) => {
    const answer = answers.get(call) ?? read(call);
    answers.set(call, answer);
    return answer;
  };
}

/** Every problem in a refusal, with the field that caused it. There may be thousands. */
export const problemsOf = once((call): readonly ShownProblem[] => {
  const problems = call.problems.map(({ field, message }): ShownProblem => {
    if (field === undefined) return { ...causeOf(call, message), message };
    const start = `The ${field} field `;
    const demand = message.startsWith(start) ? message.slice(start.length) : message;
    return { field, place: call.method === 'GET' ? 'query' : 'body', message: demand };
  });
  // A snapshot of an earlier version has no problems.
  const lacksReason = problems.length === 0 && isRefused(call) && !isInjected(call);
  if (!lacksReason) return problems;
  return [{ field: undefined, place: undefined, message: `The answer was ${call.status}.` }];
});

/** The message about a required field that was not sent. */
const REQUIRED = 'is required.';

/** The problems of a refusal: the wrong values, and the required fields that are missing. */
export const reasonsOf = once((call) => {
  const problems = problemsOf(call);
  const isMissing = ({ field, message }: ShownProblem) =>
    field !== undefined && message === REQUIRED;
  return {
    wrong: problems.filter((problem) => !isMissing(problem)),
    missing: problems.filter(isMissing),
  };
});

/** `32 required fields are missing` */
export const missingText = (count: number): string =>
  count === 1 ? '1 required field is missing' : `${count} required fields are missing`;

function messageOf(body: unknown): string | undefined {
  const message = memberOf(body, 'response_message') ?? memberOf(body, 'message');
  return typeof message === 'string' ? message : undefined;
}

/** Guesses the place of a refusal that names no field: the key, or the only field with a word of the message. */
function causeOf(call: ListedCall, message: string): Omit<ShownProblem, 'message'> {
  if (call.merchant === null) return { field: 'authorization', place: 'header' };
  const { body } = call.request;
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const words = new Set(message.toLowerCase().match(/[a-z]+/g));
  const named = isObject
    ? Object.keys(body).filter((field) => words.has(field.split('_')[0] as string))
    : [];
  if (named.length === 1) return { field: named[0], place: 'body' };
  const isAboutPath = call.status === 404 && call.method === 'GET';
  return { field: undefined, place: isAboutPath ? 'path' : undefined };
}

/** Whether the service refused, with whatever status, or a fault answered with an error. */
export const isRefused = ({ status, problems }: ListedCall): boolean =>
  problems.length > 0 || (status !== null && status >= 400);

/** Whether a fault made the response. */
const isInjected = ({ fault }: ListedCall): boolean => fault?.effect.kind === 'respond';

/** Whether the summary of a call is why the service refused it, not what a fault did to the response. */
export const isRefusal = (call: ListedCall): boolean =>
  isRefused(call) && !isLost(call) && !isInjected(call);

/** The text in the status column. */
export const statusText = (call: ListedCall): string =>
  isLost(call) ? 'lost' : String(call.status);

/** The CSS class of a status. Under a profile a refusal may have the status of a success. */
export function statusClass(call: ListedCall): string {
  if (isLost(call)) return 's0';
  const [first] = String(call.status);
  return isRefused(call) && first === '2' ? 's4' : `s${first}`;
}

export const titleOf = ({ operation }: ListedCall): string => operation ?? 'Unknown path';

/** How many wrong values fit into a row. */
const MAX_SUMMED_UP = 2;

/** The real duration: `<0.1 ms`, `0.4 ms`, `12 ms`, `2.0 s`; empty if an earlier process answered. */
export function tookText({ elapsed_ms: ms }: Pick<ListedCall, 'elapsed_ms'>): string {
  if (ms === null) return '';
  if (ms < 0.1) return '<0.1 ms';
  if (ms >= 999.5) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 9.95 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** One line about the call: its subject, or why it was refused. What a fault did comes first, because rows cut the end. */
export const summaryOf = once((call): string => {
  const ending = endingOf(call);
  if (ending !== '') return [ending, ...subjectOf(call)].join(' · ');
  return isRefused(call) ? reasonText(call) : outcomeOf(call);
});

/** How a fault ended the call; empty if it had its own response. */
function endingOf(call: ListedCall): string {
  if (!isLost(call)) return isInjected(call) ? `a fault returned ${call.status}` : '';
  const served = call.response && call.fault?.stage === 'after';
  return served ? 'done, but the response was lost' : 'no response';
}

/** Why a call was refused: wrong values first, then what is missing. */
function reasonText(call: ListedCall): string {
  const { wrong, missing } = reasonsOf(call);
  const texts = wrong.slice(0, MAX_SUMMED_UP).map(({ field, message }) => {
    const text = field && /^(must|is) /.test(message) ? `${field} ${message}` : message;
    return text.replace(/\.$/, '');
  });
  const more = wrong.length - texts.length;
  const [first] = missing;
  const absent = missing.length === 1 ? `${first?.field} is required` : missingText(missing.length);
  return [
    ...texts,
    ...(more > 0 ? [`${more} more`] : []),
    ...(missing.length > 0 ? [absent] : []),
  ].join(' · ');
}

/** What a success was about: a number of records, or a person, an amount, a plan and a policy. */
function outcomeOf(call: ListedCall): string {
  const body = call.response?.body;
  const data = memberOf(body, 'data');
  const list = Array.isArray(data) ? data : memberOf(data, 'data');
  if (Array.isArray(list)) {
    const total = memberOf(data, 'total');
    return typeof total === 'number' ? `${list.length} of ${total}` : `${list.length} listed`;
  }
  const subject = subjectOf(call);
  if (subject.length > 0) return subject.join(' · ');
  return findText(data, /^token$/) ?? messageOf(body) ?? '';
}

/** Who and what a call was about, by the names that fields commonly have. */
function subjectOf({ request, response }: ListedCall): string[] {
  const sides = [request.body, memberOf(response?.body, 'data')];
  const first = (name: RegExp) => {
    for (const side of sides) {
      const found = findText(side, name);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const person = [first(/^first_?name$/), first(/^(sur|last_)name$/)];
  const amount = Number(first(/^(\w+_)?(amount|premium|price)$/) ?? Number.NaN);
  return [
    first(/^group_name$/) ?? person.filter((part) => part !== undefined).join(' '),
    Number.isNaN(amount) ? '' : `₦${amount.toLocaleString('en')}`,
    first(/^(subscriptions?_type|insurance_cover|cover)$/) ?? '',
    first(/^policy_n(o|umber)$/) ?? '',
  ].filter((part) => part !== '');
}

/** Finds the first text or number with a matching name, outermost first, but not in lists. */
function findText(value: unknown, name: RegExp, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 2) {
    return undefined;
  }
  const entries = Object.entries(value);
  for (const [key, held] of entries) {
    const isScalar = typeof held === 'string' || typeof held === 'number';
    if (isScalar && held !== '' && name.test(key)) return String(held);
  }
  for (const [, held] of entries) {
    const found = findText(held, name, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The kinds of rows that are no policies. */
const ROWS: Readonly<Record<string, string>> = {
  pending: 'pending purchase',
  used: 'used token',
  faults: 'fault rule',
};
const SIGNS = { added: '+', changed: '~', removed: '−' } as const;

type Change = ListedCall['changes'][number];

/** One thing that a call changed: `+ motor policy INS-1`. */
export const changeText = (change: Change): string => `${SIGNS[change.change]} ${rowText(change)}`;

/** `motor policy INS-1` */
export function rowText({ table, key }: Change): string {
  const kind = table.split('.').at(-1) ?? '';
  const family = table === kind ? '' : `${table.slice(0, -kind.length - 1).replaceAll('_', '-')} `;
  return `${family}${ROWS[kind] ?? 'policy'} ${key}`;
}

/** `after · drop` */
export const faultTag = ({ fault }: ListedCall): string | undefined =>
  fault ? `${fault.stage} · ${fault.effect.kind}` : undefined;

/** What a fault did to a call, in one or two sentences. */
export function faultStory({ fault, response }: ListedCall): string {
  if (!fault) return '';
  const { effect, stage } = fault;
  const when =
    stage === 'after'
      ? 'The operation ran, then '
      : effect.kind === 'delay' || effect.kind === 'advance'
        ? 'Before the operation ran, '
        : 'The operation did not run: ';
  const kept = response && stage === 'after' ? ' The response it produced is below.' : '';
  const did = {
    respond: 'this response was sent instead.',
    delay: `the call waited ${effect.kind === 'delay' ? effect.ms : 0} ms.`,
    advance: `the clock moved by ${effect.kind === 'advance' ? effect.by : ''}.`,
    drop: `the connection was reset before the response was sent.${kept}`,
    truncate: `half of the body was sent and the connection ended.${kept}`,
    malformed: 'broken JSON was sent with status 200.',
    hang: `nothing was sent until the client gave up.${kept}`,
  };
  return when + did[effect.kind];
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;

/* The calls of the page, newest first. */

export const MAX_CALLS = 1000;

/** Calls, then the other calls that are not among them. */
function union(calls: readonly ListedCall[], others: readonly ListedCall[]): ListedCall[] {
  const keys = new Set(calls.map(keyOf));
  return [...calls, ...others.filter((call) => !keys.has(keyOf(call)))].slice(0, MAX_CALLS);
}

/** Adds new calls, newest first. Known ones are replaced, because a reset World counts from one again. */
export const addCalls = (
  known: readonly ListedCall[],
  arrivals: readonly ListedCall[],
): ListedCall[] => union(arrivals, known);

/** The loaded calls, after known ones that arrived during loading. */
export function mergeRead(
  known: readonly ListedCall[],
  read: readonly ListedCall[],
  arrivals: ReadonlySet<string>,
): ListedCall[] {
  const keys = new Set(read.map(keyOf));
  const isNewer = (call: ListedCall) => arrivals.has(keyOf(call)) && !keys.has(keyOf(call));
  return union(known.filter(isNewer), read);
}

/** The calls of one merchant: those among the calls of all, then older ones. */
export const callsOf = (
  merchant: number,
  ofAll: readonly ListedCall[],
  older: readonly ListedCall[] = [],
): ListedCall[] =>
  union(
    ofAll.filter((call) => belongsTo(merchant, call)),
    older,
  );

export const belongsTo = (merchant: number, call: ListedCall): boolean =>
  call.merchant?.id === merchant;

/** How many calls belong to other merchants, and how many to nobody, because their key is not valid. */
export function countOthers(merchant: number, ofAll: readonly ListedCall[]) {
  const keyless = ofAll.filter((call) => call.merchant === null).length;
  const ownCount = ofAll.filter((call) => belongsTo(merchant, call)).length;
  return { others: ofAll.length - keyless - ownCount, keyless };
}

export const SHOWN = ['all', 'refused', 'faults'] as const;

/** The filter of calls. */
export interface Filter {
  readonly shown: (typeof SHOWN)[number];
  /** Words that must all be in a call. */
  readonly search: string;
  readonly operation: string | undefined;
  /** A status, or its first digit. */
  readonly status: string | undefined;
}

/** The calls that match a filter. */
export function filterCalls(calls: readonly ListedCall[], filter: Filter): ListedCall[] {
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

const hasStatus = (call: ListedCall, status: string): boolean =>
  !isLost(call) && String(call.status).startsWith(status);

/** The searchable text of a call. */
const textOf = once((call) => {
  const { id, operation, method, path, status, merchant, request, response } = call;
  const bodies = [request.body, response?.body].map((body) => JSON.stringify(body) ?? '');
  const whose = merchant?.name ?? 'no valid key';
  const texts = [id, operation ?? '', method, path, status, whose, summaryOf(call), ...bodies];
  return texts.join('\n').toLowerCase();
});
