/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useState } from 'hono/jsx/dom';
import { isolate } from '../../layout/client/user-text.ts';
import { TABS, type Tab, writeAddress } from './address.ts';
import { CallsView } from './calls-view.tsx';
import { ClockBar } from './clock-bar.tsx';
import { FaultsView } from './faults-view.tsx';
import { MerchantMenu } from './merchant-menu.tsx';
import { go } from './navigation.ts';
import { Notices } from './notices.tsx';
import { PendingView } from './pending-view.tsx';
import { RecordsView } from './records-view.tsx';
import { giveToken } from './session.ts';
import { chosenMerchant, contract, type Gate, getState, type State, useStore } from './store.ts';
import { UserText } from './user-text.tsx';
import { choose } from './world.ts';
import { WorldView } from './world-view.tsx';

/** The whole page. */
export function App() {
  const gate = useStore((state) => state.gate);
  return (
    <div class="page">
      <header>
        <h1 class="visually-hidden">Inspector</h1>
        <a class="brand" href="/">
          <span>micro-insurance-sandbox</span>
        </a>
        {gate.kind === 'open' ? <MerchantMenu /> : null}
        {gate.kind === 'open' ? <ClockBar /> : null}
      </header>
      {gate.kind === 'open' ? <Views /> : <GateView gate={gate} />}
      <Notices />
    </div>
  );
}

function Views() {
  const address = useStore((state) => state.address);
  const isThere = useStore((state) => chosenMerchant(state) !== undefined);
  const isFinding = useStore((state) => state.isFinding);
  const name = useStore((state) => chosenMerchant(state)?.name);
  useLayoutEffect(() => {
    const shown = name === undefined ? [] : [isolate(name)];
    document.title = [TAB_NAMES[address.tab], ...shown, 'micro-insurance-sandbox'].join(' · ');
  }, [address.tab, name]);
  const View = VIEWS[address.tab];
  return (
    <div class="views">
      <Tabs />
      <main key={isThere ? `${address.tab} ${address.merchant}` : 'gone'}>
        {isThere ? <View /> : isFinding ? <Busy /> : <GoneView />}
      </main>
    </div>
  );
}

const VIEWS = {
  calls: CallsView,
  records: RecordsView,
  pending: PendingView,
  faults: FaultsView,
  world: WorldView,
} satisfies Record<Tab, unknown>;

const TAB_NAMES: Readonly<Record<Tab, string>> = {
  calls: 'Calls',
  records: 'Records',
  pending: 'Pending',
  faults: 'Faults',
  world: 'World',
};

const COUNTS: Readonly<Record<Tab, (state: State) => number | undefined>> = {
  calls: ({ calls }) => calls?.length,
  records: ({ policies }) => sum(Object.values(policies)),
  pending: ({ purchases }) => purchases?.length,
  faults: ({ faults }) => faults?.length,
  world: () => undefined,
};

const sum = (counts: readonly number[]): number | undefined =>
  counts.length === 0 ? undefined : counts.reduce((all, count) => all + count, 0);

function Tabs() {
  const address = useStore((state) => state.address);
  const live = useStore((state) => state.live);
  return (
    <div class="bar">
      <nav aria-label="Views">
        {TABS.map((tab) => (
          <TabLink key={tab} tab={tab} isCurrent={tab === address.tab} />
        ))}
      </nav>
      <nav class="elsewhere" aria-label="Reference">
        <a href="/docs">Merchant API</a>
        <a href="/docs/control">Control plane</a>
      </nav>
      <span class={live === 'live' ? 'live on' : 'live'} role="status">
        {live}
      </span>
    </div>
  );
}

function TabLink({ tab, isCurrent }: { readonly tab: Tab; readonly isCurrent: boolean }) {
  const count = useStore(COUNTS[tab]);
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go({ tab });
  };
  return (
    <a
      href={writeAddress({ ...getState().address, tab })}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={follow}
    >
      {TAB_NAMES[tab]}
      {tab === 'world' ? null : <span class="n">{count ?? ''}</span>}
    </a>
  );
}

const Busy = () => <section class="message" aria-busy="true" />;

/** The address names a merchant that there is not, or no longer. */
function GoneView() {
  const merchants = useStore((state) => state.merchants);
  const id = useStore((state) => state.address.merchant);
  const [first] = merchants;
  return (
    <section class="message">
      <h2 class="title">
        {id === undefined ? 'There is no merchant' : `There is no merchant ${id}`}
      </h2>
      <p>
        {id === undefined
          ? 'Create one by the menu above.'
          : 'It was removed, or never was there. What it held is gone.'}
      </p>
      {first ? (
        <div class="actions">
          <button type="button" class="primary" onClick={() => choose(first.id)}>
            Go to <UserText text={first.name} />
          </button>
        </div>
      ) : null}
    </section>
  );
}

function GateView({ gate }: { readonly gate: Gate }) {
  if (gate.kind === 'token') return <TokenForm wrong={gate.wrong} />;
  if (gate.kind === 'forbidden' && contract.isHosted) {
    return (
      <main class="message">
        <h2 class="title">This sandbox shows its merchants to nobody yet</h2>
        <p>
          <UserText whole text={gate.detail} />
        </p>
        <p>This page then asks for that token.</p>
      </main>
    );
  }
  if (gate.kind === 'forbidden') {
    return (
      <main class="message">
        <h2 class="title">This sandbox shows its merchants to its own machine only</h2>
        <p>
          <UserText whole text={gate.detail} />
        </p>
        <p>
          To look at it from here, start it with an admin token: <code>--admin-token</code>, or{' '}
          <code>SANDBOX_ADMIN_TOKEN</code> in its environment. This page then asks for that token.
        </p>
        <pre>SANDBOX_ADMIN_TOKEN=choose-a-long-one npx micro-insurance-sandbox --host 0.0.0.0</pre>
      </main>
    );
  }
  if (gate.kind === 'unreachable') {
    return (
      <main class="message">
        <h2 class="title">The sandbox can't be reached</h2>
        <p>
          <UserText whole text={gate.detail} />
        </p>
        <p class="muted">It is asked again every two seconds.</p>
      </main>
    );
  }
  return <main class="message" aria-busy="true" />;
}

function TokenForm({ wrong }: { readonly wrong: boolean }) {
  const [token, setToken] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    if (token !== '') giveToken(token);
  };
  return (
    <main class="message">
      <h2 class="title">This sandbox asks for its admin token</h2>
      <p>
        It was {contract.isHosted ? 'deployed' : 'started'} with one (
        {contract.isHosted ? null : (
          <>
            <code>--admin-token</code> or{' '}
          </>
        )}
        <code>SANDBOX_ADMIN_TOKEN</code>). It is kept for this tab only.
      </p>
      <form class="token" onSubmit={submit}>
        <input
          type="password"
          autocomplete="off"
          aria-label="Admin token"
          aria-invalid={String(wrong)}
          aria-describedby="token-problem"
          autofocus
          onInput={(event: Event) => setToken((event.target as HTMLInputElement).value)}
        />
        <button type="submit" class="primary">
          Open
        </button>
      </form>
      <p id="token-problem" class="bad" role="alert">
        {wrong ? 'That is not the admin token of this sandbox.' : ''}
      </p>
    </main>
  );
}
