/* The journal entry, as the journal, events, `onCall` and the log present it. */

import { MAX_DEPTH } from '../api/request.ts';
import { personalFields } from '../products/world.ts';
import type * as wire from '../types/control-wire.ts';
import { momentText, systemTimeAt } from '../world/clock.ts';
import type { Fault } from '../world/faults.ts';
import type { RawHeaders, StoredEntry } from '../world/journal.ts';
import { isJsonType, parseJson } from '../world/json.ts';
import { AS_SENT, type CallRedact, createRedaction } from '../world/redaction.ts';
import { summaryOf } from './summary.ts';

/** The redaction of a call, by its key. */
export const redactCall = createRedaction(personalFields);

/** The redaction of an entry and of everything derived from it. */
export const redactOf = ({ redacted, key }: Pick<StoredEntry, 'redacted' | 'key'>): CallRedact =>
  redacted ? redactCall(key) : AS_SENT;

/**
 * An entry as every view shows it. It shares nothing with the journal.
 *
 * @param redact the redaction of another view
 */
export function presentEntry(entry: StoredEntry, redact = redactOf(entry)): wire.JournalEntryJson {
  const { merchant, received, elapsed_ms, request, response, fault, hint, cause } = entry;
  const sent = presentBody(request.body, redact);
  const answered = presentBody(response?.body ?? null, redact, response?.headers['content-type']);
  return {
    id: entry.id,
    merchant: merchant && { id: merchant.id, name: merchant.name },
    at: momentText(entry.at),
    operation: entry.operation,
    method: entry.method,
    path: redact.text(entry.path),
    status: entry.status,
    duration_ms: entry.duration_ms,
    received_at: received === null ? null : momentText(systemTimeAt(received)),
    elapsed_ms: elapsed_ms && Math.round(elapsed_ms * 1000) / 1000,
    fault: fault && presentFault(fault, redact),
    hint: hint && redact.text(hint),
    assumptions: [...entry.assumptions],
    problems: entry.problems.map(({ rule, field, message }) => ({
      rule,
      ...(field !== undefined && { field }),
      message: redact.text(message),
    })),
    ...(cause !== null && { cause: redact.text(cause) }),
    summary: redact.text(summaryOf(entry, sent, answered)),
    changes: entry.changes.map(({ change, table, key, before, after }) => ({
      change,
      table,
      key: redact.text(key),
      ...(before && { before: presentFields(before, redact) }),
      ...(after && { after: presentFields(after, redact) }),
    })),
    request: {
      headers: presentHeaders(headersOf(request.headers), redact),
      body: sent,
    },
    response: response && {
      headers: presentHeaders(response.headers, redact),
      body: answered,
    },
  };
}

/** Fields by their place in a row. The last part of a place is the name of a field. */
const presentFields = (fields: object, redact: CallRedact) =>
  Object.fromEntries(
    Object.entries(fields).map(([place, value]) => [
      place,
      redact.field(place.slice(place.lastIndexOf('.') + 1), structuredClone(value)),
    ]),
  );

/** Headers by lower-case name; repeated headers are joined as in `Headers`. */
function headersOf(raw: RawHeaders): Record<string, string> {
  const headers = new Map<string, string>();
  const add = (name: string, value: string) => {
    const known = headers.get(name);
    headers.set(name, known === undefined ? value : `${known}, ${value}`);
  };
  for (let place = 0; place + 1 < raw.length; place += 2) {
    add((raw[place] as string).toLowerCase(), raw[place + 1] as string);
  }
  return Object.fromEntries(headers);
}

const presentHeaders = (headers: Readonly<Record<string, string>>, redact: CallRedact) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [redact.text(name), redact.header(name, value)]),
  );

/** The body of a fault may contain a secret. Its kind is ours and stays. */
const presentFault = (fault: Fault, redact: CallRedact): Fault => ({
  ...fault,
  effect: {
    ...(redact.json(structuredClone(fault.effect)) as wire.FaultEffect),
    kind: fault.effect.kind,
  } as wire.FaultEffect,
});

/** Parses a body as JSON; returns its text if it is invalid, nested too deeply, or of another type. */
function presentBody(text: string | null, redact: CallRedact, contentType?: string): unknown {
  if (text === null) return null;
  const json = isJsonType(contentType) ? parseJson(text, MAX_DEPTH) : undefined;
  return json === undefined ? redact.text(text) : redact.json(json);
}
