/* The menu of merchants: chooses whose calls the page shows, or those of all. */

/** @jsxImportSource hono/jsx/dom */
import { useEffect, useLayoutEffect, useRef, useState } from 'hono/jsx/dom';
import type { ListedCall } from './call.ts';
import { receivedText } from './clock.tsx';
import { type Asked, MerchantDialog } from './merchant-dialogs.tsx';
import { askAgain, attempt, readNextPage, refreshMerchants } from './merchants.ts';
import { ActButton, Button, CopyButton, inputOf, UserText } from './parts.tsx';
import { chosenMerchant, contract, go, type LoadedMerchant, showsAll, useStore } from './store.ts';
import { choose } from './world.ts';

/** What the page shows: all merchants, or one with its key. A menu chooses another. */
export function MerchantMenu() {
  const isAll = useStore(showsAll);
  const merchant = useStore(chosenMerchant);
  const isOneWorld = useStore(({ gate }) => gate.kind === 'open' && gate.to === 'world');
  const [isOpen, setOpen] = useState(false);
  const [asked, ask] = useState<Asked | undefined>(undefined);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const leave = (event: Event) => {
      if (!place.current?.contains(event.target as Node)) setOpen(false);
    };
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // Otherwise it would close the open call too.
      event.preventDefault();
      setOpen(false);
      place.current?.querySelector('button')?.focus();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('keydown', press, { capture: true });
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('keydown', press, { capture: true });
    };
  }, [isOpen]);
  const closeAsked = () => ask(undefined);
  const name = isAll ? 'All merchants' : (merchant?.name ?? 'No merchant');
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
      {merchant ? <UserText class="mono muted key" text={merchant.api_key} /> : null}
      {merchant ? (
        <CopyButton quiet text={merchant.api_key} label="Copy key">
          Copy<span class="of-key"> key</span>
        </CopyButton>
      ) : null}
      {isOpen && isOneWorld ? <OneWorld /> : null}
      {isOpen && !isOneWorld ? (
        <MerchantChooser
          chosen={merchant}
          onChosen={(id) => {
            setOpen(false);
            choose(id);
          }}
          onAsk={(next) => {
            setOpen(false);
            ask(next);
          }}
        />
      ) : null}
      {asked ? <MerchantDialog asked={asked} merchant={merchant} onClose={closeAsked} /> : null}
    </div>
  );
}

/** How many merchants the menu shows. The search finds the others. */
const MAX_SHOWN = 50;

/** Shown in place of the menu if the page has only the key of one merchant. */
const OneWorld = () => (
  <div class="popover" role="dialog" aria-label="Merchants">
    <p class="none">
      The page was opened with the key of one merchant. The admin token shows all merchants.
    </p>
    <div class="commands">
      <Button onClick={enterAnother}>Enter another key…</Button>
    </div>
  </div>
);

/** Asks for another key, and closes what was open of this merchant. */
function enterAnother(): void {
  go({ call: undefined, policy: '', page: 1, record: undefined });
  void askAgain();
}

interface MerchantChooserProps {
  chosen: LoadedMerchant | undefined;
  onChosen: (id: number | undefined) => void;
  onAsk: (asked: Asked) => void;
}

