import type { SandboxEntry } from '../../../control/journal-all.ts';

/* How the page describes a call. */

export type Call = SandboxEntry;

/** A problem of a request. */
export interface Problem {
  /** The path of the field that caused it: `members.0.email`. */
  readonly field: string | undefined;
  /** The part of the request that has the field. */
  readonly place: 'body' | 'query' | 'path' | 'header' | undefined;
  readonly message: string;
}

/** The query parameters of a call, as sent. */
export function queryOf({ path }: Pick<Call, 'path'>): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(path.split('?')[1] ?? ''));
}

/** Caches a function's result for each call. */
function once<Answer>(read: (call: Call) => Answer): (call: Call) => Answer {
  const answers = new WeakMap<Call, Answer>();
  return (call) => {
    const answer = answers.get(call) ?? read(call);
    answers.set(call, answer);
    return answer;
  };
}

/** Every problem in a refusal, with the field that caused it. There may be thousands. */
export const problemsOf = once((call): readonly Problem[] => {
  if (!isRefused(call) || isInjected(call)) return [];
  return messagesOf(call).map((message) => {
    const [, field, demand] = /^The (\S+) field (.*)$/s.exec(message) ?? [];
    if (field !== undefined && demand !== undefined) {
      const place = call.method === 'GET' ? 'query' : 'body';
      return { field, place, message: demand };
    }
    return { ...causeOf(call, message), message };
  });
});

function messagesOf({ response, status }: Call): string[] {
  const body = response?.body;
  const errors = memberOf(memberOf(body, 'data'), 'error');
  if (Array.isArray(errors) && errors.length > 0) return errors.map(String);
  return [messageOf(body) ?? `The answer was ${status}.`];
}

function messageOf(body: unknown): string | undefined {
  const message = memberOf(body, 'response_message') ?? memberOf(body, 'message');
  return typeof message === 'string' ? message : undefined;
}

