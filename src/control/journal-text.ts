/* The journal as text: what was called, why it was refused, and what it changed. */

import { anyFamilies } from '../products/world.ts';
import type { JournalEntryJson } from '../types/control-wire.ts';
import type { WorldEvent } from '../types/public.ts';
import { faultWords, isLost } from '../world/faults.ts';
import { counted } from '../world/grouped.ts';
import { cut, printable, quoted } from '../world/printable.ts';
import { isPlainObject } from '../world/problem-texts.ts';

/** The width of a line of details, and the longest path, reason and value that are shown whole. */
const WIDTH = 120;
const MAX_PATH = 120;
const MAX_REASON = 300;
/** Long enough for a purchase token. */
const MAX_VALUE = 48;
/** The highest number of reasons, effects and changed fields that are listed. */
const MAX_LISTED = 8;
/** The fewest missing fields that are told in one line. */
const MIN_FOLDED = 3;

type Item = JournalEntryJson | WorldEvent;

/** Returns the lines of an entry or an event. */
export type JournalWriter = (item: Item) => readonly string[];

/**
 * Writes one journal entry or event after the other, with a line for each new day:
 *
 * ```
 * 2026-01-31
 * 10:00:00 POST /api/merchant/comprehensive_motor_verify_policy 400  Token has expired
 *   verifyMotorPolicy req-3-2
 *   sent     token: "4711…"
 * ```
 */
export function createJournalWriter(): JournalWriter {
  let latest: string | undefined;
  return (item) => {
    const { day, lines } = linesOf(item);
    const isNew = day !== latest;
    latest = day;
    return isNew ? [day, ...lines] : lines;
  };
}

/** A journal as text: its entries and events in this order. */
export function journalText(items: readonly Item[]): string {
  if (items.length === 0) return 'No calls.\n';
  const write = createJournalWriter();
  return items.map((item) => `${write(item).join('\n')}\n`).join('');
}

/** The day of an entry or an event, and its lines for people. No line has a control character. */
export function linesOf(item: Item): { readonly day: string; readonly lines: readonly string[] } {
  const lines = 'request' in item ? entryLines(item) : eventLines(item);
  return { day: printable(item.at.slice(0, 10)), lines: lines.map(printable) };
}

/** `10:15:00 clock +15 min, 1 purchase expired`, then what ended. */
function eventLines(event: WorldEvent): readonly string[] {
  const effects = event.kind === 'clock' ? event.effects : [];
  const ended = effects.map((effect) => {
    const at = `${effect.at.slice(0, 10)} ${timeIn(effect.at)}`;
    return effect.kind === 'purchase_expired'
      ? `expired  ${effect.operation} ${effect.token} at ${at}`
      : `ended    ${effect.family} policy ${effect.policy_number} at ${at}`;
  });
  return [`${timeIn(event.at)} ${event.summary}`, ...firstOf(ended).map((line) => `  ${line}`)];
}

const timeIn = (at: string): string => at.slice(11, 19);

/** The first of some texts, and how many more there are. */
function firstOf(texts: readonly string[]): string[] {
  const more = texts.length - MAX_LISTED;
  return [...texts.slice(0, MAX_LISTED), ...(more > 0 ? [`… ${more} more`] : [])];
}

/**
 * The call with its status and the reason of a refusal or what a fault did, then indented what it sent, what came back
 * and what it changed. Values that the caller wrote are in quotes.
 */
function entryLines(entry: JournalEntryJson): readonly string[] {
  const { id, operation, at, method, path, hint, summary, cause, changes } = entry;
  const [first, ...others] = reasonsOf(entry);
  const status = isLost(entry) ? 'lost' : `${entry.status ?? '-'}`;
  const call = `${timeIn(at)} ${method} ${cut(path, MAX_PATH)} ${status}`;
  const details = [
    ...others.map((reason) => ['refused', reason] as const),
    ['because', cause ?? ''] as const,
    ['sent', sentText(entry)] as const,
    [isLost(entry) ? 'lost' : 'answered', answeredText(entry)] as const,
    ['changed', changes.map(changeText).join(', ')] as const,
    ['fault', entry.problems.length > 0 ? faultText(entry) : ''] as const,
    ['hint', hint ?? ''] as const,
  ].filter(([, text]) => text !== '');
  return [
    first === undefined ? call : `${call}  ${cut(first, MAX_REASON)}`,
    `  ${operation ?? 'no operation'} ${id}${summary === '' ? '' : `  ${quoted(summary)}`}`,
    ...details.map(([label, text]) => `  ${label.padEnd(8)} ${text}`),
  ];
}

