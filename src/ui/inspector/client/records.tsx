/* The tab of policies: those of a family, newest first, next to the open one; and the products. */

/** @jsxImportSource hono/jsx/dom */
import { type Child, useLayoutEffect, useState } from 'hono/jsx/dom';
import type { RecordPage } from '../../../public.ts';
import { answerOf, type CallError, control } from './api.ts';
import { BuyDialog } from './buy-dialog.tsx';
import { useShownTime } from './clock.tsx';
import { ActButton, Button, inputOf, sentence, Table, UserText } from './parts.tsx';
import { type PolicyRecord, policyNumberOf } from './policy.ts';
import { columnsOf, PolicyCells, PolicyHead } from './policy-table.tsx';
import { Catalogue } from './products.tsx';
import { OpenRecord } from './record.tsx';
import { chosenMerchant, contract, go, useStore } from './store.ts';

/** What the address has in place of a family to show the products. */
const PRODUCTS = 'products';

/** What the form to buy a policy begins with. */
interface Purchase {
  readonly family: string;
  readonly product?: number;
}

export function RecordsView() {
  const { family: wanted, policy } = useStore((state) => state.address);
  const policies = useStore((state) => state.policies);
  const [buying, setBuying] = useState<Purchase | undefined>(undefined);
  const isCatalogue = wanted === PRODUCTS;
  const first = contract.families[0]?.key ?? '';
  const family = isCatalogue ? first : (wanted ?? first);
  const show = (chosen: string) => () =>
    go({ family: chosen, page: 1, policy: '', record: undefined });
  const filter = (
    <div class="filter">
      {isCatalogue ? null : (
        <input
          type="search"
          placeholder="Policy number or name"
          aria-label="Search by policy number or name"
          value={policy}
          onInput={(event: Event) =>
            go({ policy: inputOf(event).trimStart(), page: 1, record: undefined }, 'replace')
          }
        />
      )}
      {isCatalogue ? null : (
        <ActButton class="primary buy" onClick={() => setBuying({ family })}>
          Buy a policy…
        </ActButton>
      )}
      <fieldset class="chips" aria-label="Family">
        {contract.families.map(({ key, tag }) => (
          <Button
            key={key}
            aria-pressed={String(!isCatalogue && key === family)}
            onClick={show(key)}
          >
            {tag} <span class="n">{policies[key] ?? ''}</span>
          </Button>
        ))}
        <Button class="apart" aria-pressed={String(isCatalogue)} onClick={show(PRODUCTS)}>
          Products
        </Button>
      </fieldset>
    </div>
  );
  return (
    <>
      {isCatalogue ? (
        <section class="list whole-list" aria-label="Products">
          {filter}
          <Catalogue onBuy={({ family, id }) => setBuying({ family, product: Number(id) })} />
        </section>
      ) : (
        <Policies family={family} filter={filter} />
      )}
      {buying ? <BuyDialog {...buying} onClose={() => setBuying(undefined)} /> : null}
    </>
  );
}

interface PoliciesProps {
  family: string;
  /** The search and the choice of a family. */
  filter: Child;
}

/** The policies of a family, page by page, next to the open one. */
function Policies({ family, filter }: PoliciesProps) {
  const { policy, page, record } = useStore((state) => state.address);
  const key = useStore((state) => chosenMerchant(state)?.api_key);
  const revision = useStore((state) => state.revision);
  const [read, setRead] = useState<Page | undefined>(undefined);
  const [problem, setProblem] = useState('');
  useLayoutEffect(() => {
    let isWanted = true;
    const query = { family, page, ...(policy && { search: policy }) };
    answerOf(control.records.$get({ query }))
      .then((answer) => {
        if (!isWanted) return;
        setProblem('');
        setRead(answer);
      })
      .catch(({ status, message }: CallError) => isWanted && status !== 0 && setProblem(message));
    return () => {
      isWanted = false;
    };
  }, [family, policy, page, revision, key]);
  const { opened, isMissing } = useOpened(read, record, family);
  const named = contract.families.find((each) => each.key === family);
  return (
    <div class={opened || isMissing ? 'panes opened' : 'panes'}>
      <section class="list" aria-label="Records">
        {filter}
        <p class="bad none" role="alert">
          <UserText whole text={problem} />
        </p>
        {read ? <RecordTable read={read} record={record} search={policy} /> : null}
      </section>
      <section class="detail" aria-label="Selected record">
        {opened ? (
          <OpenRecord key={policyNumberOf(opened)} record={opened} family={named} />
        ) : isMissing ? (
          <MissingRecord number={record ?? ''} tag={named?.tag ?? ''} />
        ) : (
          <p class="hint muted">Select a policy to see what it covers, its calls and its fields.</p>
        )}
      </section>
    </div>
  );
}

