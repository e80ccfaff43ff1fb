import { type Child, useLayoutEffect, useRef, useState } from 'hono/jsx/dom';
import type { FaultRule, MerchantState, PendingPurchase } from '../../../public.ts';
import { after } from '../../layout/client/browser-time.ts';
import type { Contract } from '../contract.ts';
import { type Call, type Filter, SHOWN } from './call.ts';

/* The state of the page. What is shown is in the address, so that a link shows a colleague the same. */

export const TABS = ['calls', 'records', 'pending', 'faults', 'world'] as const;
export type Tab = (typeof TABS)[number];

/** What the page shows. */
export interface Address extends Filter {
  readonly merchant: number | undefined;
  readonly tab: Tab;
  /** The open call. */
  readonly call: string | undefined;
  /** For records: family, part of a policy number, page, and the policy number of the open one. */
  readonly family: string | undefined;
  readonly policy: string;
  readonly page: number;
  readonly record: string | undefined;
}

export type Merchant = MerchantState;

/** Whether the page has access. */
export type Gate =
  | { readonly kind: 'loading' | 'open' }
  /** The admin token is needed; `wrong` after a refused one. */
  | { readonly kind: 'token'; readonly wrong: boolean }
  | { readonly kind: 'forbidden' | 'unreachable'; readonly detail: string };

interface Notice {
  readonly tone: 'ok' | 'bad';
  readonly text: Child;
  /** What expired, or the places of a refusal. */
  readonly lines: readonly Child[];
}

/** The time of a World's clock, and of the browser's clock when it was read. */
export interface Reading {
  readonly shown: number;
  readonly readAt: number;
  readonly mode: 'running' | 'frozen';
}

export interface State {
  readonly address: Address;
  readonly gate: Gate;
  /** The loaded ones, by id. */
  readonly merchants: readonly Merchant[];
  /** How many pages of merchants are loaded, if they come in pages. */
  readonly pages: { readonly read: number; readonly isLast: boolean };
  /** Whether the chosen merchant is being searched on further pages. */
  readonly isFinding: boolean;
  /** Newest first; undefined until loaded. */
  readonly calls: readonly Call[] | undefined;
  readonly live: 'connecting' | 'live' | 'reconnecting';
  readonly clock: Reading | undefined;
  /** Policies by family. */
  readonly policies: Readonly<Record<string, number>>;
  readonly purchases: readonly PendingPurchase[] | undefined;
  readonly faults: readonly FaultRule[] | undefined;
  readonly notice: Notice | undefined;
  /** Increases when the records of the chosen World may have changed. */
  readonly revision: number;
}

/** Set by `initialize` before the first rendering. */
export let contract: Contract;

/** A World before anything is loaded. */
export const NOTHING_READ = {
  calls: undefined,
  purchases: undefined,
  faults: undefined,
  policies: {},
  clock: undefined,
};

let state: State = {
  address: readAddress(''),
  gate: { kind: 'loading' },
  merchants: [],
  pages: { read: 0, isLast: false },
  isFinding: false,
  ...NOTHING_READ,
  live: 'connecting',
  notice: undefined,
  revision: 0,
};

const listeners = new Set<() => void>();

/** Sets the contract from the page, and what to show from the address. */
export function initialize(given: Contract): void {
  contract = given;
  setState({ address: readAddress(location.search) });
}

export const getState = (): State => state;

export function setState(change: Partial<State>): void {
  state = { ...state, ...change };
  for (const listener of [...listeners]) listener();
}

/** Runs a function whenever the state may have changed. */
export const onChange = (run: () => void): void => void listeners.add(run);

/** A part of the state. The component renders again when it changes. */
export function useStore<Part>(select: (state: State) => Part): Part {
  const [, redraw] = useState(0);
  const part = select(state);
  const latest = useRef({ select, part });
  latest.current = { select, part };
  // Not useEffect: the library may run it twice, or after unmounting without cleaning up.
  useLayoutEffect(() => {
    const look = () => {
      const seen = latest.current;
      if (seen && !Object.is(seen.select(state), seen.part)) redraw((count) => count + 1);
    };
    listeners.add(look);
    return () => void listeners.delete(look);
  }, []);
  return part;
}

/** The chosen merchant; undefined if it does not exist. */
export const chosenMerchant = ({ merchants, address }: State): Merchant | undefined =>
  merchants.find(({ id }) => id === address.merchant);

/** How long a notice about a success is shown. */
const NOTICE_MS = 6000;

/** Shows a notice until it is dismissed or replaced. */
export function notify(tone: Notice['tone'], text: Child, lines: readonly Child[] = []): void {
  const notice = { tone, text, lines };
  setState({ notice });
  if (tone === 'bad' || lines.length > 0) return;
  after(NOTICE_MS, () => {
    if (state.notice === notice) setState({ notice: undefined });
  });
}

/** Changes what is shown, with a step in the browser's history unless `replace` is given. */
export function go(change: Partial<Address>, how: 'push' | 'replace' = 'push'): void {
  const address = { ...state.address, ...change };
  const query = writeAddress(address);
  if (query !== location.search) history[`${how}State`](null, '', query);
  setState({ address });
}

/** Parses the query of an address. Invalid parts are ignored. */
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

/** Formats the query of an address: the fields of its tab, without defaults. */
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

/** The merchant in the id of a call: `req-3-17` belongs to merchant 3, `req-0-1` to none. */
function merchantOf(call: string | undefined): number | undefined {
  return whole(/^req-(\d+)-(?:\d+-)?\d+$/.exec(call ?? '')?.[1]);
}

function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