/** Why a call was refused, each reason once, or what a fault did to it. Several missing fields are one reason. */
function reasonsOf(entry: JournalEntryJson): string[] {
  const { problems } = entry;
  if (problems.length === 0) return entry.fault ? [`fault ${faultText(entry)}`] : [];
  const missing = problems.filter(({ rule, field }) => rule === 'required' && field !== undefined);
  const isFolded = missing.length >= MIN_FOLDED;
  const wrong = problems.filter((problem) => !isFolded || !missing.includes(problem));
  const names = listText(missing.map(({ field }) => field as string));
  return [
    ...firstOf(wrong.map(({ message }) => cut(message, MAX_REASON))),
    ...(isFolded ? [`${missing.length} required fields are missing: ${names}`] : []),
  ];
}

const faultText = ({ fault, status, elapsed_ms }: JournalEntryJson): string =>
  fault ? faultWords(fault, status, elapsed_ms) : '';

/** The fields that name a purchase or a policy, which come first. */
const NAMING: readonly string[] = [
  'token',
  ...anyFamilies.map(({ tellingFields }) => tellingFields.policy),
];

/** The fields that were sent, those with a problem first. The query is in the path. */
function sentText({ request: { body }, problems }: JournalEntryJson): string {
  if (body === null || body === undefined || body === '') return '';
  if (!isPlainObject(body)) return valueText(body);
  const refused = problems.map(({ field = '' }) => field.split('.')[0] as string);
  return fieldsText(Object.entries(body), [...refused, ...NAMING]);
}

/**
 * What a success returned, or what a fault sent. The reason of a refusal is in the first line, and the length of a list
 * in the summary.
 */
function answeredText({ response, problems }: JournalEntryJson): string {
  const body = response?.body;
  if (body === null || body === undefined || problems.length > 0) return '';
  if (!isPlainObject(body)) return valueText(body);
  const { data } = body;
  const list = Array.isArray(data) ? data : isPlainObject(data) ? data.data : undefined;
  if (!Array.isArray(list)) return dataText(data ?? body);
  return list.length > 0 ? `the first: ${dataText(list[0])}` : '';
}

/** The fields of data in a line, those of these names first. */
export function dataText(data: unknown, first: readonly string[] = NAMING): string {
  if (!isPlainObject(data)) return valueText(data);
  return fieldsText(
    Object.entries(data).filter(([, value]) => value !== null),
    first,
  );
}

function fieldsText(
  fields: readonly (readonly [name: string, value: unknown])[],
  first: readonly string[],
): string {
  const isFirst = ([name]: readonly [string, unknown]) => first.includes(name);
  const ordered = [...fields.filter(isFirst), ...fields.filter((field) => !isFirst(field))];
  return listText(ordered.map(([name, value]) => `${nameText(name)}: ${valueText(value)}`));
}

/** As many elements as a line takes, and how many are left. */
function listText(elements: readonly string[]): string {
  let shown = 0;
  let length = 0;
  for (const element of elements) {
    length += element.length + 2;
    if (shown > 0 && length > WIDTH) break;
    shown += 1;
  }
  const left = elements.length - shown;
  const text = elements.slice(0, shown).join(', ');
  return left > 0 ? `${text}, … ${left} more` : text;
}

/** A made-up name is in quotes. */
const nameText = (name: string): string => (/^[\w.]{1,60}$/.test(name) ? name : valueText(name));

/** A value in a few characters: long texts are cut, long lists and objects are counted. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return quoted(cut(value, MAX_VALUE));
  const text = quoted(value);
  if (text.length <= MAX_VALUE) return text;
  return Array.isArray(value)
    ? `[${counted(value.length, 'element')}]`
    : `[${counted(Object.keys(value as object).length, 'field')}]`;
}

/** The kinds of rows that are no policies. */
const ROWS: Readonly<Record<string, string>> = {
  pending: 'pending purchase',
  used: 'used token',
  faults: 'fault',
};
const SIGNS = { added: '+', changed: '~', removed: '−' } as const;

/** `~ micro-health policy 2457490210: subscriptions.end_date "2026-02-28" → "2026-03-31"`. */
function changeText({
  change,
  table,
  key,
  before = {},
  after = {},
}: JournalEntryJson['changes'][number]): string {
  const [family = '', kind = family] = table.split('.');
  const row = ROWS[kind] ?? `${family.replaceAll('_', '-')} policy`;
  const fields = Object.keys({ ...before, ...after }).map((place) => {
    const [name, was, is] = [nameText(place), valueText(before[place]), valueText(after[place])];
    if (!Object.hasOwn(before, place)) return `${SIGNS.added} ${name} ${is}`;
    if (!Object.hasOwn(after, place)) return `${SIGNS.removed} ${name} ${was}`;
    return `${name} ${was} → ${is}`;
  });
  const changed = fields.length > 0 ? `: ${firstOf(fields).join(', ')}` : '';
  return `${SIGNS[change]} ${row} ${cut(key, MAX_VALUE)}${changed}`;
}
