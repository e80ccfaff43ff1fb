/* The lines of the request log: one of text or JSON for each request, with its bodies if wanted. */

import type { JournalEntryJson } from '../control-wire.ts';
import type { LogMode } from '../public.ts';
import type { BlockedPage, ControlCall, RecordedCall } from '../world/activity.ts';
import { systemNow } from '../world/clock.ts';
import { colourStatus, dim } from '../world/colours.ts';
import type { StoredEntry } from '../world/journal.ts';
import { printable } from '../world/printable.ts';
import { type CallRedact, redactCall } from '../world/redaction.ts';
import { presentEntry, redactOf } from './journal-entry.ts';
import { faultWords } from './journal-text.ts';

/** How each request is logged: one line, one line and its bodies, or one JSON object. */
export const LOG_MODES: readonly LogMode[] = ['calls', 'bodies', 'json'];

/** A request that was refused before it reached the sandbox. */
export interface RefusedCall extends Omit<ControlCall, 'kind' | 'id' | 'merchant'> {
  readonly kind: 'refused';
}

type LoggedCall = RecordedCall | ControlCall | RefusedCall;
export type Logged = LoggedCall | BlockedPage;

/** The line of a request that has just been answered, with its line break. */
export const lineOf = (
  call: Logged,
  mode: LogMode,
  style: Omit<TextStyle, 'bodies'> = { colours: false, columns: undefined },
): string =>
  mode === 'json'
    ? jsonLine(call, systemNow())
    : textLine(call, systemNow(), { ...style, bodies: mode === 'bodies' });

/** How requests are shown. */
interface TextStyle {
  readonly colours: boolean;
  /** Whether the bodies follow the line. */
  readonly bodies: boolean;
  /** Width of the terminal; undefined if the output is none. */
  readonly columns: number | undefined;
}

/** Terminals at least this wide show the line in columns. */
const MIN_ALIGNED_COLUMNS = 140;
/** The highest number of problems on a line. */
const MAX_PROBLEMS = 3;
/** The longest method and path of an operation, and times up to 100 seconds. */
const [CALL_WIDTH, TIME_WIDTH] = [65, 6];

/**
 * One line for a request, then its bodies if the style has them:
 * `12:01:07 POST /api/merchant/micro_health/verify 400 0.3 ms  Demo Merchant  Token has expired`.
 *
 * @param at system time of the response
 */
export function textLine(call: Logged, at: number, style: TextStyle): string {
  if (call.kind === 'page') {
    return `${timeOfDay(at)} ${printable(`page of ${call.origin}: ${call.remedy}`)}\n`;
  }
  const { method, path, status } = call.kind === 'entry' ? call.entry : call;
  const redact = redactFor(call);
  const merchant = merchantOf(call);
  const { colours, columns = 0 } = style;
  const align = columns >= MIN_ALIGNED_COLUMNS;
  const shownPath = printable(redact.text(path));
  const called = align
    ? `${method.padEnd(4)} ${shownPath}`.padEnd(CALL_WIDTH)
    : `${method} ${shownPath}`;
  const answered = colourStatus(`${status ?? '-'}`.padEnd(align ? 3 : 0), colours);
  const elapsedMs = elapsedOf(call);
  const took = milliseconds(elapsedMs).padStart(align ? TIME_WIDTH : 0);
  const who = merchant ? printable(merchant.name) : '-';
  const problems =
    call.kind === 'entry' ? call.entry.problems.map(({ message }) => message) : call.problems;
  const remarks = problems.slice(0, MAX_PROBLEMS).map(redact.text);
  const more = problems.length - remarks.length;
  if (more > 0) remarks.push(`+${more} more`);
  if (call.kind === 'entry') {
    const { hint, fault } = call.entry;
    if (hint) remarks.push(redact.text(`hint: ${hint}`));
    if (fault) remarks.push(`fault ${faultWords(fault, status, elapsedMs)}`);
  }
  const said = [
    `${timeOfDay(at)} ${called} ${answered} ${took} ms`,
    who,
    ...remarks.map(printable),
  ];
  const line = said.join('  ');
  if (call.kind === 'control') return `${dim(line, colours)}\n`;
  if (call.kind === 'refused' || !style.bodies) return `${line}\n`;
  return `${line}\n${bodies(call.entry, colours)}`;
}

