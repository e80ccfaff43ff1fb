/* What a person looks at is in the address, so that a link shows a colleague the same. */

export const TABS = ['calls', 'records', 'pending', 'faults', 'world'] as const;
export type Tab = (typeof TABS)[number];

export const SHOWN = ['all', 'refused', 'faults'] as const;

export interface Address {
  readonly merchant: number | undefined;
  readonly tab: Tab;
  /** The open call. */
  readonly call: string | undefined;
  /** Filters of the calls: which, words, operation, and status or its first digit. */
  readonly shown: (typeof SHOWN)[number];
  readonly search: string;
  readonly operation: string | undefined;
  readonly status: string | undefined;
  /** Of the records: family, part of a policy number, page, and the policy number of the open one. */
  readonly family: string | undefined;
  readonly policy: string;
  readonly page: number;
  readonly record: string | undefined;
}

/** Reads the query of an address; what it can't read is left out. */
export function readAddress(query: string): Address {
  const given = new URLSearchParams(query);
  const text = (name: string) => given.get(name) || undefined;
  const call = text('call');
  return {
    merchant: whole(text('merchant')) ?? merchantOf(call),
    tab: TABS.find((name) => name === given.get('tab')) ?? 'calls',
    call,
    shown: SHOWN.find((name) => name === given.get('show')) ?? 'all',
    search: text('search') ?? '',
    operation: text('operation'),
    status: /^[1-5](\d\d)?$/.exec(text('status') ?? '')?.[0],
    family: text('family'),
    policy: text('policy_number') ?? '',
    page: whole(text('page')) ?? 1,
    record: text('record'),
  };
}

/** The query of an address: the fields of its tab, without defaults. */
export function writeAddress(address: Address): string {
  const { merchant, tab, call, shown, search, operation, status } = address;
  const { family, policy, page, record } = address;
  const fields = {
    merchant,
    tab,
    ...(tab === 'calls' && {
      call,
      show: shown === 'all' ? undefined : shown,
      search,
      operation,
      status,
    }),
    ...(tab === 'records' && {
      family,
      policy_number: policy,
      page: page === 1 ? undefined : page,
      record,
    }),
  };
  const written = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return `?${new URLSearchParams(written.map(([name, value]) => [name, String(value)]))}`;
}

/** The merchant that the id of a call names: `req-3-17` is one of merchant 3, `req-0-1` of nobody. */
export const merchantOf = (call: string | undefined): number | undefined =>
  whole(/^req-(\d+)-(?:\d+-)?\d+$/.exec(call ?? '')?.[1]);

const whole = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
