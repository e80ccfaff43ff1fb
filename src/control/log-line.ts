/* The lines of the request log: one of text or JSON for each request, with its bodies if wanted. */

import type { JournalEntryJson } from '../types/control-wire.ts';
import type { LogMode } from '../types/public.ts';
import type { BlockedPage, ControlCall, RecordedCall } from '../world/activity.ts';
import { systemNow } from '../world/clock.ts';
import { colourStatus, dim } from '../world/colours.ts';
import { faultWords, isLost } from '../world/faults.ts';
import type { StoredEntry } from '../world/journal.ts';
import { cut, printable } from '../world/printable.ts';
import type { CallRedact } from '../world/redaction.ts';
import { presentEntry, redactCall, redactOf } from './journal-entry.ts';

/** How each request is logged: one line, one line and its bodies, or one JSON object. */
export const LOG_MODES: readonly LogMode[] = ['calls', 'bodies', 'json'];

/** A request that was refused before it reached the sandbox. */
export interface RefusedCall extends Omit<ControlCall, 'kind' | 'id' | 'merchant'> {
  readonly kind: 'refused';
  readonly merchant?: undefined;
}

type LoggedCall = RecordedCall | ControlCall | RefusedCall;
export type Logged = LoggedCall | BlockedPage;

/** Returns the line of a request that has just been answered, with its line break. */
type LogWriter = (call: Logged) => string;

/** The output of a log. */
interface LogOutput {
  readonly colours: boolean;
  /** Width of the terminal; undefined if the output is none. */
  readonly columns: number | undefined;
}

/** Writes the requests of one log, which names merchants once several have called. */
export function createLogWriter(
  mode: LogMode,
  output: LogOutput = { colours: false, columns: undefined },
): LogWriter {
  const known = new Set<number>();
  return (call) => {
    const at = systemNow();
    if (mode === 'json') return jsonLine(call, at);
    if (call.merchant) known.add(call.merchant.id);
    return textLine(call, at, { ...output, bodies: mode === 'bodies', names: known.size > 1 });
  };
}

/** How requests are shown. */
interface TextStyle extends LogOutput {
  /** Whether the bodies follow the line. */
  readonly bodies: boolean;
  /** Whether the line names the merchant. */
  readonly names: boolean;
}

/** The width of a line, unless the terminal is wider. */
const WIDTH = 100;
/** The longest path: that of every operation fits. */
const MAX_PATH = 46;
const MERCHANT_API = '/api/merchant/';
/** The width of a status, `lost` included. */
const STATUS_WIDTH = 4;
/** Between the parts of a line. */
const GAP = '  ';

/**
 * One line for a request, then its bodies if the style has them:
 * `12:01:07 400  POST micro_health/verify 0.3 ms  Token has expired`.
 *
 * @param at system time of the response
 */
export function textLine(call: Logged, at: number, style: TextStyle): string {
  const time = timeOfDay(at);
  if (call.kind === 'page') {
    return `${time} ${printable(`page of ${call.origin}: ${call.remedy}`)}\n`;
  }
  const { colours, columns = WIDTH } = style;
  const { method, path, status, elapsed, problems, remarks, redact } = viewOf(call);
  const shown = (text: string) => printable(redact.text(text));
  const padding = ' '.repeat(Math.max(STATUS_WIDTH - status.length, 0));
  const room = Math.max(WIDTH, columns) - `${time} ${status}${padding} `.length;
  const milliseconds = elapsed.toFixed(elapsed < 100 ? 1 : 0);
  const parts = [
    `${method} ${shownPath(shown(path))} ${milliseconds} ms`,
    ...(style.names ? [printable(call.merchant?.name ?? '-')] : []),
  ];
  const [first, ...others] = problems;
  if (first !== undefined) {
    // How many others there are is seen whatever the length of the first.
    const more = others.length > 0 ? ` +${others.length}` : '';
    const left = room - parts.join(GAP).length - GAP.length - more.length;
    parts.push(fitted(shown(first), Math.max(left, 1)) + more);
  }
  const rest = fitted([...parts, ...remarks.map(shown)].join(GAP), room);
  const line = `${time} ${colourStatus(status, colours)}${padding} ${rest}`;
  if (call.kind === 'control') return `${dim(line, colours)}\n`;
  if (call.kind === 'refused' || !style.bodies) return `${line}\n`;
  return `${line}\n${bodies(call.entry, colours)}`;
}

/** What a line shows of a request. */
interface CallView {
  readonly method: string;
  readonly path: string;
  readonly status: string;
  /** Real milliseconds. */
  readonly elapsed: number;
  /** Why it was refused, wrong values before missing ones. */
  readonly problems: readonly string[];
  /** What a fault or the call itself did, and a hint. */
  readonly remarks: readonly string[];
  readonly redact: CallRedact;
}

function viewOf(call: LoggedCall): CallView {
  if (call.kind !== 'entry') {
    const { method, path, status, elapsedMs: elapsed, problems, did = [], merchant } = call;
    const remarks = did.length > 0 ? [did.join(', ')] : [];
    const redact = redactCall(merchant?.api_key ?? null);
    return { method, path, status: `${status}`, elapsed, problems, remarks, redact };
  }
  const { method, path, status, elapsed_ms, problems, cause, fault, hint } = call.entry;
  const isMissing = ({ rule }: { readonly rule: string }) => Number(rule === 'required');
  const ordered = problems.toSorted((a, b) => isMissing(a) - isMissing(b));
  return {
    method,
    path,
    status: isLost(call.entry) ? 'lost' : `${status ?? '-'}`,
    elapsed: elapsed_ms ?? 0,
    // The cause says what the message of the refusal says, and more.
    problems: cause === null ? ordered.map(({ message }) => message) : [cause],
    remarks: [
      ...(fault ? [`fault ${faultWords(fault, status, elapsed_ms)}`] : []),
      ...(hint === null ? [] : [`hint: ${hint}`]),
    ],
    redact: redactOf(call.entry),
  };
}

/** The telling end of a path. */
function shownPath(path: string): string {
  const shown = path.startsWith(MERCHANT_API) ? path.slice(MERCHANT_API.length) : path;
  const [route = ''] = shown.split('?', 1);
  return route.length > MAX_PATH ? `…${route.slice(1 - MAX_PATH)}` : fitted(shown, MAX_PATH);
}

/** A text of at most this width. */
const fitted = (text: string, width: number): string => cut(text, width - 1, width);

/** Local time of day: `12:01:07`. */
export const timeOfDay = (at: number): string => new Date(at).toTimeString().slice(0, 8);

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
  const { merchant } = call;
  const { method, path, elapsed, problems, remarks, redact } = viewOf(call);
  return {
    id: null,
    merchant: merchant ? { id: merchant.id, name: merchant.name } : null,
    at: new Date(at).toISOString(),
    operation: null,
    method,
    path: redact.text(path),
    status: call.status,
    duration_ms: null,
    received_at: new Date(at - elapsed).toISOString(),
    elapsed_ms: Math.round(elapsed * 1000) / 1000,
    fault: null,
    hint: null,
    assumptions: [],
    problems: problems.map((message) => ({ rule: 'refused', message: redact.text(message) })),
    summary: redact.text(remarks.join()),
    changes: [],
    request: null,
    response: null,
  };
}
