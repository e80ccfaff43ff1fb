/* Merchants: the one that the page shows, the table that chooses another, and the dialog that creates one. */

/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import type { MerchantState } from '../../../types/public.ts';
import { adminHeaders, control } from './api.ts';
import { contract } from './contract.ts';
import { attempt, enter, policiesOf, readNextPage, takeMerchant } from './merchants.ts';
import {
  ActButton,
  Button,
  CopyButton,
  Dialog,
  Field,
  inputOf,
  Link,
  sentence,
  Table,
  UserText,
} from './parts.tsx';
import { callsOf, chosenMerchant, go, isOneWorld, notify, showsAll, useStore } from './store.ts';
import { momentText } from './times.ts';

/** What the page shows: all merchants, or one with its key. It leads to the table, or asks for another key. */
export function ShownMerchant() {
  const merchant = useStore(chosenMerchant);
  const isAll = useStore(showsAll);
  const hasOnlyKey = useStore(isOneWorld);
  const name = isAll ? 'All merchants' : (merchant?.name ?? 'No merchant');
  const shown = (
    <>
      <b>
        <UserText text={name} />
      </b>
      <span class="chevron" aria-hidden="true" />
    </>
  );
  return (
    <div class="merchant">
      {hasOnlyKey ? (
        <Button
          class="quiet name"
          aria-label={`Merchant: ${name}. Enter another key`}
          onClick={enterAnother}
        >
          {shown}
        </Button>
      ) : (
        <Link
          class="button quiet name"
          aria-label={`Merchant: ${name}. Change merchant`}
          to={{ ...callsOf(contract.isSpread ? merchant?.id : undefined), tab: 'merchants' }}
        >
          {shown}
        </Link>
      )}
      {merchant ? (
        <CopyButton text={merchant.api_key} label={`Copy key ${merchant.api_key}`}>
          Copy key
        </CopyButton>
      ) : null}
    </div>
  );
}

/** Asks for another key, and closes what was open of this merchant. */
function enterAnother(): void {
  go(callsOf(undefined), 'replace', { gate: { kind: 'loading' } });
  void enter(undefined);
}

/** How many merchants are shown. The search finds the others. */
const MAX_SHOWN = 100;

/** The counts that the table shows, by title. */
const COUNTS = { Calls: 'exchanges', Pending: 'pending', Faults: 'faults' } as const;

/** Every merchant with its key, clock and counts. */
export function MerchantsView() {
  const merchants = useStore((state) => state.merchants);
  const pages = useStore((state) => state.pages);
  const [search, setSearch] = useState('');
  const [isCreating, setCreating] = useState(false);
  const wanted = search.trim().toLowerCase();
  const found = merchants.filter(
    ({ name, api_key }) => name.toLowerCase().includes(wanted) || api_key.includes(wanted),
  );
  const hasMore = contract.isSpread && merchants.length >= pages * contract.merchantsPerPage;
  return (
    <section class="sheet" aria-label="Merchants">
      <div class="filter">
        <input
          type="search"
          placeholder="Name or key"
          aria-label="Search by name or key"
          onInput={(event: Event) => setSearch(inputOf(event))}
        />
        <ActButton class="primary" onClick={() => setCreating(true)}>
          New merchant…
        </ActButton>
      </div>
      <Table
        class="worlds"
        titles={['Merchant', 'Key', ...Object.keys(COUNTS), 'Policies', 'Clock']}
      >
        {found.slice(0, MAX_SHOWN).map((merchant) => (
          <tr key={merchant.id}>
            <th scope="row">
              <Link to={callsOf(merchant.id)}>
                <UserText text={merchant.name} />
              </Link>
            </th>
            <td>
              <CopyButton text={merchant.api_key} label={`Copy ${merchant.api_key}`}>
                <span class="mono">{merchant.api_key}</span>
              </CopyButton>
            </td>
            {Object.entries(COUNTS).map(([title, name]) => (
              <td key={name} class="number" data-title={title}>
                {merchant.counts[name].toLocaleString('en')}
              </td>
            ))}
            <td class="number" data-title="Policies">
              {policiesOf(merchant).toLocaleString('en')}
            </td>
            <td class="mono muted">{momentText(Date.parse(merchant.clock.now))}</td>
          </tr>
        ))}
      </Table>
      {found.length > MAX_SHOWN ? (
        <p class="muted">
          {MAX_SHOWN} of {found.length.toLocaleString('en')}. Search for the others.
        </p>
      ) : null}
      {found.length === 0 ? <p class="muted">No merchant has this name or key.</p> : null}
      {hasMore ? (
        <ActButton onClick={() => attempt(readNextPage)}>Load more merchants</ActButton>
      ) : null}
      {isCreating ? <NewDialog onClose={() => setCreating(false)} /> : null}
    </section>
  );
}

function NewDialog({ onClose }: { onClose: () => void }) {
  const submit = async ({ name = '', records = 'none' }: Record<string, string>) => {
    const body = { records, ...(name.trim() !== '' && { name: name.trim() }) };
    const created = await control<MerchantState>('merchants', { body, headers: adminHeaders() });
    takeMerchant(created);
    notify('ok', sentence`Created ${created.name}.`);
    go(callsOf(created.id));
  };
  return (
    <Dialog title="New merchant" action="Create" onSubmit={submit} onClose={onClose}>
      <Field label="Name" name="name" placeholder="Merchant 7" maxlength={100} />
      <Field
        label="Records"
        name="records"
        options={{ none: 'None', demo: 'Those of the demo merchant' }}
        value="none"
      />
    </Dialog>
  );
}
