import type { Activity, ActivityFeed, ControlCall, RecordedCall } from '../api/activity.ts';
import { systemNow } from '../world/clock.ts';
import { describeFault, type Fault, maybeServed } from '../world/faults.ts';
import { type JournalEntry, presentEntry, redactOf, type StoredEntry } from '../world/journal.ts';
import { createRedact, type Redact } from '../world/redaction.ts';
import { colourStatus, createLineWriter, dim, type LogOptions } from './output.ts';

/** A call that was refused before it reached the sandbox. */
interface RefusedCall extends Omit<ControlCall, 'kind' | 'id' | 'merchant'> {
  readonly kind: 'refused';
}

type LoggedCall = RecordedCall | ControlCall | RefusedCall;

/** A log of the calls a sandbox answers. */
export interface RequestLog {
  /** Logs what happens from now on. */
  watch(feed: ActivityFeed): void;
  add(call: RefusedCall): void;
  /** Resolves when everything is written that somebody reads. */
  end(): Promise<void>;
}

/** A log that is written to an output. Nobody waits for it. */
export function createRequestLog({ mode, output, colours }: LogOptions): RequestLog {
  const bodies = mode === 'bodies';
  let stopWatching: (() => void) | undefined;
  const writer = createLineWriter<LoggedCall>(output, {
    lineOf:
      mode === 'json'
        ? (call) => jsonLine(call, systemNow())
        : (call) => textLine(call, systemNow(), { colours, bodies, columns: output.columns }),
    notShown: (count) =>
      mode === 'json'
        ? `${JSON.stringify({ not_shown: count })}\n`
        : `… ${count} calls not shown\n`,
    onClosed: () => stopWatching?.(),
  });
  return {
    watch({ listeners }) {
      const listen = (happened: Activity) => {
        if (happened.kind === 'entry' || happened.kind === 'control') writer.add(happened);
      };
      listeners.add(listen);
      stopWatching = () => void listeners.delete(listen);
    },
    add: writer.add,
    end: writer.end,
  };
}

/** How calls are shown. */
interface TextStyle {
  readonly colours: boolean;
  /** Whether the bodies of a call follow its line. */
  readonly bodies: boolean;
  /** How wide a terminal is, where it is one. */
  readonly columns: number | undefined;
}

/** A terminal this wide has room for what all lines have to stand in columns, and for what else they say. */
const MIN_ALIGNED_COLUMNS = 140;
/** Of the longest call of an operation without a query, and of up to 100 seconds. */
const [CALL_WIDTH, TIME_WIDTH] = [65, 6];

/**
 * One line for a call, then its bodies if they are wanted:
 * `12:01:07 POST /api/merchant/micro_health/verify 400 0.3 ms  Demo Merchant  Token has expired`.
 *
 * @param at when it was answered, in the system's time
 */
