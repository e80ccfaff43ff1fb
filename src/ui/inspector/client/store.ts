import { type Child, useLayoutEffect, useRef, useState } from 'hono/jsx/dom';
import type { MerchantState } from '../../../control/merchants.ts';
import type { PendingPurchase } from '../../../control/records.ts';
import { after } from '../../layout/client/browser-time.ts';
import type { Contract } from '../contract.ts';
import { type Address, readAddress } from './address.ts';
import type { FaultRule } from './api.ts';
import type { Call } from './call.ts';
import type { Reading } from './moments.ts';

export type Merchant = MerchantState;

/** What stands between a person and the sandbox. */
export type Gate =
  | { readonly kind: 'loading' | 'open' }
  /** The admin token is asked for; `wrong` once one was refused. */
  | { readonly kind: 'token'; readonly wrong: boolean }
  | { readonly kind: 'forbidden' | 'unreachable'; readonly detail: string };

export interface Notice {
  readonly id: number;
  readonly tone: 'ok' | 'bad';
  readonly text: Child;
  /** What lapsed, or the places of a refusal. */
  readonly lines: readonly Child[];
}

export interface State {
  readonly address: Address;
  readonly gate: Gate;
  /** Those that were read, by id. */
  readonly merchants: readonly Merchant[];
  /** How far they were read, where that is done in pages. */
  readonly pages: { readonly read: number; readonly isLast: boolean };
  /** Whether the chosen merchant is looked for among those that were not read. */
  readonly isFinding: boolean;
  /** Newest first; undefined until they are read. */
  readonly calls: readonly Call[] | undefined;
  readonly live: 'connecting' | 'live' | 'reconnecting';
  readonly clock: Reading | undefined;
  /** Policies by family. */
  readonly policies: Readonly<Record<string, number>>;
  readonly purchases: readonly PendingPurchase[] | undefined;
  readonly faults: readonly FaultRule[] | undefined;
  readonly notices: readonly Notice[];
  /** Counts up whenever the chosen World may hold other records. */
  readonly revision: number;
}

const root = document.getElementById('inspector') as HTMLElement;

export const contract: Contract = JSON.parse(root.dataset.contract ?? '{}');

let state: State = {
  address: readAddress(location.search),
  gate: { kind: 'loading' },
  merchants: [],
  pages: { read: 0, isLast: false },
  isFinding: false,
  calls: undefined,
  live: 'connecting',
  clock: undefined,
  policies: {},
  purchases: undefined,
  faults: undefined,
  notices: [],
  revision: 0,
};

const listeners = new Set<() => void>();

export const getState = (): State => state;

export function setState(change: Partial<State>): void {
  state = { ...state, ...change };
  for (const listener of [...listeners]) listener();
}

/** Runs something whenever the state may have changed. */
export const onChange = (run: () => void): void => void listeners.add(run);

/** A part of the state; the component is drawn anew when that part changes. */
export function useStore<Part>(select: (state: State) => Part): Part {
  const [, redraw] = useState(0);
  const part = select(state);
  const latest = useRef({ select, part });
  latest.current = { select, part };
  // Not useEffect: the library may run it twice, or after the component is gone, and lose its end.
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

/** The merchant that is looked at; undefined when there is none of that id. */
export const chosenMerchant = ({ merchants, address }: State): Merchant | undefined =>
  merchants.find(({ id }) => id === address.merchant);

let lastNotice = 0;

/** How long a success stands that nobody has to read. */
const NOTICE_MS = 6000;

/** Shows what happened, until it is closed or something else happens. */
export function notify(tone: Notice['tone'], text: Child, lines: readonly Child[] = []): void {
  lastNotice += 1;
  const id = lastNotice;
  setState({ notices: [{ id, tone, text, lines }] });
  if (tone === 'bad' || lines.length > 0) return;
  after(NOTICE_MS, () => setState({ notices: state.notices.filter((notice) => notice.id !== id) }));
}

export const closeNotice = (): void => setState({ notices: [] });