/** An entry of this process has its real duration. */
const elapsedOf = (call: LoggedCall): number =>
  call.kind === 'entry' ? (call.entry.elapsed_ms ?? 0) : call.elapsedMs;

const merchantOf = (call: LoggedCall) => (call.kind === 'refused' ? undefined : call.merchant);

const redactFor = (call: LoggedCall): CallRedact =>
  call.kind === 'entry' ? redactOf(call.entry) : redactCall(merchantOf(call)?.api_key ?? null);

const milliseconds = (elapsed: number): string =>
  elapsed < 100 ? elapsed.toFixed(1) : elapsed.toFixed(0);

/** The request and response bodies, indented. */
function bodies(entry: StoredEntry, colours: boolean): string {
  const { request, response } = presentEntry(entry);
  return body('request', request.body, colours) + body('response', response?.body, colours);
}

function body(title: string, value: unknown, colours: boolean): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : foldedJson(value);
  const lines = text.split('\n').map(printable);
  return `  ${dim(title, colours)} ${lines.join('\n  ')}\n`;
}

/** The highest number of elements of a list that are shown. */
const MAX_ELEMENTS = 3;

/** Indented JSON. Longer lists end with `… 12 more`. */
function foldedJson(value: unknown): string {
  const folded = JSON.stringify(
    value,
    (_, each: unknown) =>
      Array.isArray(each) && each.length > MAX_ELEMENTS
        ? [...each.slice(0, MAX_ELEMENTS), `… ${each.length - MAX_ELEMENTS} more`]
        : each,
    2,
  );
  return folded.replace(/^( *)"(… \d+ more)"$/gm, '$1$2');
}

/** A request as one object: its journal entry. A call that is in no journal lacks what only entries have. */
type LoggedEntry = { readonly [Field in keyof JournalEntryJson]: JournalEntryJson[Field] | null };

/**
 * One line of JSON for a request.
 *
 * @param at system time of the response
 */
const jsonLine = (call: Logged, at: number): string =>
  `${printable(JSON.stringify(call.kind === 'page' ? pageOf(call, at) : entryOf(call, at)))}\n`;

const pageOf = ({ origin, remedy }: BlockedPage, at: number) => ({
  at: new Date(at).toISOString(),
  page: origin,
  hint: remedy,
});

function entryOf(call: LoggedCall, at: number): LoggedEntry {
  if (call.kind === 'entry') return presentEntry(call.entry);
  const merchant = merchantOf(call);
  const redact = redactFor(call);
  return {
    id: null,
    merchant: merchant ? { id: merchant.id, name: merchant.name } : null,
    at: new Date(at).toISOString(),
    operation: null,
    method: call.method,
    path: redact.text(call.path),
    status: call.status,
    duration_ms: null,
    received_at: new Date(at - call.elapsedMs).toISOString(),
    elapsed_ms: Math.round(call.elapsedMs * 1000) / 1000,
    fault: null,
    hint: null,
    assumptions: [],
    problems: call.problems.map((message) => ({ message: redact.text(message) })),
    changes: [],
    request: null,
    response: null,
  };
}

let shownSecond: number | undefined;
let shown = '';

/** Local time of day: `12:01:07`. Formatted once a second. */
export function timeOfDay(at: number): string {
  const second = Math.floor(at / 1000);
  if (second !== shownSecond) {
    const moment = new Date(at);
    shown = [moment.getHours(), moment.getMinutes(), moment.getSeconds()]
      .map((part) => String(part).padStart(2, '0'))
      .join(':');
    shownSecond = second;
  }
  return shown;
}
