/** @jsxImportSource hono/jsx/dom */
import { useEffect, useLayoutEffect, useRef, useState } from 'hono/jsx/dom';
import { admin, answerOf } from './api.ts';
import { attempt, dropMerchant, readNextPage, takeMerchant } from './merchants.ts';
import { Button, CopyButton, Dialog, Field, inputOf, sentence, UserText } from './parts.tsx';
import { chosenMerchant, contract, type Merchant, notify, useStore } from './store.ts';
import { choose } from './world.ts';

type Asked = 'create' | 'rotate' | 'remove';

/** The chosen merchant with its key, and the menu to choose another. */
export function MerchantMenu() {
  const merchant = useStore(chosenMerchant);
  const [isOpen, setOpen] = useState(false);
  const [asked, ask] = useState<Asked | undefined>(undefined);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const leave = (event: Event) => {
      if (!place.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, [isOpen]);
  const closeAsked = () => ask(undefined);
  return (
    <div class="merchant" ref={place}>
      <Button
        class="quiet name"
        aria-haspopup="dialog"
        aria-expanded={String(isOpen)}
        aria-label={`Merchant: ${merchant?.name ?? 'No merchant'}. Change merchant`}
        onClick={() => setOpen(!isOpen)}
      >
        <b>
          <UserText text={merchant?.name ?? 'No merchant'} />
        </b>
        <span class="chevron" aria-hidden="true" />
      </Button>
      {merchant ? <UserText class="mono muted key" text={merchant.api_key} /> : null}
      {merchant ? <CopyButton quiet text={merchant.api_key} label="Copy the key" /> : null}
      {isOpen ? (
        <MerchantChooser
          chosen={merchant}
          onChosen={(id) => {
            setOpen(false);
            choose(id);
          }}
          onClose={() => {
            setOpen(false);
            place.current?.querySelector('button')?.focus();
          }}
          onAsk={(next) => {
            setOpen(false);
            ask(next);
          }}
        />
      ) : null}
      {asked === 'create' ? <NewMerchantDialog onClose={closeAsked} /> : null}
      {merchant && asked === 'rotate' ? (
        <Dialog
          title={sentence`Rotate the key of ${merchant.name}?`}
          action="Rotate key"
          danger
          onSubmit={() => rotate(merchant).then(closeAsked)}
          onClose={closeAsked}
        >
          <p>
            The current key, <UserText class="mono" text={merchant.api_key} />, stops working at
            once. Records, clock and calls stay.
          </p>
        </Dialog>
      ) : null}
      {merchant && asked === 'remove' ? (
        <Dialog
          title={sentence`Remove ${merchant.name}?`}
          action="Remove"
          danger
          onSubmit={() => remove(merchant).then(closeAsked)}
          onClose={closeAsked}
        >
          <p>This deletes its records, clock and calls. Its key stops working.</p>
        </Dialog>
      ) : null}
    </div>
  );
}

/** How many merchants the menu shows. The search finds the others. */
const MAX_SHOWN = 50;

interface MerchantChooserProps {
  chosen: Merchant | undefined;
  onChosen: (id: number) => void;
  onClose: () => void;
  onAsk: (asked: Asked) => void;
}

/** The list of merchants and its actions. */
function MerchantChooser({ chosen, onChosen, onClose, onAsk }: MerchantChooserProps) {
  const merchants = useStore((state) => state.merchants);
  const [search, setSearch] = useState('');
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const found = findMerchants(merchants, search);
  const shown = found.slice(0, MAX_SHOWN);
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'ArrowDown') setActive(Math.min(active + 1, shown.length - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0));
    else if (event.key === 'Enter' && shown[active]) onChosen(shown[active].id);
    else return;
    event.preventDefault();
  };
  return (
    <div class="popover" role="dialog" aria-label="Merchants" onKeyDown={press}>
      <input
        ref={input}
        type="search"
        role="combobox"
        placeholder="Name, id or key"
        aria-label="Search the merchants"
        aria-expanded="true"
        aria-controls="merchants"
        aria-activedescendant={shown[active] ? `merchant-${shown[active].id}` : undefined}
        value={search}
        onInput={(event: Event) => {
          setSearch(inputOf(event));
          setActive(0);
        }}
      />
      <div class="options" role="listbox" id="merchants" aria-label="Merchants">
        {shown.map((merchant, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the search field
          // biome-ignore lint/a11y/useFocusableInteractive: the search field keeps the focus
          <div
            key={merchant.id}
            role="option"
            id={`merchant-${merchant.id}`}
            aria-selected={String(merchant.id === chosen?.id)}
            class={place === active ? 'option active' : 'option'}
            onClick={() => onChosen(merchant.id)}
          >
            <UserText text={merchant.name} />
            <span class="mono muted">{merchant.id}</span>
          </div>
        ))}
      </div>
      {found.length === 0 ? (
        <p class="muted none">No {contract.isSpread ? 'loaded ' : ''}merchant matches.</p>
      ) : null}
      {found.length > MAX_SHOWN ? (
        <p class="muted none">{found.length - MAX_SHOWN} more. Type to search.</p>
      ) : null}
      {contract.isSpread ? <Pages /> : null}
      <div class="commands">
        <Button onClick={() => onAsk('create')}>Create merchant…</Button>
        {chosen ? <Button onClick={() => onAsk('rotate')}>Rotate key…</Button> : null}
        {chosen ? (
          <Button class="danger" onClick={() => onAsk('remove')}>
            Remove…
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** How many merchants are loaded, if they come in pages. */
function Pages() {
  const { read, isLast } = useStore((state) => state.pages);
  const [isReading, setReading] = useState(false);
  const readOn = async () => {
    setReading(true);
    await attempt(readNextPage);
    setReading(false);
  };
  return (
    <div class="none pages">
      <p class="muted">
        {isLast
          ? 'All merchants are loaded. Load again to see merchants created elsewhere.'
          : `The first ${read * contract.merchantsPerPage} merchants are loaded. Enter an id to find another.`}
      </p>
      <Button disabled={isReading} onClick={readOn}>
        {isLast ? 'Load again' : `Load ${contract.merchantsPerPage} more`}
      </Button>
    </div>
  );
}

type Found = Pick<Merchant, 'id' | 'name'>;

/** Finds merchants by id, then by name, then by key. */
function findMerchants(merchants: readonly Merchant[], search: string): Found[] {
  const text = search.trim().toLowerCase();
  const ranks = [
    ({ id }: Merchant) => String(id) === text,
    ({ name }: Merchant) => name.toLowerCase().includes(text),
    ({ api_key }: Merchant) => api_key.toLowerCase().includes(text),
  ];
  const found: Found[] = [...new Set(ranks.flatMap((fits) => merchants.filter(fits)))];
  // If merchants come in pages, the id of one that is not loaded is offered too.
  const isUnread = contract.isSpread && /^[1-9]\d{0,14}$/.test(text);
  const id = Number(text);
  return isUnread && !merchants.some((merchant) => merchant.id === id)
    ? [{ id, name: 'Go to merchant' }, ...found]
    : found;
}

const RECORDS = { none: 'none', demo: 'the demo records' };
const MODES = { '': 'as set at start', running: 'running', frozen: 'frozen' };

/** Asks how a new merchant starts. Every field has a default. */
function NewMerchantDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title="Create a merchant"
      action="Create"
      onSubmit={(fields) => create(fields, onClose)}
      onClose={onClose}
    >
      <Field label="Name" name="name" placeholder="Chosen by the sandbox" />
      <div class="fields">
        <Field label="Records" name="records" options={RECORDS} />
        <Field label="Clock" name="mode" options={MODES} />
        <Field label="Clock starts at (UTC)" name="now" type="datetime-local" step="1" />
        <Field
          label="Random seed"
          name="seed"
          type="number"
          min="0"
          step="1"
          placeholder="Chosen by the sandbox"
        />
      </div>
    </Dialog>
  );
}

const create = (fields: Record<string, string>, onCreated: () => void) =>
  attempt(async () => {
    const { name = '', records, mode, now, seed } = fields;
    const json = {
      records: records as 'none' | 'demo',
      ...(name.trim() && { name }),
      ...(mode && { mode: mode as 'running' | 'frozen' }),
      ...(now && { now: new Date(`${now}Z`).toISOString() }),
      ...(seed && { seed: Number(seed) }),
    };
    const created = await answerOf(admin.merchants.$post({ json }));
    onCreated();
    takeMerchant(created);
    choose(created.id);
    notify('ok', sentence`Created ${created.name} with the key ${created.api_key}.`);
  });

const rotate = ({ id, name }: Merchant) =>
  attempt(async () => {
    const param = { id: String(id) };
    const rotated = await answerOf(admin.merchants[':id'].rotate_key.$post({ param }));
    takeMerchant(rotated);
    notify('ok', sentence`Rotated the key of ${name}. New key: ${rotated.api_key}`);
  });

const remove = ({ id, name }: Merchant) =>
  attempt(async () => {
    await admin.merchants[':id'].$delete({ param: { id: String(id) } });
    dropMerchant(id);
    notify('ok', sentence`Removed ${name}.`);
  });
