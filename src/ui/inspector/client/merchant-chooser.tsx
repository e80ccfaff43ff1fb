/** @jsxImportSource hono/jsx/dom */
import { useEffect, useRef, useState } from 'hono/jsx/dom';
import { attempt, readNextPage } from './merchants.ts';
import { inputOf } from './parts.tsx';
import { contract, type Merchant, useStore } from './store.ts';
import { UserText } from './user-text.tsx';

/** Of 10,000 merchants nobody reads a list: so many are shown, the others by what is typed. */
const MAX_SHOWN = 50;

/** What is to be done with the merchants. */
export type Asked = 'create' | 'rotate' | 'remove' | undefined;

/** The merchants to choose from, and what can be done with them. */
export function MerchantChooser({
  chosen,
  onChosen,
  onClose,
  onAsk,
}: {
  readonly chosen: Merchant | undefined;
  readonly onChosen: (id: number) => void;
  readonly onClose: () => void;
  readonly onAsk: (asked: Asked) => () => void;
}) {
  const merchants = useStore((state) => state.merchants);
  const [search, setSearch] = useState('');
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const found = findMerchants(merchants, search);
  // Its name is known once it is gone to.
  const unread = contract.isSpread ? unreadId(search, merchants) : undefined;
  if (unread !== undefined) found.unshift({ id: unread, name: 'Go to merchant' });
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
        <p class="muted none">
          {contract.isSpread ? 'None of those that were read' : 'No merchant'} has that in its name,
          id or key.
        </p>
      ) : null}
      {found.length > MAX_SHOWN ? (
        <p class="muted none">{found.length - MAX_SHOWN} more: type to find them.</p>
      ) : null}
      {contract.isSpread ? <Pages /> : null}
      <div class="commands">
        <button type="button" onClick={onAsk('create')}>
          New merchant…
        </button>
        {chosen ? (
          <button type="button" onClick={onAsk('rotate')}>
            New key…
          </button>
        ) : null}
        {chosen ? (
          <button type="button" class="danger" onClick={onAsk('remove')}>
            Remove…
          </button>
        ) : null}
      </div>
    </div>
  );
}

/** How far the merchants were read, where each is asked for on a machine of its own. */
function Pages() {
  const { read, isLast } = useStore((state) => state.pages);
  const [isReading, setReading] = useState(false);
  const readOn = async () => {
    setReading(true);
    await attempt(readNextPage());
    setReading(false);
  };
  return (
    <div class="none pages">
      <p class="muted">
        {isLast
          ? 'All merchants were read. One that comes otherwise than from here shows once they are read again.'
          : `The first ${read * contract.merchantsPerPage} merchants were read. Any other is found by its id.`}
      </p>
      <button type="button" disabled={isReading} onClick={readOn}>
        {isLast ? 'Read again' : `Read ${contract.merchantsPerPage} more`}
      </button>
    </div>
  );
}

/** The id that is typed, where it is of none of the merchants that were read. */
function unreadId(search: string, merchants: readonly Merchant[]): number | undefined {
  const id = /^[1-9]\d{0,14}$/.test(search.trim()) ? Number(search) : undefined;
  return merchants.some((merchant) => merchant.id === id) ? undefined : id;
}

type Found = Pick<Merchant, 'id' | 'name'>;

/** Those whose id it is come first, then those whose name has it, then those whose key does. */
function findMerchants(merchants: readonly Merchant[], search: string): Found[] {
  const text = search.trim().toLowerCase();
  if (text === '') return [...merchants];
  const ranks = [
    ({ id }: Merchant) => String(id) === text,
    ({ name }: Merchant) => name.toLowerCase().includes(text),
    ({ api_key }: Merchant) => api_key.toLowerCase().includes(text),
  ];
  return [...new Set(ranks.flatMap((fits) => merchants.filter(fits)))];
}
