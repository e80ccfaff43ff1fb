/* The whole page: the header, the tabs, and the view that the address names. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect } from 'hono/jsx/dom';
import { createRoot } from 'hono/jsx/dom/client';
import { isolate } from '../../layout/client/user-text.ts';
import { AllFaults, AllPending, AllWorlds } from './all-merchants.tsx';
import { AllRecords } from './all-records.tsx';
import { CallsView } from './calls.tsx';
import { ClockBar } from './clock.tsx';
import { FaultsView } from './faults.tsx';
import { GateView } from './gate.tsx';
import { MerchantMenu } from './merchant-menu.tsx';
import { isInUse } from './merchants.ts';
import { Button, NoticeView, UserText } from './parts.tsx';
import { PendingView } from './pending.tsx';
import { RecordsView } from './records.tsx';
import { start } from './session.ts';
import {
  chosenMerchant,
  contract,
  getState,
  go,
  initialize,
  isServerAway,
  type State,
  setState,
  showsAll,
  TABS,
  type Tab,
  useStore,
  writeAddress,
} from './store.ts';
import { choose } from './world.ts';
import { WorldView } from './world-view.tsx';

function App() {
  const isOpen = useStore((state) => state.gate.kind === 'open');
  const isLoading = useStore((state) => state.gate.kind === 'loading');
  const isAll = useStore((state) => isOpen && showsAll(state));
  return (
    <div class="page">
      <h1 class="visually-hidden">Inspector</h1>
      <div class="toolbar" hidden={!isOpen && !isLoading}>
        {isOpen ? <MerchantMenu /> : null}
        {isOpen ? <Tabs /> : null}
        {isAll ? <p class="muted clocks">Each merchant has its own clock.</p> : null}
        {isOpen && !isAll ? <ClockBar /> : null}
        {isOpen ? <Live /> : null}
      </div>
      {isOpen ? <MainView /> : <GateView />}
      <AwayView />
      <NoticeView />
    </div>
  );
}

function MainView() {
  const address = useStore((state) => state.address);
  const isAll = useStore(showsAll);
  const isThere = useStore((state) => chosenMerchant(state) !== undefined);
  const isFinding = useStore((state) => state.isFinding);
  const name = useStore((state) => (isAll ? 'All merchants' : chosenMerchant(state)?.name));
  useLayoutEffect(() => {
    const shown = name === undefined ? [] : [isolate(name)];
    document.title = [VIEWS[address.tab].title, ...shown, 'micro-insurance-sandbox'].join(' · ');
  }, [address.tab, name]);
  const { View, AllView } = VIEWS[address.tab];
  return (
    <main key={isThere || isAll ? `${address.tab} ${address.merchant}` : 'gone'}>
      {isAll ? (
        <AllView />
      ) : isThere ? (
        <View />
      ) : isFinding ? (
        <section class="message" aria-busy="true" />
      ) : (
        <GoneView />
      )}
    </main>
  );
}

/** The title and view of each tab, for one merchant and for all, and its count. */
const VIEWS = {
  calls: {
    title: 'Calls',
    View: CallsView,
    AllView: CallsView,
    count: ({ calls }: State) => calls?.length,
    countAll: ({ calls }: State) => calls?.length,
  },
  records: {
    title: 'Records',
    View: RecordsView,
    AllView: AllRecords,
    count: ({ policies }: State) => sum(policies),
    countAll: inAll((counts) => sum(onlyPolicies(counts)) ?? 0),
  },
  pending: {
    title: 'Pending',
    View: PendingView,
    AllView: AllPending,
    count: ({ purchases }: State) => purchases?.length,
    countAll: inAll(({ pending }) => pending),
  },
  faults: {
    title: 'Faults',
    View: FaultsView,
    AllView: AllFaults,
    count: ({ faults }: State) => faults?.length,
    countAll: inAll(({ faults }) => faults),
  },
  world: {
    title: 'World',
    View: WorldView,
    AllView: AllWorlds,
    count: () => undefined,
    countAll: () => undefined,
  },
} as const;

type Counts = NonNullable<State['merchants'][number]['counts']>;

/** Adds up what all merchants with calls have. */
function inAll(count: (counts: Counts) => number) {
  return ({ merchants }: State): number =>
    merchants
      .filter(isInUse)
      .reduce((all, { counts }) => all + (counts === undefined ? 0 : count(counts)), 0);
}

const onlyPolicies = (counts: Counts): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(counts).filter(([name]) => contract.families.some(({ key }) => key === name)),
  );

const sum = (counts: Readonly<Record<string, number>>): number | undefined =>
  Object.values(counts).reduce<number | undefined>((all = 0, count) => all + count, undefined);

function Tabs() {
  const current = useStore(({ address }) => address.tab);
  return (
    <nav class="tabs" aria-label="Views">
      {TABS.map((tab) => (
        <TabLink key={tab} tab={tab} isCurrent={tab === current} />
      ))}
    </nav>
  );
}

function Live() {
  const live = useStore((state) => state.live);
  const isAway = useStore(isServerAway);
  return (
    <span class={`live ${live}`} role="status" title={live}>
      {isAway ? null : live}
    </span>
  );
}

/** Says that the sandbox is away, below everything else. */
const AwayView = () => {
  const isAway = useStore((state) => isServerAway(state) && state.gate.kind === 'open');
  return (
    <div class="away" role="status">
      {isAway ? 'Cannot reach the sandbox. Trying again…' : null}
    </div>
  );
};

function TabLink({ tab, isCurrent }: { tab: Tab; isCurrent: boolean }) {
  const { title, count, countAll } = VIEWS[tab];
  const counted = useStore<number | undefined>((state) =>
    showsAll(state) ? countAll(state) : count(state),
  );
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setState({ notice: undefined });
    go({ tab });
  };
  return (
    <a
      href={writeAddress({ ...getState().address, tab })}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={follow}
    >
      {title}
      {tab === 'world' ? null : <span class="n">{counted ?? ''}</span>}
    </a>
  );
}

/** Shown if the merchant in the address does not exist. */
function GoneView() {
  const merchants = useStore((state) => state.merchants);
  const id = useStore((state) => state.address.merchant);
  const [first] = merchants;
  return (
    <section class="message">
      <h2 class="title">
        {id === undefined ? 'No merchants yet' : `Merchant ${id} does not exist`}
      </h2>
      <p>{id === undefined ? 'Create one in the menu above.' : 'It may have been removed.'}</p>
      {first ? (
        <div class="actions">
          <Button class="primary" onClick={() => choose(first.id)}>
            Go to <UserText text={first.name} />
          </Button>
          {contract.isSpread ? null : (
            <Button onClick={() => choose(undefined)}>Show all merchants</Button>
          )}
        </div>
      ) : null}
    </section>
  );
}

const root = document.getElementById('inspector') as HTMLElement;
initialize(JSON.parse(root.dataset.contract ?? '{}'));
createRoot(root).render(<App />);
start();
