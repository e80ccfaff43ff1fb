/* The tab of policies of all merchants with calls: the newest of each, with a search. */

/** @jsxImportSource hono/jsx/dom */
import {
  type MerchantPart,
  NothingHere,
  policiesOf,
  shownNow,
  Unasked,
  usePartsOf,
} from './all-merchants.tsx';
import { answerOf, control } from './api.ts';
import { isInUse } from './merchants.ts';
import { Button, inputOf, Problems, Table, Titles, UserText } from './parts.tsx';
import { type PolicyRecord, policyNumberOf } from './policy.ts';
import { columnsOf, PolicyCells, PolicyHead } from './policy-table.tsx';
import { contract, go, type LoadedMerchant, useStore } from './store.ts';
import { choose } from './world.ts';

/** How many policies of each merchant are shown. */
const MAX_RECORDS = 10;

export function AllRecords() {
  const { family: wanted, policy } = useStore((state) => state.address);
  const merchants = useStore((state) => state.merchants);
  const counts = contract.families.map(({ key, tag }) => {
    const used = merchants.filter(isInUse).map((merchant) => policiesOf(merchant, key));
    return { key, tag, count: used.reduce((sum, each) => sum + each, 0) };
  });
  const filled = counts.find(({ count }) => count > 0);
  const named = contract.families.find(({ key }) => key === wanted)?.key;
  const family = named ?? filled?.key ?? counts[0]?.key ?? '';
  const { parts, problem, unasked } = usePartsOf(
    (merchant) => policiesOf(merchant, family) > 0,
    (headers) => {
      const query = { family, per_page: MAX_RECORDS, ...(policy && { search: policy }) } as never;
      return answerOf(control.records.$get({ query }, { headers }));
    },
    `${family} ${policy}`,
  );
  if (filled === undefined) {
    return (
      <NothingHere title="No policies yet">
        No merchant with calls has a policy. Choose a merchant to buy one.
      </NothingHere>
    );
  }
  return (
    <section class="list whole-list" aria-label="Records">
      <div class="filter">
        <input
          type="search"
          placeholder="Policy number or name"
          aria-label="Search by policy number or name"
          value={policy}
          onInput={(event: Event) => go({ policy: inputOf(event).trimStart() }, 'replace')}
        />
        <fieldset class="chips" aria-label="Family">
          {counts.map(({ key, tag, count }) => (
            <Button
              key={key}
              aria-pressed={String(key === family)}
              onClick={() => go({ family: key, policy: '' })}
            >
              {tag} <span class="n">{count}</span>
            </Button>
          ))}
        </fieldset>
      </div>
      <Problems problems={problem === '' ? [] : [problem]} />
      {parts ? <RecordsTable parts={parts} family={family} search={policy} /> : null}
      <Unasked count={unasked} />
    </section>
  );
}

interface RecordsTableProps {
  parts: readonly MerchantPart<{ readonly data: readonly unknown[]; readonly total: number }>[];
  family: string;
  search: string;
}

function RecordsTable({ parts, family, search }: RecordsTableProps) {
  const rows = parts.flatMap(({ merchant, answer }) =>
    answer.data.map((each) => ({ merchant, record: each as PolicyRecord })),
  );
  if (rows.length === 0) {
    return <p class="none muted">{search === '' ? 'No policies yet.' : 'No policy matches.'}</p>;
  }
  const columns = columnsOf(rows.map(({ record }) => record));
  const open = (merchant: LoadedMerchant, record?: string) => {
    choose(merchant.id);
    go({ family, record }, 'replace');
  };
  return (
    <div class="records">
      <Table
        class="of-all"
        head={
          <>
            <Titles titles={['Merchant']} />
            <PolicyHead columns={columns} />
          </>
        }
      >
        {parts.map(({ merchant, answer: { data, total } }) => (
          <tbody key={merchant.id}>
            {(data as PolicyRecord[]).map((record) => {
              const number = policyNumberOf(record);
              return (
                <tr key={number} onClick={() => open(merchant, number)}>
                  <td class="owner">
                    <UserText text={merchant.name} />
                  </td>
                  <PolicyCells columns={columns} record={record} now={shownNow(merchant)} />
                </tr>
              );
            })}
            {total > data.length ? (
              <tr>
                <td colspan={columns.length + 2}>
                  <Button class="link" onClick={() => open(merchant)}>
                    All {total} of <UserText text={merchant.name} />
                  </Button>
                </td>
              </tr>
            ) : null}
          </tbody>
        ))}
      </Table>
    </div>
  );
}