/** Guesses the place of a refusal that names no field: the key, or the only field with a word of the message. */
function causeOf(call: Call, message: string): Omit<Problem, 'message'> {
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

export const isRefused = ({ status }: Call): boolean => status !== null && status >= 400;

/** Whether a fault made the response. */
const isInjected = ({ fault }: Call): boolean => fault?.effect.kind === 'respond';

/** Whether the client got no complete response. */
export const isLost = ({ status, fault }: Call): boolean =>
  status === null || ['drop', 'truncate', 'hang'].includes(fault?.effect.kind ?? '');

/** The text in the status column. */
export const statusText = (call: Call): string => (isLost(call) ? 'lost' : String(call.status));

/** The CSS class of a status. */
export const statusClass = (call: Call): string =>
  isLost(call) ? 's0' : `s${String(call.status).slice(0, 1)}`;

export const titleOf = ({ operation, method, path }: Call): string =>
  operation ?? `${method} ${path}`;

const MAX_SUMMED_UP = 5;

/** The duration by the World's clock; empty below a millisecond, or if the clock is frozen. */
export const tookText = ({ duration_ms }: Call): string =>
  duration_ms > 0 ? `${duration_ms} ms` : '';

/** One line about the outcome. */
export function summaryOf(call: Call): string {
  if (isLost(call)) {
    const served = call.response && call.fault?.stage === 'after';
    return served ? 'done, but the response was lost' : 'no response';
  }
  if (isInjected(call)) return `a fault returned ${call.status}`;
  if (isRefused(call)) {
    const problems = problemsOf(call);
    const texts = problems.slice(0, MAX_SUMMED_UP).map(({ field, message }) => {
      const text = field && /^(must|is) /.test(message) ? `${field} ${message}` : message;
      return text.replace(/\.$/, '');
    });
    const more = problems.length - texts.length;
    return [...texts, ...(more > 0 ? [`${more} more`] : [])].join(' · ');
  }
  return outcomeOf(call.response?.body);
}

/** The subject of a success: its policy number or token, a price, or a number of records. */
function outcomeOf(body: unknown): string {
  const data = memberOf(body, 'data');
  const list = Array.isArray(data) ? data : memberOf(data, 'data');
  if (Array.isArray(list)) {
    const total = memberOf(data, 'total');
    return typeof total === 'number' ? `${list.length} of ${total}` : `${list.length} listed`;
  }
  const named = find(data, /^(policy_n(o|umber)|token)$/);
  if (named) return `${named[1]}`;
  const price = find(data, /(price|premium|amount)$/);
  return price?.join(' ') ?? messageOf(body) ?? '';
}

/** Finds the first text or number with a matching name, outermost first. */
function find(value: unknown, name: RegExp, depth = 0): [string, string | number] | undefined {
  if (typeof value !== 'object' || value === null || depth > 2) return undefined;
  const entries = Object.entries(value);
  for (const [key, held] of entries) {
    const isScalar = typeof held === 'string' || typeof held === 'number';
    if (isScalar && name.test(key)) return [key, held];
  }
  for (const [, held] of entries) {
    const found = find(held, name, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** The ids of the assumptions behind a response. */
export const assumptionsOf = ({ response }: Call): string[] =>
  response?.headers['sandbox-assumptions']?.split(', ').filter(Boolean) ?? [];

/** `after · drop` */
export const faultTag = ({ fault }: Call): string | undefined =>
  fault ? `${fault.stage} · ${fault.effect.kind}` : undefined;

/** What a fault did to a call, in one or two sentences. */
export function faultStory({ fault, response }: Call): string {
  if (!fault) return '';
  const { effect, stage } = fault;
  const when =
    stage === 'after'
      ? 'The operation ran, then '
      : effect.kind === 'delay'
        ? 'Before the operation ran, '
        : 'The operation did not run: ';
  const kept = response && stage === 'after' ? ' The response it produced is below.' : '';
  const did = {
    respond: 'this response was sent instead.',
    delay: `the call waited ${effect.kind === 'delay' ? effect.ms : 0} ms.`,
    drop: `the connection was reset before any byte was sent.${kept}`,
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

/* The calls of the page: those of one merchant and those without a valid key, newest first. */

export const MAX_CALLS = 1000;

/** Calls, then the other calls that are not among them. */
function union(calls: readonly Call[], others: readonly Call[]): Call[] {
  const ids = new Set(calls.map(({ id }) => id));
  return [...calls, ...others.filter(({ id }) => !ids.has(id))].slice(0, MAX_CALLS);
}

/** Adds new calls, newest first. Known ids are replaced, because a reset World counts from one again. */
export const addCalls = (known: readonly Call[], came: readonly Call[]): Call[] =>
  union(came, known);

/** The loaded calls, after known ones that arrived during loading. */
export function mergeRead(
  known: readonly Call[],
  read: readonly Call[],
  came: ReadonlySet<string>,
): Call[] {
  const ids = new Set(read.map(({ id }) => id));
  return union(
    known.filter(({ id }) => came.has(id) && !ids.has(id)),
    read,
  );
}

/** From the calls of all merchants, those of one merchant and those without a valid key; then older ones of that merchant. */
export const callsOf = (
  merchant: number | undefined,
  ofAll: readonly Call[],
  ofMerchant: readonly Call[] = [],
): Call[] =>
  union(
    ofAll.filter((call) => belongsTo(merchant, call)),
    ofMerchant,
  );

export const belongsTo = (merchant: number | undefined, call: Call): boolean =>
  call.merchant === null || call.merchant.id === merchant;

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

/** The searchable text of a call. */
const textOf = once((call) => {
  const { id, operation, method, path, status, request, response } = call;
  const bodies = [request.body, response?.body].map((body) => JSON.stringify(body) ?? '');
  const texts = [id, operation ?? '', method, path, status, summaryOf(call), ...bodies];
  return texts.join('\n').toLowerCase();
});
