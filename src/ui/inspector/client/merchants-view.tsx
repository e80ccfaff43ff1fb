/* Merchants: the menu that chooses one, their table, and the dialogs that create, rotate and remove. */

/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import type { MerchantState } from '../../../types/public.ts';
import { adminHeaders, control } from './api.ts';
import { contract } from './contract.ts';
import { usePopover } from './menu.tsx';
import {
  askAgain,
  attempt,
  dropMerchant,
  readNextPage,
  refreshMerchants,
  takeMerchant,
} from './merchants.ts';
import {
  ActButton,
  Button,
  CopyButton,
  Dialog,
  Field,
  inputOf,
  sentence,
  Table,
  UserText,
} from './parts.tsx';
import { choose } from './session.ts';
import {
  chosenMerchant,
  getState,
  go,
  isOneWorld,
  type LoadedMerchant,
  notify,
  showsAll,
  useStore,
} from './store.ts';
import { momentText } from './times.ts';

/** How many merchants are shown. The search finds the others. */
const MAX_SHOWN = 100;

/** What the page shows: all merchants, or one with its key. A menu chooses another. */
export function MerchantMenu() {
  const merchant = useStore(chosenMerchant);
  const isAll = useStore(showsAll);
  const hasOnlyKey = useStore(isOneWorld);
  const { isOpen, setOpen, place } = usePopover();
  const [isCreating, setCreating] = useState(false);
  const name = isAll ? 'All merchants' : (merchant?.name ?? 'No merchant');
  const close = (then: () => void) => () => {
    setOpen(false);
    then();
  };
  return (
    <div class="merchant" ref={place}>
      <Button
        class="quiet name"
        aria-haspopup="dialog"
        aria-expanded={String(isOpen)}
        aria-label={`Merchant: ${name}. Change merchant`}
        onClick={() => setOpen(!isOpen)}
      >
        <b>
          <UserText text={name} />
        </b>
        <span class="chevron" aria-hidden="true" />
      </Button>
      {merchant ? (
        <CopyButton quiet text={merchant.api_key} label={`Copy key ${merchant.api_key}`}>
          <span class="mono key">{merchant.api_key}</span>
        </CopyButton>
      ) : null}
      {isOpen ? (
        <div class="popover" role="dialog" aria-label="Merchants">
          {hasOnlyKey ? (
            <p class="none">
              The page was opened with the key of one merchant. The admin token shows all merchants.
            </p>
          ) : (
            <Choice chosen={merchant?.id} onChosen={(id) => close(() => choose(id))()} />
          )}
          <div class="commands">
            {hasOnlyKey ? (
              <Button onClick={close(enterAnother)}>Enter another key…</Button>
            ) : (
              <Button onClick={close(() => setCreating(true))}>New merchant…</Button>
            )}
          </div>
        </div>
      ) : null}
      {isCreating ? <NewDialog onClose={() => setCreating(false)} /> : null}
    </div>
  );
}

/** Asks for another key, and closes what was open of this merchant. */
function enterAnother(): void {
  go({ call: undefined, policy: '', page: 1, record: undefined });
  void askAgain();
}

/** The merchants whose name, key or id contains a text. */
const findMerchants = (merchants: readonly LoadedMerchant[], search: string) => {
  const wanted = search.trim().toLowerCase();
  return merchants.filter(
    ({ id, name, api_key }) =>
      name.toLowerCase().includes(wanted) || api_key.includes(wanted) || `${id}` === wanted,
  );
};

interface ChoiceProps {
  chosen: number | undefined;
  onChosen: (id: number | undefined) => void;
}

function Choice({ chosen, onChosen }: ChoiceProps) {
  const merchants = useStore((state) => state.merchants);
  const [search, setSearch] = useState('');
  const found = findMerchants(merchants, search);
  return (
    <>
      <input
        type="search"
        placeholder="Find a merchant"
        aria-label="Find a merchant"
        autofocus
        onInput={(event: Event) => setSearch(inputOf(event))}
        onKeyDown={(event: KeyboardEvent) =>
          event.key === 'Enter' && found[0] ? onChosen(found[0].id) : undefined
        }
      />
      <div class="options">
        {contract.isSpread || search !== '' ? null : (
          <Button
            class="option"
            aria-pressed={String(chosen === undefined)}
            onClick={() => onChosen(undefined)}
          >
            All merchants
          </Button>
        )}
        {found.slice(0, MAX_SHOWN).map(({ id, name, api_key, counts }) => (
          <Button
            key={id}
            class="option"
            aria-pressed={String(id === chosen)}
            onClick={() => onChosen(id)}
          >
            <span class="who">
              <UserText text={name} />
              <small class="mono muted">{api_key}</small>
            </span>
            <small class="muted">
              {counts ? `${counts.exchanges.toLocaleString('en')} calls` : ''}
            </small>
          </Button>
        ))}
        {found.length === 0 ? <p class="none muted">No merchant has this name or key.</p> : null}
        <MorePages />
      </div>
    </>
  );
}

