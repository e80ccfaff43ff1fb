import type { ControlCall, RecordedCall } from '../api/activity.ts';
import { maybeServed } from '../world/faults.ts';
import type { StoredEntry } from '../world/journal.ts';
import { presentEntry, redactOf } from '../world/journal.ts';
import { createRedact } from '../world/redaction.ts';
import { printable, timeOfDay } from './log-line.ts';
import { faultWords } from './request-log-fault.ts';
import { colourStatus, dim } from './styles.ts';

/** A call that was refused before it reached the sandbox. */
export interface RefusedCall extends Omit<ControlCall, 'kind' | 'id' | 'merchant'> {
  readonly kind: 'refused';
}

export type LoggedCall = RecordedCall | ControlCall | RefusedCall;

/** How calls are shown. */
export interface TextStyle {
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
  const { method, path, status, remarks } = call.kind === 'entry' ? ofEntry(call) : ofOther(call);
  const merchant = call.kind === 'refused' ? undefined : call.merchant;
  const { colours, columns = 0 } = style;
  const align = columns >= MIN_ALIGNED_COLUMNS;
  const called = align ? `${method.padEnd(4)} ${path}`.padEnd(CALL_WIDTH) : `${method} ${path}`;
  const answered = colourStatus(`${status ?? '-'}`.padEnd(align ? 3 : 0), colours);
  const took = milliseconds(call.elapsedMs).padStart(align ? TIME_WIDTH : 0);
  const who = merchant ? printable(merchant.name) : '-';
  let line = `${timeOfDay(at)} ${called} ${answered} ${took} ms  ${who}`;
  for (const remark of remarks) line += `  ${printable(remark)}`;
  if (call.kind === 'control') return `${dim(line, colours)}\n`;
  if (call.kind === 'refused' || !style.bodies) return `${line}\n`;
  return `${line}\n${bodies(call.entry, colours)}`;
}

const milliseconds = (elapsed: number): string =>
  elapsed < 100 ? elapsed.toFixed(1) : elapsed.toFixed(0);

/** What a line says, redacted as the entry of the call. */
interface Said {
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  /** Why it was refused, and what a fault did to it. */
  readonly remarks: readonly string[];
}

function ofEntry({ entry, elapsedMs }: RecordedCall): Said {
  const redact = redactOf(entry);
  const remarks = problemsOf(entry).map(redact.text);
  if (entry.fault) remarks.push(faultWords(entry.fault, entry.status, elapsedMs));
  const { method, path, status } = entry;
  return { method, path: printable(redact.text(path)), status, remarks };
}

function ofOther(call: ControlCall | RefusedCall): Said {
  const redact = createRedact(call.kind === 'control' ? (call.merchant?.api_key ?? null) : null);
  const { method, path, status, problems } = call;
  return { method, path: printable(redact.text(path)), status, remarks: problems.map(redact.text) };
}

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
