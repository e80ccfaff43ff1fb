/* How the page reads a policy of any family: its number, holder and period, and what renews it. */

import type { Product } from '../../../types/public.ts';
import { memberOf } from './items.ts';
import { dayText } from './times.ts';

export type PolicyRecord = Readonly<Record<string, unknown>>;

/** Where families have what the page shows. */
const PATHS = {
  number: ['policy_number', 'policy_no'],
  holder: ['first_name', 'group_name', 'contact_person_name'],
  start: ['subscriptions.start_date', 'start_date'],
  end: ['subscriptions.end_date', 'end_date'],
} as const;

const readPart = (record: PolicyRecord, part: keyof typeof PATHS): unknown =>
  PATHS[part]
    .map((path) => memberOf(record, ...path.split('.')))
    .find((value) => value !== undefined && value !== null);

export const numberOf = (record: PolicyRecord): string => String(readPart(record, 'number') ?? '');

export const holderOf = (record: PolicyRecord): string =>
  [readPart(record, 'holder'), record.first_name === undefined ? undefined : record.surname]
    .filter((part) => typeof part === 'string')
    .join(' ');

const momentOf = (record: PolicyRecord, part: 'start' | 'end'): number =>
  Date.parse(String(readPart(record, part)));

/** Whether the cover of a policy has begun or ended, by the World's clock. One without an end has not ended. */
export function statusOf(record: PolicyRecord, now: number): 'active' | 'ended' | 'upcoming' {
  if (momentOf(record, 'end') <= now) return 'ended';
  return momentOf(record, 'start') > now ? 'upcoming' : 'active';
}

/** `4 Jan 2026` */
export const endText = (record: PolicyRecord): string => {
  const end = momentOf(record, 'end');
  return Number.isNaN(end) ? '–' : dayText(end);
};

/** `31 Jan 2026 to 28 Feb 2026` */
export function periodText(record: PolicyRecord): string {
  const [start, end] = [momentOf(record, 'start'), momentOf(record, 'end')];
  return Number.isNaN(end) ? `from ${dayText(start)}` : `${dayText(start)} to ${dayText(end)}`;
}

/** What a renewal of a policy sends: what its last period cost. Undefined for a policy without payments. */
export function renewalOf(record: PolicyRecord): PolicyRecord | undefined {
  const subscription_type = memberOf(record, 'subscriptions', 'subscriptions_type');
  const { transactions } = record;
  const amount = Number(memberOf(Array.isArray(transactions) ? transactions.at(-1) : {}, 'amount'));
  return amount > 0 ? { subscription_type, amount, policy_no: numberOf(record) } : undefined;
}

/** The body of a purchase, of this product and with its premium if it has one for this plan. */
export function withProduct(body: PolicyRecord, product: Product): PolicyRecord {
  const named = Object.entries(body).filter(
    ([field, value]) => field.endsWith('_beneficiary_full_name') && value,
  );
  const prices = product.premiums?.find(({ users }) => users === 1 + named.length);
  const amount = prices && Reflect.get(prices, String(body.subscription_type));
  return { ...body, product_id: product.id, ...(amount !== undefined && { amount }) };
}
