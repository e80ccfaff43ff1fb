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
    const merchant = call.kind === 'page' ? undefined : merchantOf(call);
    if (merchant) known.add(merchant.id);
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

/**
 * One line for a request, then its bodies if the style has them:
 * `12:01:07 400  POST micro_health/verify 0.3 ms  Token has expired`.
 *
 * @param at system time of the response
 */
export function textLine(call: Logged, at: number, style: TextStyle): string {
  if (call.kind === 'page') {
    return `${timeOfDay(at)} ${printable(`page of ${call.origin}: ${call.remedy}`)}\n`;
  }
  const { colours, columns = WIDTH } = style;
  const status = statusOf(call);
  const padding = ' '.repeat(Math.max(STATUS_WIDTH - status.length, 0));
  const { method, path } = call.kind === 'entry' ? call.entry : call;
  const redact = redactFor(call);
  const called = `${method} ${shownPath(printable(redact.text(path)))} ${milliseconds(elapsedOf(call))} ms`;
  const who = style.names ? [printable(merchantOf(call)?.name ?? '-')] : [];
  const shown = (text: string) => printable(redact.text(text));
  const before = `${timeOfDay(at)} ${status}${padding} `;
  const parts = [called, ...who];
  const room = Math.max(WIDTH, columns) - before.length;
  const { problems, remarks } = whyOf(call);
  const [first, ...others] = problems;
  if (first !== undefined) {
    // How many others there are is seen whatever the length of the first.
    const more = others.length > 0 ? ` +${others.length}` : '';
    const left = room - parts.join(GAP).length - GAP.length - more.length;
    parts.push(fitted(shown(first), Math.max(left, 1)) + more);
  }
  const rest = fitted([...parts, ...remarks.map(shown)].join(GAP), room);
  const line = `${timeOfDay(at)} ${colourStatus(status, colours)}${padding} ${rest}`;
  if (call.kind === 'control') return `${dim(line, colours)}\n`;
  if (call.kind === 'refused' || !style.bodies) return `${line}\n`;
  return `${line}\n${bodies(call.entry, colours)}`;
}

/** The width of a status, `lost` included. */
const STATUS_WIDTH = 4;

function statusOf(call: LoggedCall): string {
  if (call.kind !== 'entry') return String(call.status);
  return isLost(call.entry) ? 'lost' : `${call.entry.status ?? '-'}`;
}

/** The telling end of a path. */
function shownPath(path: string): string {
  const shown = path.startsWith(MERCHANT_API) ? path.slice(MERCHANT_API.length) : path;
  const [route = ''] = shown.split('?', 1);
  return route.length > MAX_PATH ? `…${route.slice(1 - MAX_PATH)}` : fitted(shown, MAX_PATH);
}

/** Between the parts of a line. */
const GAP = '  ';

/** Why a call was refused, wrong values before missing ones; then what a fault or the call itself did, and a hint. */
function whyOf(call: LoggedCall): { problems: readonly string[]; remarks: readonly string[] } {
  if (call.kind === 'refused') return { problems: call.problems, remarks: [] };
  if (call.kind === 'control') {
    const { problems, did = [] } = call;
    return { problems, remarks: did.length > 0 ? [did.join(', ')] : [] };
  }
  const { problems, cause, fault, status, elapsed_ms, hint } = call.entry;
  const isMissing = ({ rule }: { readonly rule: string }) => Number(rule === 'required');
  const ordered = problems.toSorted((a, b) => isMissing(a) - isMissing(b));
  return {
    // The cause says what the message of the refusal says, and more.
    problems: cause === null ? ordered.map(({ message }) => message) : [cause],
    remarks: [
      ...(fault ? [`fault ${faultWords(fault, status, elapsed_ms)}`] : []),
      ...(hint === null ? [] : [`hint: ${hint}`]),
    ],
  };
}

/** A text of at most this width. */
const fitted = (text: string, width: number): string => cut(text, width - 1, width);

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
    problems: call.problems.map((message) => ({ rule: 'refused', message: redact.text(message) })),
    summary: redact.text((call.kind === 'control' ? (call.did ?? []) : []).join(', ')),
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
