/* The whole page: the header, the tabs, and the view that the address names. */

import type { FC } from 'hono/jsx';
/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect } from 'hono/jsx/dom';
import { createRoot } from 'hono/jsx/dom/client';
import type { MerchantState } from '../../../types/public.ts';
import { isolate } from '../../layout/client/user-text.ts';
import { CallsView } from './calls.tsx';
import { ClockBar } from './clock.tsx';
import { setContract } from './contract.ts';
import { FaultsView } from './faults.tsx';
import { GateView } from './gate.tsx';
import { isCall } from './items.ts';
import { policiesOf } from './merchants.ts';
import { MerchantsView, ShownMerchant } from './merchants-view.tsx';
import { Link, NoticeView } from './parts.tsx';
import { PendingView } from './pending.tsx';
import { RecordsView } from './records.tsx';
import { start } from './session.ts';
import {
  chosenMerchant,
  isOneWorld,
  isServerAway,
  readAddress,
  type State,
  setState,
  showsAll,
  type Tab,
  useStore,
} from './store.ts';
import { WorldMenu } from './world-menu.tsx';

const ofChosen = (count: (merchant: MerchantState) => number) => (state: State) => {
  const merchant = chosenMerchant(state);
  return merchant && count(merchant);
};

/** The title, view and count of each tab. */
const VIEWS: Readonly<
  Record<Tab, { title: string; View: FC; count: (state: State) => number | undefined }>
> = {
  calls: { title: 'Calls', View: CallsView, count: ({ items }) => items?.filter(isCall).length },
  merchants: {
    title: 'Merchants',
    View: MerchantsView,
    count: ({ merchants }) => merchants.length,
  },
  records: { title: 'Records', View: RecordsView, count: ofChosen(policiesOf) },
  pending: { title: 'Pending', View: PendingView, count: ofChosen(({ counts }) => counts.pending) },
  faults: { title: 'Faults', View: FaultsView, count: ofChosen(({ counts }) => counts.faults) },
};

const TABS_OF_ALL: readonly Tab[] = ['calls', 'merchants'];
const TABS_OF_ONE: readonly Tab[] = ['calls', 'records', 'pending', 'faults'];

/** The tab of the address, if what is chosen has it. */
const shownTab = (state: State): Tab => {
  const { tab } = state.address;
  const isThere = tab === 'merchants' ? !isOneWorld(state) : !showsAll(state);
  return isThere ? tab : 'calls';
};

function App() {
  const isOpen = useStore((state) => state.gate.kind === 'open');
  const isLoading = useStore((state) => state.gate.kind === 'loading');
  const hasWorld = useStore((state) => isOpen && chosenMerchant(state) !== undefined);
  return (
    <div class="page">
      <h1 class="visually-hidden">Inspector</h1>
      <div class="toolbar" hidden={!isOpen && !isLoading}>
        {isOpen ? <ShownMerchant /> : null}
        {isOpen ? <Tabs /> : null}
        {hasWorld ? <ClockBar /> : <span class="clock" />}
        {hasWorld ? <WorldMenu /> : null}
        {isOpen ? <Live /> : null}
      </div>
      {isOpen ? <MainView /> : <GateView />}
      <AwayView />
      <NoticeView />
    </div>
  );
}

function MainView() {
  const tab = useStore(shownTab);
  const chosen = useStore((state) => state.address.merchant);
  const isAll = useStore(showsAll);
  const isThere = useStore((state) => chosenMerchant(state) !== undefined);
  const name = useStore((state) => (isAll ? 'All merchants' : chosenMerchant(state)?.name));
  useLayoutEffect(() => {
    const shown = name === undefined ? [] : [isolate(name)];
    document.title = [VIEWS[tab].title, ...shown, 'micro-insurance-sandbox'].join(' · ');
  }, [tab, name]);
  const { View } = VIEWS[tab];
  return (
    <main key={`${tab} ${chosen} ${isThere}`}>
      {isAll || isThere || tab === 'merchants' ? <View /> : <GoneView />}
    </main>
  );
}

function Tabs() {
  const state = useStore((whole) => whole);
  const current = shownTab(state);
  return (
    <nav class="tabs" aria-label="Views">
      {(showsAll(state) ? TABS_OF_ALL : TABS_OF_ONE).map((tab) => (
        <Link key={tab} to={{ tab }} aria-current={tab === current ? 'page' : undefined}>
          {VIEWS[tab].title}{' '}
          <span class="n">{VIEWS[tab].count(state)?.toLocaleString('en') ?? ''}</span>
        </Link>
      ))}
    </nav>
  );
}

function Live() {
  const live = useStore((state) => state.live);
  return (
    <span class={`live ${live}`} role="status" title={live}>
      {live === 'reconnecting' ? null : live}
    </span>
  );
}

/** Says that the sandbox is away, below everything else. */
const AwayView = () => {
  const isAway = useStore(isServerAway);
  return (
    <div class="away" role="status">
      {isAway ? 'Cannot reach the sandbox. Trying again…' : null}
    </div>
  );
};

/** Shown if the merchant in the address does not exist. */
function GoneView() {
  const id = useStore((state) => state.address.merchant);
  return (
    <section class="message">
      <h2 class="title">
        {id === undefined ? 'No merchants yet' : `Merchant ${id} does not exist`}
      </h2>
      <p>{id === undefined ? 'Create the first one.' : 'It may have been removed.'}</p>
      <div class="actions">
        <Link class="button" to={{ tab: 'merchants' }}>
          Merchants
        </Link>
      </div>
    </section>
  );
}

const root = document.getElementById('inspector') as HTMLElement;
setContract(JSON.parse(root.dataset.contract ?? '{}'));
setState({ address: readAddress(location.search) });
createRoot(root).render(<App />);
start();
