/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect } from 'hono/jsx/dom';
import { createRoot } from 'hono/jsx/dom/client';
import { isolate } from '../../layout/client/user-text.ts';
import { CallsView } from './calls.tsx';
import { ClockBar } from './clock.tsx';
import { FaultsView } from './faults.tsx';
import { MerchantMenu } from './merchant-menu.tsx';
import { Button, NoticeView, submitted, UserText } from './parts.tsx';
import { PendingView } from './pending.tsx';
import { RecordsView } from './records.tsx';
import { giveToken, start } from './session.ts';
import {
  chosenMerchant,
  contract,
  getState,
  go,
  initialize,
  type State,
  TABS,
  type Tab,
  useStore,
  writeAddress,
} from './store.ts';
import { choose } from './world.ts';
import { WorldView } from './world-view.tsx';

/** The whole page. */
function App() {
  const isOpen = useStore((state) => state.gate.kind === 'open');
  return (
    <div class="page">
      <h1 class="visually-hidden">Inspector</h1>
      <div class="toolbar">
        {isOpen ? <MerchantMenu /> : null}
        {isOpen ? <ClockBar /> : null}
      </div>
      {isOpen ? <Views /> : <GateView />}
      <NoticeView />
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
    document.title = [VIEWS[address.tab].title, ...shown, 'micro-insurance-sandbox'].join(' · ');
  }, [address.tab, name]);
  const { View } = VIEWS[address.tab];
  return (
    <div class="views">
      <Tabs />
      <main key={isThere ? `${address.tab} ${address.merchant}` : 'gone'}>
        {isThere ? (
          <View />
        ) : isFinding ? (
          <section class="message" aria-busy="true" />
        ) : (
          <GoneView />
        )}
      </main>
    </div>
  );
}

/** The title, view and count of each tab. */
const VIEWS = {
  calls: { title: 'Calls', View: CallsView, count: ({ calls }: State) => calls?.length },
  records: { title: 'Records', View: RecordsView, count: ({ policies }: State) => sum(policies) },
  pending: {
    title: 'Pending',
    View: PendingView,
    count: ({ purchases }: State) => purchases?.length,
  },
  faults: { title: 'Faults', View: FaultsView, count: ({ faults }: State) => faults?.length },
  world: { title: 'World', View: WorldView, count: () => undefined },
} as const;

const sum = (counts: Readonly<Record<string, number>>): number | undefined =>
  Object.values(counts).reduce<number | undefined>((all = 0, count) => all + count, undefined);

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
      <span class={live === 'live' ? 'live on' : 'live'} role="status">
        {live}
      </span>
    </div>
  );
}

function TabLink({ tab, isCurrent }: { tab: Tab; isCurrent: boolean }) {
  const { title, count } = VIEWS[tab];
  const counted = useStore<number | undefined>(count);
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
        </div>
      ) : null}
    </section>
  );
}

const GATE_TITLES = {
  unreachable: 'Cannot reach the sandbox',
  hosted: 'No admin token is set',
  local: 'The inspector works only on the machine of the sandbox',
};

/** Shown without access, or without a sandbox. */
function GateView() {
  const gate = useStore((state) => state.gate);
  if (gate.kind === 'token') return <TokenForm wrong={gate.wrong} />;
  if (!('detail' in gate)) return <main class="message" aria-busy="true" />;
  const closed = contract.isHosted ? 'hosted' : 'local';
  const why = gate.kind === 'unreachable' ? gate.kind : closed;
  return (
    <main class="message">
      <h2 class="title">{GATE_TITLES[why]}</h2>
      <p>
        <UserText whole text={gate.detail} />
      </p>
      {why === 'unreachable' ? <p class="muted">Trying again every two seconds.</p> : null}
      {why === 'hosted' ? <p>The inspector then asks for it.</p> : null}
      {why === 'local' ? (
        <>
          <p>
            To open it from here, start the sandbox with an admin token: set{' '}
            <code>--admin-token</code> or <code>SANDBOX_ADMIN_TOKEN</code>. The inspector then asks
            for it.
          </p>
          <pre>
            SANDBOX_ADMIN_TOKEN=choose-a-long-one npx micro-insurance-sandbox --host 0.0.0.0
          </pre>
        </>
      ) : null}
    </main>
  );
}

function TokenForm({ wrong }: { wrong: boolean }) {
  const submit = (event: Event) => {
    const { token } = submitted(event);
    if (token) giveToken(token);
  };
  return (
    <main class="message">
      <h2 class="title">Enter the admin token</h2>
      <p>
        The sandbox was {contract.isHosted ? 'deployed' : 'started'} with{' '}
        {contract.isHosted ? null : (
          <>
            <code>--admin-token</code> or{' '}
          </>
        )}
        <code>SANDBOX_ADMIN_TOKEN</code>. This tab keeps the token until you close it.
      </p>
      <form class="token" onSubmit={submit}>
        <input
          type="password"
          name="token"
          autocomplete="off"
          aria-label="Admin token"
          aria-invalid={String(wrong)}
          aria-describedby="token-problem"
          autofocus
        />
        <button type="submit" class="primary">
          Open
        </button>
      </form>
      <p id="token-problem" class="bad" role="alert">
        {wrong ? 'This is not the admin token of the sandbox.' : ''}
      </p>
    </main>
  );
}

const root = document.getElementById('inspector') as HTMLElement;
initialize(JSON.parse(root.dataset.contract ?? '{}'));
createRoot(root).render(<App />);
start();
