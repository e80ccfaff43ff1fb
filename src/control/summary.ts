/* What a call was about, in a few words: who, how much, how often, which policy. */

import type { TellingFields } from '../products/family.ts';
import { anyFamilies, operations, roleOf } from '../products/world.ts';
import { isEvent, type JournalItem, type StoredEntry } from '../world/journal.ts';
import { parseJson } from '../world/json.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import { isPlainObject } from '../world/problem-texts.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The telling fields of each operation: those of its family. */
const telling: ReadonlyMap<string, TellingFields> = new Map(
  anyFamilies.flatMap(({ operations, tellingFields }) =>
    operations.map(({ operationId }) => [operationId, tellingFields] as const),
  ),
);

/**
 * `Ada Obi · ₦700 · monthly`, or `15 of 38 listed`. A verify is about the purchase that its token names. Empty if the
 * call tells nothing.
 *
 * @param request the body of the request
 * @param response the body of the response
 */
export function summaryOf(entry: StoredEntry, request: unknown, response: unknown): string {
  const { operation } = entry;
  const fields = operation === null ? undefined : telling.get(operation);
  if (operation === null || !fields) return '';
  const role = roleOf(operation);
  const data = dataOf(response);
  if (role === 'list') return listText(data);
  const initiate = role === 'verify' ? initiateOf(entry, request) : undefined;
  const sources = [
    ...(initiate ? [jsonOf(initiate.request.body), dataOf(responseOf(initiate))] : []),
    request,
    queryOf(entry.path),
    data,
  ].filter(isPlainObject) as Fields[];
  const first = (names: readonly string[]) =>
    names.flatMap((name) => sources.map((source) => source[name])).find(isTelling);
  const who = fields.who.map((part) => first([part])).filter((part) => part !== undefined);
  const premium = first(fields.premium);
  const policy = first([fields.policy]) ?? policyIn(entry);
  return [
    who.join(' '),
    premium === undefined ? '' : moneyText(premium),
    first(fields.period) ?? '',
    policy === undefined ? '' : `policy ${policy}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

const isTelling = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');

const jsonOf = (text: string | null): unknown => (text === null ? undefined : parseJson(text));

const responseOf = ({ response }: StoredEntry): unknown => jsonOf(response?.body ?? null);

/** The data of a success. */
const dataOf = (body: unknown): unknown =>
  isPlainObject(body) ? (body as Fields).data : undefined;

const queryOf = (path: string): Fields =>
  Object.fromEntries(new URL(path, 'http://sandbox').searchParams);

/** The policy number at the end of the path of a look-up. */
function policyIn({ operation, path }: StoredEntry): string | undefined {
  const declared = operations.find(({ operationId }) => operationId === operation);
  if (!declared?.path.includes('/:')) return undefined;
  return decoded(path.split('?', 1)[0]?.split('/').at(-1) ?? '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The initiate that issued the token of a verify, if the journal still has it. Most are just before their verify. */
function initiateOf(entry: StoredEntry, body: unknown): StoredEntry | undefined {
  const token = isPlainObject(body) ? (body as Fields).token : undefined;
  if (typeof token !== 'string') return undefined;
  const { items } = entry.journal;
  for (let place = items.lastIndexOf(entry) - 1; place >= 0; place--) {
    const item = items[place] as JournalItem;
    if (!isEvent(item) && item.changes.some((change) => isIssue(change, token))) return item;
  }
  return undefined;
}

const isIssue = ({ change, table, key }: StoredEntry['changes'][number], token: string): boolean =>
  change === 'added' && key === token && table.endsWith('.pending');

/** `15 of 38 listed`. */
function listText(data: unknown): string {
  const page = isPlainObject(data) ? (data as Fields) : undefined;
  const list = page ? page.data : data;
  if (!Array.isArray(list)) return '';
  const total = page?.total;
  return `${list.length}${typeof total === 'number' ? ` of ${total}` : ''} listed`;
}

/** Kept, because making one for each amount is slow. */
const amounts = onFirstUse(() => new Intl.NumberFormat('en', { maximumFractionDigits: 2 }));

/** `₦250,000`. What is no amount stays as it was sent. */
const moneyText = (amount: string | number): string => {
  const value = Number(amount);
  return Number.isFinite(value) ? `₦${amounts().format(value)}` : String(amount);
};
