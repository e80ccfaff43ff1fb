/* The journal as text: what was called, why it was refused, and what it changed. */

import { anyFamilies } from '../products/world.ts';
import type { JournalEntryJson } from '../types/control-wire.ts';
import type { WorldEvent } from '../types/public.ts';
import { faultWords, isLost } from '../world/faults.ts';
import { cut, printable, quoted } from '../world/printable.ts';
import { isPlainObject } from '../world/problem-texts.ts';

/** The width of a line of details, and the longest path, reason and value that are shown whole. */
const WIDTH = 120;
const MAX_PATH = 120;
const MAX_REASON = 300;
/** Long enough for a purchase token. */
const MAX_VALUE = 48;
/** The highest number of wrong values that are listed. */
const MAX_PROBLEMS = 8;
/** The fewest missing fields that are told in one line. */
const MIN_FOLDED = 3;

/** Returns the lines of an entry or an event. */
export type JournalWriter = (item: JournalEntryJson | WorldEvent) => readonly string[];

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
  let day: string | undefined;
  return (item) => {
    const before = day;
    day = printable(item.at.slice(0, 10));
    const lines = 'request' in item ? entryLines(item) : eventLines(item);
    return day === before ? lines : [day, ...lines];
  };
}

/** A journal as text: its entries and events in this order. */
export function journalText(items: readonly (JournalEntryJson | WorldEvent)[]): string {
  if (items.length === 0) return 'No calls.\n';
  const write = createJournalWriter();
  return items.map((item) => `${write(item).join('\n')}\n`).join('');
}

/** The highest number of effects of a clock that are listed. */
const MAX_EFFECTS = 8;

/** An event for people: `10:15:00 clock +15 min, 1 purchase expired`, then what ended. */
export function eventLines(event: WorldEvent): readonly string[] {
  const effects = event.kind === 'clock' ? event.effects : [];
  return [
    `${event.at.slice(11, 19)} ${event.summary}`,
    ...effects.slice(0, MAX_EFFECTS).map((effect) => {
      const at = `${effect.at.slice(0, 10)} ${effect.at.slice(11, 19)}`;
      return effect.kind === 'purchase_expired'
        ? `  expired  ${effect.operation} ${effect.token} at ${at}`
        : `  ended    ${effect.family} policy ${effect.policy_number} at ${at}`;
    }),
    ...(effects.length > MAX_EFFECTS ? [`  … ${effects.length - MAX_EFFECTS} more`] : []),
  ].map(printable);
}

/**
 * A journal entry for people: the call with its status and the reason of a refusal or what a fault did, then indented
 * what it sent, what came back and what it changed. Values that the caller wrote are in quotes, and no line has a
 * control character.
 */
export function entryLines(entry: JournalEntryJson): readonly string[] {
  const { id, operation, at, method, path, hint, summary, cause } = entry;
  const [first, ...others] = reasonsOf(entry);
  const status = isLost(entry) ? 'lost' : `${entry.status ?? '-'}`;
  const call = `${at.slice(11, 19)} ${method} ${cut(path, MAX_PATH)} ${status}`;
  const details = [
    ...others.map((reason) => ['refused', reason] as const),
    ['because', cause ?? ''] as const,
    ['sent', sentText(entry)] as const,
    [isLost(entry) ? 'lost' : 'answered', answeredText(entry)] as const,
    ['changed', changedText(entry)] as const,
    ['fault', entry.problems.length > 0 ? faultText(entry) : ''] as const,
    ['hint', hint ?? ''] as const,
  ].filter(([, text]) => text !== '');
  return [
    first === undefined ? call : `${call}  ${cut(first, MAX_REASON)}`,
    `  ${operation ?? 'no operation'} ${id}${summary === '' ? '' : `  ${quoted(summary)}`}`,
    ...details.map(([label, text]) => `  ${label.padEnd(8)} ${text}`),
  ].map(printable);
}

/** Why a call was refused, each reason once, or what a fault did to it. Missing fields are one reason. */
function reasonsOf(entry: JournalEntryJson): string[] {
  const { problems } = entry;
  if (problems.length === 0) return entry.fault ? [`fault ${faultText(entry)}`] : [];
  const missing = problems.flatMap(({ rule, field }) =>
    rule === 'required' && field !== undefined ? [field] : [],
  );
  const isFolded = missing.length >= MIN_FOLDED;
  const wrong = problems
    .filter(({ field }) => !isFolded || field === undefined || !missing.includes(field))
    .map(({ message }) => cut(message, MAX_REASON));
  const more = wrong.length - MAX_PROBLEMS;
  return [
    ...wrong.slice(0, MAX_PROBLEMS),
    ...(more > 0 ? [`… ${more} more`] : []),
    ...(isFolded ? [`${missing.length} required fields are missing: ${listText(missing)}`] : []),
  ];
}

