/* What tools say, short enough to read. What merchants and their customers wrote is quoted, and stays on its line. */

import { createJournalWriter, dataText, type JournalWriter } from '../../control/journal-text.ts';
import { anyFamilies } from '../../products/world.ts';
import type { JournalEntryJson, PendingPurchase } from '../../types/control-wire.ts';
import { isDisturbed } from '../../world/faults.ts';
import { counted } from '../../world/grouped.ts';
import { printable, quoted } from '../../world/printable.ts';

/** Longer bodies are cut. */
const MAX_BODY = 4000;

/** The calls that were refused, then the others, with the newest first in both. */
export function callsText(
  entries: readonly JournalEntryJson[],
  { limit, bodies }: { readonly limit: number; readonly bodies: boolean },
): string {
  if (entries.length === 0) return 'No calls.';
  const refused = entries.filter(isRefused);
  const shown = [...refused, ...entries.filter((entry) => !isRefused(entry))].slice(0, limit);
  const left = entries.length - shown.length;
  const write = createJournalWriter();
  return [
    `${counted(entries.length, 'call')}, ${refused.length} refused or failed.`,
    ...shown.flatMap((entry) => callLines(entry, write, bodies)),
    ...(left > 0 ? [`${counted(left, 'more call')}; set limit to see more.`] : []),
  ].join('\n');
}

/** Whether a call was refused, or a fault broke it. */
const isRefused = (entry: JournalEntryJson): boolean =>
  entry.status === null || entry.status >= 400 || entry.problems.length > 0 || isDisturbed(entry);

/** A call as the journal shows it, with the assumptions behind a refusal, and the bodies if wanted. */
function callLines(entry: JournalEntryJson, write: JournalWriter, bodies: boolean): string[] {
  const { problems, assumptions, request, response } = entry;
  const lines = [...write(entry)];
  const add = (what: string, text: string | undefined) => {
    if (text) lines.push(printable(`  ${what}: ${text}`));
  };
  if (problems.length > 0) add('assumptions', assumptions.join(', '));
  if (bodies) {
    add('request', bodyText(request.body));
    add('response', bodyText(response?.body));
  }
  return lines;
}

function bodyText(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  const text = JSON.stringify(body);
  return text.length <= MAX_BODY ? text : `${text.slice(0, MAX_BODY)}… (${text.length} characters)`;
}

/** A pending purchase in a line, or all of it as JSON. */
export function purchaseText(purchase: PendingPurchase, full: boolean): string {
  if (full) return quoted(purchase);
  const { operation, token, holder, premium, expires_at } = purchase;
  const price = premium === null ? '' : `, premium ${premium}`;
  return printable(
    `- token ${quoted(token)} of ${operation}, holder ${quoted(holder)}${price}, expires at ${expires_at}`,
  );
}

/** What tells policies apart: number, holder, premium and period. */
const SUMMARY_FIELDS = anyFamilies.flatMap(
  ({ tellingFields: { policy, who, premium, period } }) => [policy, ...who, ...premium, ...period],
);

/** A policy in a line, or all of it as JSON. */
export const recordText = (record: object, full: boolean): string =>
  full ? quoted(record) : printable(`- ${dataText(record, SUMMARY_FIELDS)}`);