/** Merchants on several machines come in pages. */
function MorePages() {
  const { isLast } = useStore((state) => state.pages);
  if (!contract.isSpread || isLast) return null;
  return <ActButton onClick={() => attempt(readNextPage)}>Load more merchants</ActButton>;
}

/** The counts that the table shows, by title. */
const COUNTS = { Calls: 'exchanges', Pending: 'pending', Faults: 'faults' } as const;

/** Every merchant with its key, clock and counts. */
export function MerchantsView() {
  const merchants = useStore((state) => state.merchants);
  const [search, setSearch] = useState('');
  const [asked, ask] = useState<
    { readonly what: 'rotate' | 'remove'; readonly merchant: LoadedMerchant } | 'create' | undefined
  >(undefined);
  const found = findMerchants(merchants, search);
  const policies = ({ counts }: LoadedMerchant) =>
    contract.families.reduce(
      (sum, { key }) => sum + Number(Reflect.get(counts ?? {}, key) ?? 0),
      0,
    );
  return (
    <section class="sheet" aria-label="Merchants">
      <div class="filter">
        <input
          type="search"
          placeholder="Name or key"
          aria-label="Search by name or key"
          onInput={(event: Event) => setSearch(inputOf(event))}
        />
        <ActButton class="primary" onClick={() => ask('create')}>
          New merchant…
        </ActButton>
      </div>
      <Table
        class="worlds"
        titles={['Merchant', 'Key', ...Object.keys(COUNTS), 'Policies', 'Clock', <Hidden />]}
      >
        {found.slice(0, MAX_SHOWN).map((merchant) => (
          <tr key={merchant.id}>
            <th scope="row">
              <Button class="link" onClick={() => choose(merchant.id)}>
                <UserText text={merchant.name} />
              </Button>
            </th>
            <td>
              <CopyButton quiet text={merchant.api_key} label={`Copy ${merchant.api_key}`}>
                <span class="mono">{merchant.api_key}</span>
              </CopyButton>
            </td>
            {Object.entries(COUNTS).map(([title, name]) => (
              <td key={name} class="number" data-title={title}>
                {merchant.counts?.[name].toLocaleString('en')}
              </td>
            ))}
            <td class="number" data-title="Policies">
              {policies(merchant).toLocaleString('en')}
            </td>
            <td class="mono muted">{momentText(Date.parse(merchant.clock.now))}</td>
            <td class="actions">
              <ActButton class="quiet" onClick={() => ask({ what: 'rotate', merchant })}>
                New key…
              </ActButton>
              <ActButton class="quiet" onClick={() => ask({ what: 'remove', merchant })}>
                Remove…
              </ActButton>
            </td>
          </tr>
        ))}
      </Table>
      {found.length > MAX_SHOWN ? (
        <p class="muted">
          {MAX_SHOWN} of {found.length.toLocaleString('en')}. Search for the others.
        </p>
      ) : null}
      {asked === 'create' ? <NewDialog onClose={() => ask(undefined)} /> : null}
      {asked && asked !== 'create' ? (
        <SureDialog key={asked.what} {...asked} onClose={() => ask(undefined)} />
      ) : null}
    </section>
  );
}

const Hidden = () => <span class="visually-hidden">Actions</span>;

function NewDialog({ onClose }: { onClose: () => void }) {
  const submit = async ({ name = '', records = 'none' }: Record<string, string>) => {
    onClose();
    await attempt(async () => {
      const body = { records, ...(name.trim() !== '' && { name: name.trim() }) };
      const created = await control<MerchantState>('merchants', { body, headers: adminHeaders() });
      takeMerchant(created);
      notify('ok', sentence`Created ${created.name}.`);
      choose(created.id);
    });
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

interface SureDialogProps {
  what: 'rotate' | 'remove';
  merchant: LoadedMerchant;
  onClose: () => void;
}

/** Neither can be undone: a removed World is gone, and so is a rotated key. */
function SureDialog({ what, merchant: { id, name }, onClose }: SureDialogProps) {
  const isRemoval = what === 'remove';
  const submit = async () => {
    onClose();
    await attempt(async () => {
      const path = `merchants/${id}${isRemoval ? '' : '/rotate_key'}`;
      const method = isRemoval ? 'DELETE' : 'POST';
      const answer = await control<MerchantState>(path, { method, headers: adminHeaders() });
      if (isRemoval) dropMerchant(id);
      else takeMerchant(answer);
      notify('ok', isRemoval ? sentence`Removed ${name}.` : sentence`${name} has a new key.`);
      if (isRemoval && getState().address.merchant === id) go({ merchant: undefined });
      refreshMerchants();
    });
  };
  return (
    <Dialog
      title={isRemoval ? sentence`Remove ${name}?` : sentence`A new key for ${name}?`}
      action={isRemoval ? 'Remove' : 'New key'}
      danger
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {isRemoval
          ? 'Its World goes, with its records and calls. This cannot be undone.'
          : 'The old key is refused from now on.'}
      </p>
    </Dialog>
  );
}
