/* The tabs of all merchants: pending purchases, faults and contents of those with calls, each with its merchant. */

/** @jsxImportSource hono/jsx/dom */
import { type Child, useLayoutEffect, useState } from 'hono/jsx/dom';
import { browserNow, every } from '../../layout/client/browser-time.ts';
import { admin, answerOf, bearer, type CallError, control } from './api.ts';
import { momentText, shownAt } from './clock.tsx';
import { FaultCard } from './faults.tsx';
import { byLastCall, lastCallsOf, MerchantChoice } from './merchant-menu.tsx';
import { attempt, isInUse, readMerchants, refreshMerchants } from './merchants.ts';
import { ActButton, Button, Dialog, Problems, Table, Titles, UserText } from './parts.tsx';
import { HolderCell, PremiumCell, RemainingCell, TokenCell } from './pending.tsx';
import { contract, go, type LoadedMerchant, notify, type Tab, useStore } from './store.ts';
import { choose } from './world.ts';

/** How many merchants are asked for what they have. */
const MAX_ASKED = 20;

/** What was read of a merchant. */
export interface MerchantPart<Answer> {
  readonly merchant: LoadedMerchant;
  readonly answer: Answer;
}

/**
 * Reads something of the Worlds of merchants, again whenever one of them changes.
 *
 * @param has whether a merchant has any of it
 * @param of what else the answers depend on
 */
export function usePartsOf<Answer>(
  has: (merchant: LoadedMerchant) => boolean,
  read: (headers: Record<string, string>) => Promise<Answer>,
  of = '',
) {
  const revision = useStore((state) => state.revision);
  const merchants = useStore((state) => state.merchants);
  const [parts, setParts] = useState<readonly MerchantPart<Answer>[] | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const all = useStore((now) => now.all);
  const having = merchants.filter((merchant) => isInUse(merchant) && has(merchant));
  // Those whose calls came last, in an order that stays.
  const asked = byLastCall(having, lastCallsOf(all ?? []))
    .slice(0, MAX_ASKED)
    .toSorted((a, b) => a.id - b.id);
  useLayoutEffect(refreshMerchants, []);
  const state = asked.map(({ id, api_key, counts }) => [id, api_key, counts]);
  useLayoutEffect(() => {
    let isWanted = true;
    Promise.all(
      asked.map(async (merchant) => ({ merchant, answer: await read(bearer(merchant.api_key)) })),
    )
      .then((answers) => isWanted && setParts(answers))
      // The page tells by itself what became of a merchant, and that the sandbox is away.
      .catch(
        ({ status, message }: CallError) =>
          isWanted && ![0, 401].includes(status) && setProblem(message),
      );
    return () => {
      isWanted = false;
    };
  }, [revision, of, JSON.stringify(state)]);
  return { parts, problem, unasked: having.length - asked.length };
}

/** What a tab says of merchants that it does not show. */
export const Unasked = ({ count }: { count: number }) =>
  count > 0 ? (
    <p class="none muted">
      {count === 1 ? 'One more merchant has' : `${count} more merchants have`} some. Choose one in
      the menu above.
    </p>
  ) : null;

/** A merchant's name, which opens its part of the tab. */
const MerchantLink = ({ merchant, onOpen }: { merchant: LoadedMerchant; onOpen?: () => void }) => (
  <Button class="link" onClick={onOpen ?? (() => choose(merchant.id))}>
    <UserText text={merchant.name} />
  </Button>
);

const Waiting = () => <section class="message" aria-busy="true" />;

/** Says that no merchant with calls has anything here, and offers merchants. */
export const NothingHere = ({ title, children }: { title: string; children: Child }) => (
  <section class="message">
    <h2 class="title">{title}</h2>
    <p>{children}</p>
    <MerchantChoice />
  </section>
);

export const policiesOf = ({ counts }: LoadedMerchant, family: string): number =>
  Number(Object.entries(counts ?? {}).find(([name]) => name === family)?.[1] ?? 0);

/** What the clock of a merchant shows now. */
export const shownNow = ({ clock: { now, mode }, readAt }: LoadedMerchant): number =>
  shownAt({ shown: Date.parse(now), readAt, mode }, browserNow());

