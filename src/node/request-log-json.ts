import { type JournalEntry, presentEntry } from '../world/journal.ts';
import { createRedact } from '../world/redaction.ts';
import { printable } from './log-line.ts';
import type { LoggedCall } from './request-log-text.ts';

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
export const jsonLine = (call: LoggedCall, at: number): string =>
  `${printable(JSON.stringify(entryOf(call, at)))}\n`;

function entryOf(call: LoggedCall, at: number): LoggedEntry {
  const elapsed_ms = Math.round(call.elapsedMs * 1000) / 1000;
  if (call.kind === 'entry') {
    return { ...presentEntry(call.entry), merchant: ownerOf(call.merchant), elapsed_ms };
  }
  const merchant = call.kind === 'control' ? call.merchant : undefined;
  const redact = createRedact(merchant?.api_key ?? null);
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
    merchant: ownerOf(merchant),
    elapsed_ms,
    problems: call.problems.map(redact.text),
  };
}

const ownerOf = (merchant: { readonly id: number; readonly name: string } | undefined) =>
  merchant ? { id: merchant.id, name: merchant.name } : null;
