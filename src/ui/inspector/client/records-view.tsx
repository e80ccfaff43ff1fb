/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useState } from 'hono/jsx/dom';
import { answerOf, asMerchant, type CallError, control } from './api.ts';
import { JsonView } from './json-view.tsx';
import { go } from './navigation.ts';
import { CopyButton, inputOf } from './parts.tsx';
import { cellText, columnsOf, type PolicyRecord, policyNumberOf } from './record-columns.ts';
import { chosenMerchant, contract, type Merchant, useStore } from './store.ts';
import { UserText } from './user-text.tsx';

const PER_PAGE = 15;

interface Page {
  readonly data: readonly PolicyRecord[];
  readonly page: number;
  readonly last_page: number;
  readonly total: number;
}

/** The policies of a family, newest first, beside the one that is open. */
export function RecordsView() {
  const {
    family = contract.families[0]?.key ?? '',
    policy,
    page,
    record,
  } = useStore((state) => state.address);
  const merchant = useStore(chosenMerchant);
  const revision = useStore((state) => state.revision);
  const policies = useStore((state) => state.policies);
  const [read, setRead] = useState<Page | undefined>(undefined);
  const [problem, setProblem] = useState('');
  useLayoutEffect(() => {
    let isWanted = true;
    if (!merchant) return undefined;
    const query = {
      family,
      page,
      per_page: PER_PAGE,
      ...(policy !== '' && { policy_number: policy }),
    };
    answerOf(control.records.$get({ query }, asMerchant(merchant)))
      .then((answer) => {
        if (!isWanted) return;
        setProblem('');
        setRead(answer);
      })
      .catch((error: CallError) => isWanted && setProblem(error.message));
    return () => {
      isWanted = false;
    };
  }, [family, policy, page, revision, merchant?.api_key]);
  const opened = useOpened(read, record, family, merchant);
  return (
    <div class={opened ? 'panes opened' : 'panes'}>
      <section class="list" aria-label="Records">
        <div class="filter">
          <input
            type="search"
            placeholder="Policy number"
            aria-label="Search by policy number"
            value={policy}
            onInput={(event: Event) =>
              go({ policy: inputOf(event).trim(), page: 1, record: undefined }, 'replace')
            }
          />
          <fieldset class="chips" aria-label="Family">
            {contract.families.map(({ key, tag }) => (
              <button
                key={key}
                type="button"
                aria-pressed={String(key === family)}
                onClick={() => go({ family: key, page: 1, policy: '', record: undefined })}
              >
                {tag} <span class="n">{policies[key] ?? ''}</span>
              </button>
            ))}
          </fieldset>
        </div>
        <p class="bad none" role="alert">
          <UserText whole text={problem} />
        </p>
        {read ? <RecordTable read={read} record={record} search={policy} /> : null}
      </section>
      <section class="detail" aria-label="The chosen record">
        {opened ? (
          <OpenRecord record={opened} />
        ) : (
          <p class="hint muted">Choose a policy to see it as the API would answer it.</p>
        )}
      </section>
    </div>
  );
}

/** The record of the address: one of the page, or asked for, as others come and move it to another page. */
function useOpened(
  read: Page | undefined,
  record: string | undefined,
  family: string,
  merchant: Merchant | undefined,
): PolicyRecord | undefined {
  const [elsewhere, setElsewhere] = useState<PolicyRecord | undefined>(undefined);
  const isIt = (each: PolicyRecord) => policyNumberOf(each) === record;
  const onPage = record === undefined ? undefined : read?.data.find(isIt);
  const isSought = record !== undefined && read !== undefined && onPage === undefined;
  useLayoutEffect(() => {
    if (!isSought || !merchant) return;
    const query = { family, policy_number: record, per_page: 100 };
    answerOf(control.records.$get({ query }, asMerchant(merchant)))
      .then(({ data }) => setElsewhere(data.find(isIt)))
      // What can't be read is not opened.
      .catch(() => {});
  }, [isSought, record]);
  return onPage ?? (isSought && elsewhere && isIt(elsewhere) ? elsewhere : undefined);
}

function RecordTable({
  read,
  record,
  search,
}: {
  readonly read: Page;
  readonly record: string | undefined;
  readonly search: string;
}) {
  const { data, page, last_page, total } = read;
  if (total === 0) {
    return (
      <p class="none muted">
        {search === '' ? (
          'No policies yet: a purchase that is verified makes one.'
        ) : (
          <>
            No policy number contains <UserText text={search} />.
          </>
        )}
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
              {columns.map(({ name, title }) => (
                <th key={name} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.map((each) => (
              <tr
                key={policyNumberOf(each)}
                class={record === policyNumberOf(each) ? 'chosen' : ''}
                onClick={() => go({ record: policyNumberOf(each) })}
              >
                {columns.map(({ name, read: cell }, column) => (
                  <td key={name}>
                    {column === 0 ? (
                      <button
                        type="button"
                        class="quiet mono"
                        aria-current={record === policyNumberOf(each) ? 'true' : undefined}
                      >
                        <UserText text={cellText(cell(each))} />
                      </button>
                    ) : (
                      <UserText text={cellText(cell(each))} />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="pager">
        <span class="muted">
          {total === 1 ? '1 policy' : `${total} policies`}
          {last_page > 1 ? ` · page ${page} of ${last_page}` : ''}
        </span>
        <button type="button" disabled={page <= 1} onClick={() => turn(page - 1)}>
          Newer
        </button>
        <button type="button" disabled={page >= last_page} onClick={() => turn(page + 1)}>
          Older
        </button>
      </div>
    </div>
  );
}

function OpenRecord({ record }: { readonly record: PolicyRecord }) {
  return (
    <article>
      <button type="button" class="back quiet" onClick={() => go({ record: undefined })}>
        ‹ Records
      </button>
      <div class="section-head">
        <h2 class="title mono">
          <UserText text={policyNumberOf(record) ?? 'Policy'} />
        </h2>
        <CopyButton quiet text={() => JSON.stringify(record, null, 2)} label="Copy the record" />
      </div>
      <p class="sub">As the merchant API would answer it.</p>
      <JsonView value={record} />
    </article>
  );
}
