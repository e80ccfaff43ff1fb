/* The tab of policies: those of a family, newest first, next to the open one. */

/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import { sendCall } from '../../layout/client/purchase.ts';
import { useAnswer } from './answers.ts';
import { BuyDialog } from './buy-dialog.tsx';
import { useShownTime } from './clock.tsx';
import { contract, operationOf } from './contract.ts';
import { isCall, storyOf, whole } from './items.ts';
import { JsonView } from './json-view.tsx';
import { ActButton, Button, CopyButton, inputOf, sentence, Table, UserText } from './parts.tsx';
import {
  endText,
  holderOf,
  numberOf,
  type PolicyRecord,
  periodText,
  renewalOf,
  statusOf,
} from './policy.ts';
import { chosenMerchant, go, keyFor, openSent, useStore } from './store.ts';
import { StoryStrip } from './story.tsx';
import { nairaText } from './times.ts';

interface Page {
  readonly data: readonly PolicyRecord[];
  readonly page: number;
  readonly last_page: number;
  readonly total: number;
}

export function RecordsView() {
  const { family: wanted, policy, page, record } = useStore((state) => state.address);
  const counts = useStore((state) => chosenMerchant(state)?.counts);
  const family = wanted ?? contract.families[0]?.key ?? '';
  const read = useAnswer<Page>('records', { family, page, search: policy });
  const [isBuying, setBuying] = useState(false);
  return (
    <div class={record === undefined ? 'panes' : 'panes opened'}>
      <section class="list" aria-label="Records">
        <div class="filter">
          <input
            type="search"
            placeholder="Policy number or name"
            aria-label="Search by policy number or name"
            value={policy}
            onInput={(event: Event) =>
              go({ policy: inputOf(event).trimStart(), page: 1, record: undefined }, 'replace')
            }
          />
          <ActButton class="primary" onClick={() => setBuying(true)}>
            Buy a policy…
          </ActButton>
          <fieldset class="chips" aria-label="Family">
            {contract.families.map(({ key, tag }) => (
              <Button
                key={key}
                aria-pressed={String(key === family)}
                onClick={() => go({ family: key, page: 1, policy: '', record: undefined })}
              >
                {tag}{' '}
                <span class="n">
                  {Number(Reflect.get(counts ?? {}, key) ?? 0).toLocaleString('en')}
                </span>
              </Button>
            ))}
          </fieldset>
        </div>
        {read ? <RecordTable read={read} record={record} search={policy} /> : null}
      </section>
      <section class="detail" aria-label="Selected record">
        {record === undefined ? (
          <p class="hint muted">Select a policy to see its fields and its calls.</p>
        ) : (
          <OpenRecord key={record} number={record} family={family} />
        )}
      </section>
      {isBuying ? <BuyDialog family={family} onClose={() => setBuying(false)} /> : null}
    </div>
  );
}

interface RecordTableProps {
  read: Page;
  record: string | undefined;
  search: string;
}

function RecordTable({ read, record, search }: RecordTableProps) {
  const { data, page, last_page, total } = read;
  const now = useShownTime();
  if (total === 0) {
    return (
      <p class="none muted">
        {search === '' ? 'No policies yet.' : sentence`No number and no name contains ${search}.`}
      </p>
    );
  }
  return (
    <div class="records">
      <Table titles={['Policy number', 'Holder', 'Status', 'Ends']}>
        {data.map((each) => {
          const number = numberOf(each);
          return (
            <tr
              key={number}
              class={record === number ? 'chosen' : ''}
              onClick={() => go({ record: number })}
            >
              <td>
                <Button class="link mono" aria-current={record === number ? 'true' : undefined}>
                  <UserText text={number} />
                </Button>
              </td>
              <td class="holder">
                <UserText text={holderOf(each)} />
              </td>
              <td>
                <Status record={each} now={now} />
              </td>
              <td class="end">{endText(each)}</td>
            </tr>
          );
        })}
      </Table>
      <Pager page={page} last={last_page} total={total} />
    </div>
  );
}

const Status = ({ record, now }: { record: PolicyRecord; now: number }) => {
  const status = statusOf(record, now);
  return <span class={`pill ${status}`}>{status}</span>;
};

/** The pages by number. */
function Pager({ page, last, total }: { page: number; last: number; total: number }) {
  const turn = (event: Event) => {
    const chosen = whole(inputOf(event)) ?? 1;
    go({ page: Math.min(chosen, last), record: undefined });
  };
  return (
    <nav class="pager" aria-label="Pages of records">
      <span class="muted">
        {total === 1 ? '1 policy' : `${total.toLocaleString('en')} policies`}
      </span>
      <label>
        Page <input type="number" min="1" max={last} value={page} onChange={turn} />
      </label>
      of {last.toLocaleString('en')}
    </nav>
  );
}

function OpenRecord({ number, family }: { number: string; family: string }) {
  const now = useShownTime();
  // New policies move it to later pages of the list.
  const found = useAnswer<Page>('records', { family, policy_number: number, per_page: 100 });
  if (!found) return null;
  const record = found.data.find((each) => numberOf(each) === number);
  const named = contract.families.find(({ key }) => key === family);
  if (!record) {
    return (
      <article>
        <h2 class="title">{sentence`Policy ${number} does not exist`}</h2>
        <p class="sub">This World has no such policy of {named?.tag}. It may have been reset.</p>
      </article>
    );
  }
  const renewPath = operationOf(named?.tag, 'renew')?.path;
  const renewal = renewPath ? renewalOf(record) : undefined;
  const renew = async () =>
    openSent((await sendCall(keyFor(), renewPath ?? '', { ...renewal })).id);
  return (
    <article>
      <Button class="back quiet" onClick={() => go({ record: undefined })}>
        ‹ Records
      </Button>
      <h2 class="title mono" tabindex={-1}>
        <UserText text={number} />
        <Status record={record} now={now} />
      </h2>
      <p class="sub">
        <b>
          <UserText text={holderOf(record)} />
        </b>{' '}
        · {periodText(record)}
      </p>
      {renewal ? (
        <div class="actions">
          <ActButton class="primary" onClick={renew}>
            Renew for {nairaText(Number(renewal.amount))}
          </ActButton>
        </div>
      ) : null}
      <Calls number={number} />
      <section aria-label="Fields">
        <div class="section-head">
          <h3>Fields</h3>
          <CopyButton text={() => JSON.stringify(record, null, 2)} label="Copy the record" />
        </div>
        <JsonView value={record} />
      </section>
    </article>
  );
}

/** The story of the calls that changed the policy. */
function Calls({ number }: { number: string }) {
  const items = useStore((state) => state.items) ?? [];
  const newest = items
    .filter(isCall)
    .find(({ changes }) => changes.some(({ key }) => key === number));
  return newest ? <StoryStrip story={storyOf(newest, items)} /> : null;
}