/** The list of merchants and its actions. */
function MerchantChooser({ chosen, onChosen, onAsk }: MerchantChooserProps) {
  const merchants = useStore((state) => state.merchants);
  const all = useStore((state) => state.all);
  const [search, setSearch] = useState('');
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  // The number of calls comes with the list of merchants.
  useLayoutEffect(() => {
    if (!contract.isSpread) refreshMerchants();
  }, [all?.[0]?.id]);
  const lastCalls = lastCallsOf(all ?? []);
  const found = findMerchants(byLastCall(merchants, lastCalls), search);
  const isAllOffered = !contract.isSpread && search.trim() === '';
  const offered = found.slice(0, MAX_SHOWN);
  const shown: (Found | undefined)[] = isAllOffered ? [undefined, ...offered] : offered;
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setActive(Math.min(active + 1, shown.length - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0));
    else if (event.key === 'Enter' && active < shown.length) onChosen(shown[active]?.id);
    else return;
    event.preventDefault();
  };
  return (
    <div class="popover" role="dialog" aria-label="Merchants">
      <input
        ref={input}
        type="search"
        role="combobox"
        placeholder="Name, id or key"
        aria-label="Search the merchants"
        aria-expanded="true"
        aria-controls="merchants"
        aria-activedescendant={active < shown.length ? optionId(shown[active]) : undefined}
        value={search}
        onInput={(event: Event) => {
          setSearch(inputOf(event));
          setActive(0);
        }}
        onKeyDown={press}
      />
      <div class="options" role="listbox" id="merchants" aria-label="Merchants">
        {shown.map((merchant, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the search field
          // biome-ignore lint/a11y/useFocusableInteractive: the search field keeps the focus
          <div
            key={merchant?.id ?? 'all'}
            role="option"
            id={optionId(merchant)}
            aria-selected={String(merchant?.id === chosen?.id)}
            class={place === active ? 'option active' : 'option'}
            onClick={() => onChosen(merchant?.id)}
          >
            {merchant ? (
              <MerchantLines merchant={merchant} last={lastCalls.get(merchant.id)} />
            ) : (
              <span>All merchants</span>
            )}
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
        <ActButton onClick={() => onAsk('create')}>Create merchant…</ActButton>
        {chosen ? <ActButton onClick={() => onAsk('rotate')}>Rotate key…</ActButton> : null}
        {chosen ? (
          <ActButton class="danger" onClick={() => onAsk('remove')}>
            Remove…
          </ActButton>
        ) : null}
      </div>
    </div>
  );
}

const optionId = (merchant: Found | undefined) => `merchant-${merchant?.id ?? 'all'}`;

/** Name, end of the key, number of calls and when the last came. */
function MerchantLines({ merchant, last }: { merchant: Found; last: ListedCall | undefined }) {
  const { name, id, api_key: key, counts } = merchant;
  return (
    <>
      <span class="who">
        <UserText text={name} />
        <small class="mono muted">
          {key === undefined ? id : <UserText text={shortKey(key, name)} />}
        </small>
      </span>
      <span class="activity muted">
        {counts ? callsText(counts.exchanges) : null}
        {last ? <small class="mono">{lastText(last)}</small> : null}
      </span>
    </>
  );
}

/** How much of a key fits, and how much of a longer one tells merchants apart. */
const MAX_KEY = 24;
const KEY_END = 8;

/** A key or its end; empty if the merchant is named like that. */
function shortKey(key: string, name: string): string {
  const text = key.length <= MAX_KEY ? key : `…${key.slice(-KEY_END)}`;
  return text === name ? '' : text;
}

const callsText = (count: number): string =>
  count === 0 ? 'no calls' : count === 1 ? '1 call' : `${count.toLocaleString('en')} calls`;

/** When a call came, in real time: `10:15:00`, and the day before it if that is not today. */
const lastText = (call: ListedCall): string => {
  const { day, time } = receivedText(call);
  return [day, time].filter(Boolean).join(' ');
};

/** The newest call of each merchant, in the order in which they came, newest first. */
export function lastCallsOf(all: readonly ListedCall[]): ReadonlyMap<number, ListedCall> {
  const last = new Map<number, ListedCall>();
  for (const call of all) {
    if (call.merchant && !last.has(call.merchant.id)) last.set(call.merchant.id, call);
  }
  return last;
}

/** The merchants whose calls came last, then the others by id. */
export function byLastCall(
  merchants: readonly LoadedMerchant[],
  last: ReadonlyMap<number, ListedCall>,
): readonly LoadedMerchant[] {
  if (last.size === 0) return merchants;
  const byId = new Map(merchants.map((merchant) => [merchant.id, merchant]));
  const active = [...last.keys()].flatMap((id) => byId.get(id) ?? []);
  return [...active, ...merchants.filter(({ id }) => !last.has(id))];
}

/** How many merchants are offered. */
const MAX_OFFERED = 8;

/** Offers merchants, those whose calls came last first. */
export function MerchantChoice() {
  const merchants = useStore((state) => state.merchants);
  const all = useStore((state) => state.all);
  const lastCalls = lastCallsOf(all ?? []);
  const offered = byLastCall(merchants, lastCalls).slice(0, MAX_OFFERED);
  const more = merchants.length - offered.length;
  return (
    <>
      <div class="offered">
        {offered.map((merchant) => (
          <Button key={merchant.id} class="option" onClick={() => choose(merchant.id)}>
            <MerchantLines merchant={merchant} last={lastCalls.get(merchant.id)} />
          </Button>
        ))}
      </div>
      {more > 0 ? <p class="muted">{more} more in the menu above.</p> : null}
    </>
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

/** A merchant to choose. One that is not loaded has only its id. */
type Found = Pick<LoadedMerchant, 'id' | 'name'> & Partial<LoadedMerchant>;

/** Finds merchants by id, then by name, then by key. */
function findMerchants(merchants: readonly LoadedMerchant[], search: string): Found[] {
  const text = search.trim().toLowerCase();
  const ranks = [
    ({ id }: LoadedMerchant) => String(id) === text,
    ({ name }: LoadedMerchant) => name.toLowerCase().includes(text),
    ({ api_key }: LoadedMerchant) => api_key.toLowerCase().includes(text),
  ];
  const found: Found[] = [...new Set(ranks.flatMap((fits) => merchants.filter(fits)))];
  // If merchants come in pages, the id of one that is not loaded is offered too.
  const isUnread = contract.isSpread && /^[1-9]\d{0,14}$/.test(text);
  const id = Number(text);
  return isUnread && !merchants.some((merchant) => merchant.id === id)
    ? [{ id, name: 'Go to merchant' }, ...found]
    : found;
}
