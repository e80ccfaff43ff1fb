/* The tab of policies: those of a family, newest first, next to the open one. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useState } from 'hono/jsx/dom';
import type { RecordPage } from '../../../public.ts';
import { answerOf, type CallError, control } from './api.ts';
import { BuyDialog } from './buy-dialog.tsx';
import { useShownTime } from './clock.tsx';
import { ActButton, Button, inputOf, sentence, UserText } from './parts.tsx';
import { OpenRecord, type PolicyRecord, policyNumberOf, StatusPill, statusOf } from './record.tsx';
import { chosenMerchant, contract, go, useStore } from './store.ts';

export function RecordsView() {
  const address = useStore((state) => state.address);
  const { family = contract.families[0]?.key ?? '', policy, page, record } = address;
  const key = useStore((state) => chosenMerchant(state)?.api_key);
  const revision = useStore((state) => state.revision);
  const policies = useStore((state) => state.policies);
  const [read, setRead] = useState<Page | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const [isBuying, setBuying] = useState(false);
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
  const opened = useOpened(read, record, family);
  return (
    <div class={opened ? 'panes opened' : 'panes'}>
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
          <ActButton class="primary buy" onClick={() => setBuying(true)}>
            Buy a policy…
          </ActButton>
          <fieldset class="chips" aria-label="Family">
            {contract.families.map(({ key, tag }) => (
              <Button
                key={key}
                aria-pressed={String(key === family)}
                onClick={() => go({ family: key, page: 1, policy: '', record: undefined })}
              >
                {tag} <span class="n">{policies[key] ?? ''}</span>
              </Button>
            ))}
          </fieldset>
        </div>
        <p class="bad none" role="alert">
          <UserText whole text={problem} />
        </p>
        {read ? <RecordTable read={read} record={record} search={policy} /> : null}
      </section>
      <section class="detail" aria-label="Selected record">
        {opened ? (
          <OpenRecord record={opened} />
        ) : (
          <p class="hint muted">Select a policy to see its fields and its calls.</p>
        )}
      </section>
      {isBuying ? <BuyDialog family={family} onClose={() => setBuying(false)} /> : null}
    </div>
  );
}

/** The record in the address. It is loaded if it is not on this page, because new policies move it to later pages. */
function useOpened(read: Page | undefined, record: string | undefined, family: string) {
  const [elsewhere, setElsewhere] = useState<PolicyRecord | undefined>(undefined);
  const isIt = (each: PolicyRecord) => policyNumberOf(each) === record;
  const onPage = record === undefined ? undefined : read?.data.find(isIt);
  const isSought = record !== undefined && read !== undefined && onPage === undefined;
  useLayoutEffect(() => {
    if (!isSought) return;
    const query = { family, policy_number: record, per_page: 100 };
    answerOf(control.records.$get({ query }))
      .then(({ data }) => setElsewhere(data.find(isIt)))
      // Then no record is opened.
      .catch(() => {});
  }, [isSought, record]);
  return onPage ?? (isSought && elsewhere && isIt(elsewhere) ? elsewhere : undefined);
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
      <div class="table-frame">
        <table>
          <thead>
            <tr>
              {columns.map(({ name, title }, place) => (
                <>
                  <th key={name} scope="col">
                    {title}
                  </th>
                  {place === STATUS_AFTER ? <th scope="col">Status</th> : null}
                </>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.map((each) => {
              const number = policyNumberOf(each);
              const [first, ...rest] = columns.map((column) => (
                <UserText text={cellText(column.read(each))} />
              ));
              return (
                <tr
                  key={number}
                  class={record === number ? 'chosen' : ''}
                  onClick={() => go({ record: number })}
                >
                  <td>
                    <Button
                      class="quiet mono"
                      aria-current={record === number ? 'true' : undefined}
                    >
                      {first}
                    </Button>
                  </td>
                  {rest.map((cell, place) => (
                    <>
                      <td>{cell}</td>
                      {place + 1 === STATUS_AFTER ? (
                        <td>
                          <StatusPill status={statusOf(each, shown)} />
                        </td>
                      ) : null}
                    </>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
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

/** The status is the third column, so that phones show it too. */
const STATUS_AFTER = 1;

/** The columns of the table, with the path of their value in each family. */
const COLUMNS = {
  'Policy number': ['policy_number', 'policy_no'],
  Holder: ['first_name+surname', 'group_name', 'contact_person_name'],
  Type: ['insurance_cover', 'subscriptions.subscriptions_type', 'group_type'],
  Starts: ['start_date', 'subscriptions.start_date'],
  Ends: ['end_date', 'subscriptions.end_date'],
};

/** The columns that these records have values for. */
export function columnsOf(records: readonly PolicyRecord[]) {
  return Object.entries(COLUMNS).flatMap(([title, paths]) => {
    const name = paths.find((path) => records.some((each) => readPath(each, path) !== undefined));
    return name === undefined
      ? []
      : [{ name, title, read: (record: PolicyRecord) => readPath(record, name) }];
  });
}

/** Reads `subscriptions.end_date`, or several fields with `first_name+surname`. */
function readPath(record: PolicyRecord, path: string): unknown {
  const parts = path
    .split('+')
    .map((part) =>
      part
        .split('.')
        .reduce<unknown>(
          (value, key) =>
            typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined,
          record,
        ),
    );
  if (parts.includes(undefined)) return undefined;
  return parts.length === 1 ? parts[0] : parts.filter((part) => part !== null).join(' ');
}

/** The table shows only the day of a timestamp. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  const text = String(value);
  return /^\d{4}-\d\d-\d\d[T ]/.test(text) ? text.slice(0, 10) : text;
}