export function textLine(call: LoggedCall, at: number, style: TextStyle): string {
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
  const took = milliseconds(call.elapsedMs).padStart(align ? TIME_WIDTH : 0);
  const who = merchant ? printable(merchant.name) : '-';
  const problems = call.kind === 'entry' ? problemsOf(call.entry) : call.problems;
  const remarks = problems.map(redact.text);
  if (call.kind === 'entry' && call.entry.fault) {
    remarks.push(faultWords(call.entry.fault, status, call.elapsedMs));
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

const merchantOf = (call: LoggedCall) => (call.kind === 'refused' ? undefined : call.merchant);

const redactFor = (call: LoggedCall): Redact =>
  call.kind === 'entry' ? redactOf(call.entry) : createRedact(merchantOf(call)?.api_key ?? null);

const milliseconds = (elapsed: number): string =>
  elapsed < 100 ? elapsed.toFixed(1) : elapsed.toFixed(0);

/** How the bodies of refusals begin, whatever their status: in an envelope, and in the form of a framework. */
const REFUSALS = ['{"success":false,', '{"message":'];

/** Why the service refused a call; of what a fault answers in its place, the fault says enough. */
function problemsOf({ response, fault }: StoredEntry): string[] {
  const body = response?.body;
  if (typeof body !== 'string' || !REFUSALS.some((start) => body.startsWith(start))) {
    return [];
  }
  if (fault && (!maybeServed(fault) || fault.effect.kind === 'respond')) return [];
  try {
    const { data, errors = {}, message } = JSON.parse(body);
    if (data) return data.error;
    const problems = Object.values<string[]>(errors).flat();
    return problems.length > 0 ? problems : [message];
  } catch {
    // A fault broke it.
    return [];
  }
}

/** The bodies of a call, indented. */
function bodies(entry: StoredEntry, colours: boolean): string {
  const { request, response } = presentEntry(entry);
  return body('request', request.body, colours) + body('response', response?.body, colours);
}

function body(title: string, value: unknown, colours: boolean): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const lines = text.split('\n').map(printable);
  return `  ${dim(title, colours)} ${lines.join('\n  ')}\n`;
}

/** Timers may end a little early by another clock. */
const TIMER_SLACK_MS = 2;

/**
 * What a fault did to a call, in words: `fault after; drop: 200 was answered, the connection was cut`.
 *
 * @param status what the journal has: what the service answered, null where nothing did
 */
const faultWords = (fault: Fault, status: number | null, elapsedMs: number): string =>
  `fault ${describeFault(fault)}: ${deedOf(fault, status, elapsedMs)}`;

function deedOf({ stage, effect }: Fault, status: number | null, elapsedMs: number): string {
  const isDone = stage === 'after';
  const work = isDone ? 'the work was done' : 'nothing was done';
  const answered = isDone ? `${status} was answered` : work;
  switch (effect.kind) {
    case 'respond':
      return isDone ? `${work}, its answer was replaced` : work;
    case 'malformed':
      return `${work}, broken JSON was answered`;
    case 'truncate':
      return `${work}, half an answer was sent, the connection was cut`;
    case 'drop':
      return `${answered}, the connection was cut`;
    case 'hang':
      return `${answered}, the client is left waiting`;
    case 'delay':
      if (status === null) return 'nothing was done, the client gave up';
      if (elapsedMs < effect.ms - TIMER_SLACK_MS) return 'the client gave up, or the sandbox stops';
      return `${isDone ? 'the answer left' : 'the work began'} ${effect.ms} ms late`;
  }
}

/** A call as one object: a journal entry, whose it is, and how long it took in real time. */
type LoggedEntry = { readonly [Field in keyof JournalEntry]: JournalEntry[Field] | null } & {
  readonly merchant: { readonly id: number; readonly name: string } | null;
  readonly elapsed_ms: number;
  /** Why a call that is in no journal was refused. */
  readonly problems?: readonly string[];
};

/**
 * One line of JSON for a call.
 *
 * @param at when it was answered, in the system's time
 */
const jsonLine = (call: LoggedCall, at: number): string =>
  `${printable(JSON.stringify(entryOf(call, at)))}\n`;

function entryOf(call: LoggedCall, at: number): LoggedEntry {
  const owner = merchantOf(call);
  const merchant = owner ? { id: owner.id, name: owner.name } : null;
  const elapsed_ms = Math.round(call.elapsedMs * 1000) / 1000;
  if (call.kind === 'entry') return { ...presentEntry(call.entry), merchant, elapsed_ms };
  const redact = redactFor(call);
  return {
    id: null,
    at: new Date(at).toISOString(),
    operation: null,
    method: call.method,
    path: redact.text(call.path),
    status: call.status,
    duration_ms: null,
    fault: null,
    request: null,
    response: null,
    merchant,
    elapsed_ms,
    problems: call.problems.map(redact.text),
  };
}

let shownSecond: number | undefined;
let shown = '';

/** Local time of day: `12:01:07`. It is asked for with every line, and made once a second. */
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

/** What would move the cursor, colour the terminal, break the line, or turn the order of its letters. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A text that others chose, as one line can show it: what is no letter is escaped as in JSON. */
export function printable(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) =>
      SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
