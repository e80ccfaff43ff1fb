/* The state of the page. What is shown is in the address, so that a link shows a colleague the same. */

import { type Child, useLayoutEffect, useRef, useState } from 'hono/jsx/dom';
import type { MerchantState } from '../../../types/public.ts';
import { after } from '../../layout/client/browser-time.ts';
import { contract } from './contract.ts';
import { type Item, idOf, keyIn, merchantOf, whole } from './items.ts';

export const TABS = ['calls', 'records', 'pending', 'faults', 'merchants'] as const;
export type Tab = (typeof TABS)[number];

/** The address of all merchants. Without it the page decides what it opens on. */
const ALL = 'all';

/** What the page shows. */
export interface Address {
  /** Undefined for all merchants. */
  readonly merchant: number | undefined;
  readonly tab: Tab;
  /** The key of the open call. */
  readonly call: string | undefined;
  readonly search: string;
  /** For records: family, search, page, and the policy number of the open one. */
  readonly family: string | undefined;
  readonly policy: string;
  readonly page: number;
  readonly record: string | undefined;
}

/** Whether the page has access: to the whole sandbox, or with a merchant's key to its World. */
export type Gate =
  | { readonly kind: 'loading' }
  | { readonly kind: 'open'; readonly to: 'sandbox' | 'world' }
  /** A merchant's key is needed, or the admin token if one is set. */
  | { readonly kind: 'closed'; readonly hasToken: boolean; readonly isWrong: boolean };

/** What the page says for a while. */
export interface Notice {
  readonly tone: 'ok' | 'bad';
  readonly text: Child;
  /** What ended, or the places of a refusal. */
  readonly lines: readonly Child[];
  /** Undoes what was done. */
  readonly undo?: (() => unknown) | undefined;
}

/** A World that was saved, to go back to. It stays until the page closes. */
export interface SavePoint {
  readonly name: string;
  readonly merchant: number | undefined;
  readonly snapshot: Blob;
}

export interface State {
  readonly address: Address;
  readonly gate: Gate;
  /** The loaded ones, by id. */
  readonly merchants: readonly MerchantState[];
  /** The browser's clock when the clocks of merchants were read. */
  readonly readAt: number;
  /** How many pages of merchants are open, if they come in pages. */
  readonly pages: number;
  /** Calls and World events of the chosen merchant or of all, newest first; undefined until loaded. */
  readonly items: readonly Item[] | undefined;
  /** Whether the page follows what happens. `reconnecting`: the sandbox is away. */
  readonly live: 'connecting' | 'live' | 'reconnecting';
  readonly savePoints: readonly SavePoint[];
  readonly notice: Notice | undefined;
  /** Increases when the chosen World may have changed. */
  readonly revision: number;
}

let state: State = {
  address: readAddress(''),
  gate: { kind: 'loading' },
  merchants: [],
  pages: 1,
  readAt: 0,
  items: undefined,
  live: 'connecting',
  savePoints: [],
  notice: undefined,
  revision: 0,
};

const listeners = new Set<() => void>();

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
      const rendered = latest.current;
      if (rendered && !Object.is(rendered.select(state), rendered.part))
        redraw((count) => count + 1);
    };
    listeners.add(look);
    return () => void listeners.delete(look);
  }, []);
  return part;
}

export const isOneWorld = ({ gate }: State): boolean => gate.kind === 'open' && gate.to === 'world';

/** The chosen merchant; undefined if it does not exist. */
export const chosenMerchant = ({ merchants, address }: State): MerchantState | undefined =>
  merchants.find(({ id }) => id === address.merchant);

/** The key of a merchant, or of the chosen one; undefined if it is not known. */
export const keyFor = (merchant = state.address.merchant): string | undefined =>
  state.merchants.find(({ id }) => id === merchant)?.api_key;

/** Whether the page shows all merchants. On several machines no stream has the calls of all. */
export const showsAll = ({ address }: State): boolean =>
  address.merchant === undefined && !contract.isSpread;

/** Whether the sandbox does not respond. Nothing can be sent then, and nobody knows its time. */
export const isServerAway = ({ live }: State): boolean => live === 'reconnecting';

/** Long enough to read what ended, and to undo. A problem stays. */
const NOTICE_MS = 8000;

/** Shows a notice until its time is up, or until it is dismissed or replaced. */
export function notify(
  tone: Notice['tone'],
  text: Child,
  { lines = [], undo }: Partial<Pick<Notice, 'lines' | 'undo'>> = {},
): void {
  const notice = { tone, text, lines, undo };
  setState({ notice });
  if (tone === 'bad') return;
  after(NOTICE_MS, () => {
    if (state.notice === notice) setState({ notice: undefined });
  });
}

/**
 * Changes what is shown, with a step in the browser's history unless `replace` is given.
 *
 * @param also what changes together with the address
 */
export function go(
  change: Partial<Address>,
  how: 'push' | 'replace' = 'push',
  also: Partial<State> = {},
): void {
  const address = { ...state.address, ...change };
  const query = writeAddress(address);
  if (query !== location.search) history[`${how}State`](null, '', query);
  setState({ ...also, address });
}

/** The calls of another merchant, or of all, without what was open of the previous one. */
export const callsOf = (merchant: number | undefined): Partial<Address> => ({
  ...readAddress(''),
  merchant,
});

/** Opens a call that the page has sent: it tells what became of it. Without a response, the list does. */
export function openSent(call: string | undefined): void {
  if (call === undefined) notify('bad', 'No response arrived.');
  go({ tab: 'calls', call });
}

/** Whether the query of an address says whose calls to show. */
export const namesMerchant = (query: string): boolean => {
  const given = new URLSearchParams(query);
  return given.get('merchant') === ALL || readAddress(query).merchant !== undefined;
};

/** Parses the query of an address. Invalid parts are ignored. */
export function readAddress(query: string): Address {
  const given = new URLSearchParams(query);
  const text = (name: string) => given.get(name) || undefined;
  const named = whole(text('merchant'));
  const sent = text('call');
  const call = sent !== undefined && named !== undefined ? keyIn(named, sent) : sent;
  return {
    merchant: text('merchant') === ALL ? undefined : (named ?? merchantOf(call)),
    tab: TABS.find((name) => name === given.get('tab')) ?? 'calls',
    call,
    search: text('search') ?? '',
    family: text('family'),
    policy: text('policy_number') ?? '',
    page: whole(text('page')) ?? 1,
    record: text('record'),
  };
}

/** Formats the query of an address: the fields of its tab, without defaults. */
export function writeAddress(address: Address): string {
  const { merchant, tab, call, search, family, policy, page, record } = address;
  const fields = {
    merchant: merchant ?? ALL,
    tab: tab === 'calls' ? undefined : tab,
    ...(tab === 'calls' && {
      call: call !== undefined && merchantOf(call) === merchant ? idOf(call) : call,
      search,
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