/** Shown if the World has no such policy. */
const MissingRecord = ({ number, tag }: { number: string; tag: string }) => (
  <article>
    <h2 class="title">{sentence`Policy ${number} does not exist`}</h2>
    <p class="sub">This World has no such policy of {tag}. It may have been reset.</p>
    <Button class="primary" onClick={() => go({ record: undefined })}>
      Show all records
    </Button>
  </article>
);

/** The record in the address. It is loaded if it is not on this page, because new policies move it to later pages. */
function useOpened(read: Page | undefined, record: string | undefined, family: string) {
  const [elsewhere, setElsewhere] = useState<
    { readonly of: Page; readonly number: string; readonly found?: PolicyRecord } | undefined
  >(undefined);
  const isIt = (each: PolicyRecord) => policyNumberOf(each) === record;
  const onPage = record === undefined ? undefined : read?.data.find(isIt);
  const isSought = record !== undefined && read !== undefined && onPage === undefined;
  useLayoutEffect(() => {
    if (!isSought) return;
    const query = { family, policy_number: record, per_page: 100 };
    answerOf(control.records.$get({ query }))
      .then(({ data }) => {
        const found = data.find(isIt);
        setElsewhere({ of: read, number: record, ...(found && { found }) });
      })
      // Then no record is opened.
      .catch(() => {});
    // Another page may come from another World.
  }, [isSought, record, read]);
  const known = isSought && elsewhere?.number === record ? elsewhere : undefined;
  return {
    opened: onPage ?? known?.found,
    isMissing: known !== undefined && known.of === read && known.found === undefined,
  };
}

interface RecordTableProps {
  read: Page;
  record: string | undefined;
  search: string;
}

function RecordTable({ read, record, search }: RecordTableProps) {
  const { data, page, last_page, total } = read;
  const { shown } = useShownTime();
  if (total === 0) {
    return (
      <p class="none muted">
        {search === ''
          ? 'No policies yet.'
          : sentence`No policy number and no name contains ${search}.`}
      </p>
    );
  }
  const columns = columnsOf(data);
  const turn = (to: number) => go({ page: to, record: undefined });
  return (
    <div class="records">
      <Table head={<PolicyHead columns={columns} />}>
        <tbody>
          {data.map((each) => {
            const number = policyNumberOf(each);
            return (
              <tr
                key={number}
                class={record === number ? 'chosen' : ''}
                onClick={() => go({ record: number })}
              >
                <PolicyCells
                  columns={columns}
                  record={each}
                  isChosen={record === number}
                  now={shown}
                />
              </tr>
            );
          })}
        </tbody>
      </Table>
      <div class="pager">
        <span class="muted">
          {total === 1 ? '1 policy' : `${total} policies`}
          {last_page > 1 ? ` · page ${page} of ${last_page}` : ''}
        </span>
        <Button disabled={page <= 1} onClick={() => turn(page - 1)}>
          Newer
        </Button>
        <Button disabled={page >= last_page} onClick={() => turn(page + 1)}>
          Older
        </Button>
      </div>
    </div>
  );
}

/** A page of policies of any family. */
type Page = Omit<RecordPage, 'data'> & { readonly data: readonly PolicyRecord[] };
