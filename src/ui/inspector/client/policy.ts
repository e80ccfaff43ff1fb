/* How the page reads a policy of any family: its number, its cover, what was paid, and what renews it. */

import type { Product } from '../../../public.ts';

export type PolicyRecord = Readonly<Record<string, unknown>>;

/** Reads `subscriptions.end_date`, also if a list holds the one subscription, or several fields: `first_name+surname`. */
export function readPath(record: unknown, path: string): unknown {
  const parts = path.split('+').map((part) => part.split('.').reduce(fieldOf, record));
  if (parts.includes(undefined)) return undefined;
  return parts.length === 1 ? parts[0] : parts.filter((part) => part !== null).join(' ');
}

function fieldOf(value: unknown, key: string): unknown {
  const held = Array.isArray(value) ? value[0] : value;
  return typeof held === 'object' && held !== null ? Reflect.get(held, key) : undefined;
}

/** The first of these paths that a record has. */
const readAny = (record: unknown, paths: readonly string[]): unknown =>
  paths.map((path) => readPath(record, path)).find((value) => value !== undefined);

/** Where each family has what the page shows. */
export const PATHS = {
  number: ['policy_number', 'policy_no'],
  holder: ['first_name+surname', 'group_name', 'contact_person_name'],
  type: ['subscriptions.subscriptions_type', 'insurance_cover', 'group_type'],
  start: ['subscriptions.start_date', 'start_date'],
  end: ['subscriptions.end_date', 'end_date'],
  product: ['subscriptions.product_id', 'product_id'],
} as const;

export const readPart = (record: unknown, part: keyof typeof PATHS): unknown =>
  readAny(record, PATHS[part]);

/** What the type of a policy says, by where it is. */
const TYPES: Readonly<Record<(typeof PATHS.type)[number], string>> = {
  'subscriptions.subscriptions_type': 'Frequency',
  insurance_cover: 'Cover tier',
  group_type: 'Group type',
};

/** What the type of a policy says: its payment frequency, cover tier or type of group. Undefined if it has none. */
export const typeOf = (record: PolicyRecord): string | undefined => {
  const path = PATHS.type.find((each) => readPath(record, each) !== undefined);
  return path && TYPES[path];
};

export const policyNumberOf = (record: PolicyRecord): string | undefined => {
  const number = readPart(record, 'number');
  return number === undefined ? undefined : String(number);
};

const momentIn = (record: PolicyRecord, part: 'start' | 'end'): number =>
  Date.parse(String(readPart(record, part)));

/** Whether the cover of a policy has begun or ended, by the World's clock. One without an end has not ended. */
export type Status = 'active' | 'ended' | 'upcoming';

export function statusOf(record: PolicyRecord, now: number): Status {
  if (momentIn(record, 'end') <= now) return 'ended';
  return momentIn(record, 'start') > now ? 'upcoming' : 'active';
}

/** `₦250,000`, or `₦750.50` */
export const nairaText = (amount: number): string =>
  `₦${amount.toLocaleString('en', { minimumFractionDigits: amount % 1 === 0 ? 0 : 2 })}`;

/** `4 Jan 2026` */
export const dayText = (at: number): string =>
  new Date(at).toUTCString().slice(5, 16).replace(/^0/, '');

const DAY_MS = 24 * 60 * 60 * 1000;

/** `4 days`, counted from date to date, because dates are what is shown beside it. */
function daysText(from: number, to: number): string {
  if (to - from < DAY_MS) return 'less than a day';
  const days = Math.floor(to / DAY_MS) - Math.floor(from / DAY_MS);
  return days === 1 ? '1 day' : `${days} days`;
}

/** `ends in 4 days` */
function distanceText(record: PolicyRecord, now: number): string {
  const [start, end] = [momentIn(record, 'start'), momentIn(record, 'end')];
  const status = statusOf(record, now);
  if (status === 'upcoming') return `starts in ${daysText(now, start)}`;
  if (status === 'ended') return `ended ${daysText(end, now)} ago`;
  return Number.isNaN(end) ? 'no end' : `ends in ${daysText(now, end)}`;
}

/** A product of any family, as far as the page reads it. */
export type ProductTerms = Pick<Product, 'id' | 'name'> & {
  readonly premiums?: readonly Readonly<Record<string, number>>[];
  readonly rate?: number | null;
};

export const productIn = (
  record: unknown,
  products: readonly ProductTerms[],
): ProductTerms | undefined =>
  products.find(({ id }) => String(id) === String(readPart(record, 'product')));

const lengthIn = (record: PolicyRecord, list: string): number | undefined => {
  const held = record[list];
  return Array.isArray(held) ? held.length : undefined;
};

/** The premium of a product for so many people and a payment frequency. Undefined if it has none. */
const priceFor = (
  product: ProductTerms | undefined,
  users: number,
  frequency: unknown,
): number | undefined =>
  product?.premiums?.find((each) => each.users === users)?.[String(frequency)];