/** The fields that were sent, those with a problem first. The query is in the path. */
function sentText({ request: { body }, problems }: JournalEntryJson): string {
  if (body === null || body === undefined || body === '') return '';
  if (!isPlainObject(body)) return valueText(body);
  const refused = new Set(problems.map(({ field }) => field?.split('.')[0]));
  return fieldsText(Object.entries(body), (name) => (refused.has(name) ? 0 : rankOf(name)));
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

/** The fields of data in a line, those of these names first: they name a purchase or a policy. */
export function dataText(data: unknown, names: readonly string[] = NAMING): string {
  if (!isPlainObject(data)) return valueText(data);
  return fieldsText(
    Object.entries(data).filter(([, value]) => value !== null),
    (name) => (names.includes(name) ? 1 : 2),
  );
}

/** The fields that name a purchase or a policy, which come first. */
const NAMING: readonly string[] = [
  'token',
  ...anyFamilies.map(({ tellingFields }) => tellingFields.policy),
];

const rankOf = (name: string): number => (NAMING.includes(name) ? 1 : 2);

/** Fields in one line, those of the lowest rank first. */
const fieldsText = (
  fields: readonly (readonly [name: string, value: unknown])[],
  rank: (name: string) => number,
): string =>
  listText(
    fields
      .toSorted(([a], [b]) => rank(a) - rank(b))
      .map(([name, value]) => `${nameText(name)}: ${valueText(value)}`),
  );

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
    ? counted(value.length, 'element')
    : counted(Object.keys(value as object).length, 'field');
}

const counted = (count: number, what: string): string =>
  `[${count} ${what}${count === 1 ? '' : 's'}]`;

/** The kinds of rows that are no policies. */
const ROWS: Readonly<Record<string, string>> = {
  pending: 'pending purchase',
  used: 'used token',
  faults: 'fault',
};
const SIGNS = { added: '+', changed: '~', removed: '−' } as const;
/** Tokens are cut: the request or the response has them. */
const MAX_TOKEN = 24;

/** More than any call changes. */
const MAX_CHANGES = 8;
/** More fields than a renewal changes. */
const MAX_FIELDS = 6;

/** What a call changed, policies first: `+ motor policy INS-1, − pending purchase 3f7a…`. */
function changedText({ changes }: JournalEntryJson): string {
  const rows = [...changes.filter(isPolicy), ...changes.filter((each) => !isPolicy(each))];
  const left = rows.length - MAX_CHANGES;
  const shown = rows.slice(0, MAX_CHANGES).map(rowText);
  return [...shown, ...(left > 0 ? [`… ${left} more`] : [])].join(', ');
}

type ShownChange = JournalEntryJson['changes'][number];

const isPolicy = ({ table }: ShownChange): boolean => table.endsWith('.policies');

/** `~ micro-health policy 2457490210: end_date "2026-02-28" → "2026-03-31"`. */
function rowText({ change, table, key, before, after }: ShownChange): string {
  const [family = '', kind = family] = table.split('.');
  const row = ROWS[kind] ?? `${family.replaceAll('_', '-')} policy`;
  const isToken = kind === 'pending' || kind === 'used';
  const places = Object.keys({ ...before, ...after });
  const fields = places.slice(0, MAX_FIELDS).map((place) => {
    // The last name, with that of its list if it is the place of an element.
    const [name = place] = /[^.]+(\.\d+)?$/.exec(place) ?? [];
    const [was, is] = [before, after].map((values) =>
      values && Object.hasOwn(values, place) ? valueText(values[place]) : undefined,
    );
    if (was === undefined) return `${SIGNS.added} ${nameText(name)} ${is}`;
    if (is === undefined) return `${SIGNS.removed} ${nameText(name)} ${was}`;
    return `${nameText(name)} ${was} → ${is}`;
  });
  const left = places.length - fields.length;
  if (left > 0) fields.push(`… ${left} more`);
  const changed = fields.length > 0 ? `: ${fields.join(', ')}` : '';
  return `${SIGNS[change]} ${row} ${cut(key, isToken ? MAX_TOKEN : MAX_VALUE)}${changed}`;
}

const faultText = ({ fault, status, elapsed_ms }: JournalEntryJson): string =>
  fault ? faultWords(fault, status, elapsed_ms) : '';
