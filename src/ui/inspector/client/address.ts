/* What a person looks at stands in the address, so that a link shows a colleague the same. */

export const TABS = ['calls', 'records', 'pending', 'faults', 'world'] as const;
export type Tab = (typeof TABS)[number];

export const SHOWN = ['all', 'refused', 'faults'] as const;
export type Shown = (typeof SHOWN)[number];

export interface Address {
  readonly merchant: number | undefined;
  readonly tab: Tab;
  /** The open call. */
  readonly call: string | undefined;
  readonly shown: Shown;
  /** Filters of the calls. */
  readonly search: string;
  readonly operation: string | undefined;
  /** A status, or its first digit. */
  readonly status: string | undefined;
  /** Of the records. */
  readonly family: string | undefined;
  readonly policy: string;
  readonly page: number;
  /** The policy number of the open record. */
  readonly record: string | undefined;
}

/** Reads the query of an address; what it can't read is as if it were not there. */
export function readAddress(query: string): Address {
  const given = new URLSearchParams(query);
  const call = given.get('call') || undefined;
  const tab = TABS.find((name) => name === given.get('tab'));
  return {
    merchant: whole(given.get('merchant')) ?? merchantOf(call),
    tab: tab ?? 'calls',
    call,
    shown: SHOWN.find((name) => name === given.get('show')) ?? 'all',
    search: given.get('search') ?? '',
    operation: given.get('operation') || undefined,
    status: /^[1-5](\d\d)?$/.exec(given.get('status') ?? '')?.[0],
    family: given.get('family') || undefined,
    policy: given.get('policy_number') ?? '',
    page: whole(given.get('page')) ?? 1,
    record: given.get('record') || undefined,
  };
}

/** The query of an address: what belongs to its tab, and nothing that goes without saying. */
export function writeAddress(address: Address): string {
  const { tab } = address;
  const fields: Record<string, string | number | undefined> = { merchant: address.merchant, tab };
  if (tab === 'calls') {
    fields.call = address.call;
    fields.show = address.shown === 'all' ? undefined : address.shown;
    fields.search = address.search;
    fields.operation = address.operation;
    fields.status = address.status;
  }
  if (tab === 'records') {
    fields.family = address.family;
    fields.policy_number = address.policy;
    fields.page = address.page === 1 ? undefined : address.page;
    fields.record = address.record;
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return `?${query}`;
}

/** The merchant that the id of a call names: `req-3-17` is one of merchant 3, `req-0-1` of nobody. */
export const merchantOf = (call: string | undefined): number | undefined =>
  whole(/^req-(\d+)-(?:\d+-)?\d+$/.exec(call ?? '')?.[1] ?? null);

const whole = (text: string | null): number | undefined =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