/** The body of a purchase, of this product and with its premium if it has one for this plan. */
export function withProduct(
  body: Readonly<Record<string, unknown>>,
  product: ProductTerms,
): Readonly<Record<string, unknown>> {
  const named = Object.entries(body).filter(
    ([field, value]) => field.endsWith('_beneficiary_full_name') && value,
  );
  const amount = priceFor(product, 1 + named.length, body.subscription_type);
  return { ...body, product_id: product.id, ...(amount !== undefined && { amount }) };
}

/** What a renewal of a policy sends. Undefined if its product has no price for it. */
export function renewalOf(
  record: PolicyRecord,
  products: readonly ProductTerms[],
): Readonly<Record<string, unknown>> | undefined {
  const frequency = readPath(record, 'subscriptions.subscriptions_type');
  const users = 1 + (lengthIn(record, 'beneficiary') ?? 0);
  const amount = priceFor(productIn(record, products), users, frequency);
  if (amount === undefined) return undefined;
  return { subscription_type: frequency, amount, policy_no: policyNumberOf(record) };
}

/** The premium of a policy: what was last paid, or by the rate of its product. */
function premiumOf(record: PolicyRecord, product: ProductTerms | undefined): number | undefined {
  const paid = Array.isArray(record.transactions) ? record.transactions.at(-1) : undefined;
  const amount = Number(readPath(paid, 'amount') ?? Number.NaN);
  if (!Number.isNaN(amount)) return amount;
  const [value, rate] = [record.vehicle_value, product?.rate];
  return typeof value === 'number' && typeof rate === 'number'
    ? Math.round(value * rate * 100) / 100
    : undefined;
}

/** Whom or what a policy covers. */
function coveredBy(record: PolicyRecord): string {
  const beneficiaries = lengthIn(record, 'beneficiary');
  if (beneficiaries !== undefined) {
    return beneficiaries === 0
      ? 'the principal alone'
      : `the principal and ${counted(beneficiaries, 'beneficiary', 'beneficiaries')}`;
  }
  const list = Object.keys(record).find((name) => name.endsWith('members'));
  const members = list && lengthIn(record, list);
  if (typeof members === 'number') return counted(members, 'member', 'members');
  const vehicle = readPath(record, 'vehicle_make+vehicle_model+registration_no');
  const value = record.vehicle_value;
  const sum = typeof value === 'number' ? ` for ${nairaText(value)}` : '';
  return vehicle === undefined ? '' : `${vehicle}${sum}`;
}

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

function renewalsOf(record: PolicyRecord): string {
  const renewals = (lengthIn(record, 'transactions') ?? 1) - 1;
  if (renewals <= 0) return 'none yet';
  const last = Array.isArray(record.transactions) ? record.transactions.at(-1) : undefined;
  return `${renewals}, the last on ${dayText(Date.parse(String(readPath(last, 'created_at'))))}`;
}

/** What a policy is about in a few lines: who, what, for how much, from when to when, and how often renewed. */
export function summaryOfPolicy(
  record: PolicyRecord,
  { products, isRenewable, now }: SummaryContext,
): readonly { readonly name: string; readonly text: string }[] {
  const product = productIn(record, products);
  const premium = premiumOf(record, product);
  const frequency = readAny(record, ['subscriptions.subscriptions_type', 'frequency_type']);
  const [start, end] = [momentIn(record, 'start'), momentIn(record, 'end')];
  const period = Number.isNaN(end)
    ? `from ${dayText(start)}`
    : `${dayText(start)} to ${dayText(end)}`;
  const lines = {
    Holder: String(readPart(record, 'holder') ?? ''),
    Product: product?.name ?? `product ${readPart(record, 'product')}`,
    Covers: coveredBy(record),
    Premium:
      premium === undefined
        ? 'none in the catalogue'
        : [nairaText(premium), frequency].filter(Boolean).join(' '),
    Period: `${period} · ${distanceText(record, now)}`,
    Renewals: isRenewable ? renewalsOf(record) : 'not offered by the API',
  };
  return Object.entries(lines)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => ({ name, text }));
}

interface SummaryContext {
  readonly products: readonly ProductTerms[];
  /** Whether the family has an operation that renews. */
  readonly isRenewable: boolean;
  /** The time of the World's clock. */
  readonly now: number;
}

/** The values of a record by path, without those that are null. A list shows its length. */
export function fieldsOf(record: unknown, path = ''): { name: string; text: string }[] {
  return Object.entries(Object(record)).flatMap(([key, value]) => {
    const name = path === '' ? key : `${path}.${key}`;
    if (value === null || value === '') return [];
    if (Array.isArray(value)) return [{ name, text: String(value.length) }];
    return typeof value === 'object' ? fieldsOf(value, name) : [{ name, text: String(value) }];
  });
}