export function AllPending() {
  const { parts, problem, unasked } = usePartsOf(
    ({ counts }) => (counts?.pending ?? 0) > 0,
    (headers) => answerOf(control.purchases.$get({}, { headers })),
  );
  const [, tick] = useState(0);
  useLayoutEffect(() => every(1000, () => tick((count) => count + 1)), []);
  if (parts === undefined) return problem === '' ? <Waiting /> : <Problems problems={[problem]} />;
  const rows = parts.flatMap(({ merchant, answer: { data } }) =>
    data
      .filter(({ expires_at }) => Date.parse(expires_at) > shownNow(merchant))
      .map((purchase) => ({ merchant, purchase })),
  );
  if (rows.length === 0) {
    return (
      <NothingHere title="No pending purchases">
        An initiate call adds one. It expires after {contract.tokenLifetimes} of its merchant's
        clock unless it is verified.
      </NothingHere>
    );
  }
  return (
    <section class="sheet" aria-label="Pending purchases">
      <Table
        class="pending"
        head={<Titles titles={['Merchant', 'For', 'Premium', 'Remaining', 'Token']} />}
      >
        <tbody>
          {rows.map(({ merchant, purchase }) => (
            <tr key={purchase.token}>
              <td>
                <MerchantLink merchant={merchant} />
              </td>
              <HolderCell purchase={purchase} />
              <PremiumCell purchase={purchase} />
              <RemainingCell purchase={purchase} now={shownNow(merchant)} />
              <TokenCell purchase={purchase} />
            </tr>
          ))}
        </tbody>
      </Table>
      <Unasked count={unasked} />
    </section>
  );
}

export function AllFaults() {
  const { parts, problem, unasked } = usePartsOf(
    ({ counts }) => (counts?.faults ?? 0) > 0,
    (headers) => answerOf(control.faults.$get({}, { headers })),
  );
  if (parts === undefined) return problem === '' ? <Waiting /> : <Problems problems={[problem]} />;
  const rows = parts.flatMap(({ merchant, answer: { data } }) =>
    data.map((fault) => ({ merchant, fault })),
  );
  if (rows.length === 0) {
    return (
      <NothingHere title="No active faults">
        A fault belongs to one merchant. Choose a merchant to add one.
      </NothingHere>
    );
  }
  return (
    <div class="sheet two">
      <section aria-label="Active faults">
        <h2>Active faults</h2>
        <ul class="cards">
          {rows.map(({ merchant, fault }) => (
            <FaultCard
              key={`${merchant.id} ${fault.id}`}
              fault={fault}
              merchant={merchant}
              head={<MerchantLink merchant={merchant} />}
            />
          ))}
        </ul>
        <Unasked count={unasked} />
      </section>
      <section aria-label="Add a fault">
        <h2>Add a fault</h2>
        <p class="muted">A fault belongs to one merchant.</p>
        <MerchantChoice />
      </section>
    </div>
  );
}

/** How many Worlds are listed. */
const MAX_WORLDS = 100;

export function AllWorlds() {
  const merchants = useStore((state) => state.merchants);
  const [asks, setAsks] = useState(false);
  useLayoutEffect(refreshMerchants, []);
  // Those in use come first.
  const ordered = [...merchants.filter(isInUse), ...merchants.filter((each) => !isInUse(each))];
  const more = ordered.length - MAX_WORLDS;
  const openTab = (merchant: LoadedMerchant, tab: Tab) => {
    choose(merchant.id);
    go({ tab }, 'replace');
  };
  const resetAll = () => {
    setAsks(false);
    void attempt(async () => {
      await answerOf(admin.reset_all.$post({ query: {} }));
      notify('ok', 'Reset every World.');
      await readMerchants();
    });
  };
  const titles = [
    'Merchant',
    'Clock (UTC)',
    ...contract.families.map(({ tag }) => tag),
    ...['Pending', 'Faults', 'Calls'],
  ];
  return (
    <section class="sheet" aria-label="Worlds">
      <div class="section-head">
        <p class="muted">Each merchant has a World of its own. Choose one to save or restore it.</p>
        <ActButton class="danger" onClick={() => setAsks(true)}>
          Reset every World…
        </ActButton>
      </div>
      <Table class="worlds" head={<Titles titles={titles} />}>
        <tbody>
          {ordered.slice(0, MAX_WORLDS).map((merchant) => (
            <tr key={merchant.id}>
              <td>
                <MerchantLink merchant={merchant} onOpen={() => openTab(merchant, 'world')} />
              </td>
              <td>
                <span class="mono">{momentText(shownNow(merchant)).replace(' UTC', '')}</span>{' '}
                <span class={`pill ${merchant.clock.mode}`}>{merchant.clock.mode}</span>
              </td>
              {contract.families.map(({ key, tag }) => (
                <td key={key} data-title={tag}>
                  {policiesOf(merchant, key)}
                </td>
              ))}
              <td data-title="Pending">{merchant.counts?.pending}</td>
              <td data-title="Faults">{merchant.counts?.faults}</td>
              <td data-title="Calls">{merchant.counts?.exchanges}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {more > 0 ? <p class="none muted">{more} more merchants in the menu above.</p> : null}
      {asks ? (
        <Dialog
          title="Reset every World?"
          action="Reset"
          danger
          onSubmit={resetAll}
          onClose={() => setAsks(false)}
        >
          <p>
            The Worlds of all {merchants.length} merchants become as they were when the merchants
            were new. Merchants and keys stay. This cannot be undone.
          </p>
        </Dialog>
      ) : null}
    </section>
  );
}
