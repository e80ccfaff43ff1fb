/* The tab of calls: the search, the list, and the open call next to it. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useMemo } from 'hono/jsx/dom';
import { CallDetail } from './call.tsx';
import { CallList } from './call-list.tsx';
import { contract } from './contract.ts';
import { FirstMinute } from './first-minute.tsx';
import {
  filterItems,
  groupProblems,
  type Item,
  isCall,
  isRefused,
  parseSearch,
  TERM_NAMES,
} from './items.ts';
import { Button, inputOf, UserText } from './parts.tsx';
import { go, showsAll, useStore } from './store.ts';
import { LOCAL_ZONE } from './times.ts';

export function CallsView() {
  const items = useStore((state) => state.items);
  const search = useStore(({ address }) => address.search);
  const open = useStore(({ address }) => address.call);
  const isAll = useStore(showsAll);
  const parsed = useMemo(() => parseSearch(search), [search]);
  const shown = useMemo(() => filterItems(items ?? [], parsed), [items, parsed]);
  useLayoutEffect(() => {
    document.addEventListener('keydown', pressAnywhere);
    return () => document.removeEventListener('keydown', pressAnywhere);
  }, []);
  if (items === undefined) return <section class="message" aria-busy="true" />;
  if (!items.some(isCall) && open === undefined) return <FirstMinute />;
  return (
    <div class={open === undefined ? 'panes' : 'panes opened'}>
      <section class="list" aria-label="Calls">
        <SearchBar items={items} shown={shown} search={search} unknown={parsed.unknown} />
        {shown.length === 0 ? (
          <div class="none">
            <p class="muted">{search === '' ? 'No calls yet.' : 'No calls match.'}</p>
            {search === '' ? null : <Button onClick={() => go({ search: '' })}>Show all</Button>}
          </div>
        ) : (
          <CallList items={shown} selected={open} isMixed={isAll} words={parsed.words} />
        )}
        {isAll ? <p class="footnote muted">Times are real time in {LOCAL_ZONE}.</p> : null}
      </section>
      <section class="detail" aria-label="Selected call">
        {open === undefined ? <Hint /> : <CallDetail key={open} of={open} />}
      </section>
    </div>
  );
}

interface SearchBarProps {
  items: readonly Item[];
  shown: readonly Item[];
  search: string;
  unknown: readonly string[];
}

/** The search with its count, and the problems of the shown calls on demand. */
function SearchBar({ items, shown, search, unknown }: SearchBarProps) {
  const found = shown.filter(isCall);
  const refused = found.filter(isRefused);
  const all = items.filter(isCall).length;
  const count = `${found.length.toLocaleString('en')} of ${all.toLocaleString('en')}`;
  return (
    <div class="filter">
      <input
        type="search"
        placeholder="Search, or status:4xx, status:lost, op:verify, -op:list"
        aria-label="Search the calls"
        aria-keyshortcuts="/"
        aria-describedby="search-count"
        value={search}
        onInput={(event: Event) => go({ search: inputOf(event) }, 'replace')}
        onKeyDown={leaveSearch}
      />
      <span id="search-count" class="n" role="status">
        {search === '' ? null : count}
      </span>
      {unknown.length > 0 ? (
        <p class="bad" role="alert">
          There is no term <UserText text={unknown.map((name) => `${name}:`).join(' ')} />. Terms
          are {TERM_NAMES.map((name) => `${name}:`).join(' ')}
        </p>
      ) : null}
      {refused.length > 1 ? (
        <details class="groups">
          <summary>{refused.length.toLocaleString('en')} refused</summary>
          <ul aria-label="Problems by frequency">
            {groupProblems(refused)
              .slice(0, MAX_GROUPS)
              .map(([message, times]) => (
                <li key={message}>
                  <Button class="link" onClick={() => go({ search: `"${message}"` })}>
                    <b>{times.toLocaleString('en')} ×</b> <UserText text={message} />
                  </Button>
                </li>
              ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
}

const MAX_GROUPS = 12;

/** Keys outside of text fields: `/` searches, `j` and `k` move through the calls, Escape closes. */
function pressAnywhere(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const target = event.target as HTMLElement;
  if (target.closest('input, select, textarea, dialog, [popover]')) return;
  const list = listElement();
  if (event.key === '/') {
    event.preventDefault();
    document.querySelector<HTMLInputElement>('.filter input')?.focus();
  } else if (event.key === 'j' || event.key === 'k') {
    list?.focus();
    list?.dispatchEvent(new KeyboardEvent('keydown', { key: event.key }));
  } else if (event.key === 'Escape') {
    go({ call: undefined });
    list?.focus();
  }
}

const listElement = () => document.querySelector<HTMLElement>('.list [role=listbox]');

/** Escape clears the search; Escape, Enter and Arrow Down then move to the list. */
function leaveSearch(event: KeyboardEvent): void {
  if (!['Escape', 'Enter', 'ArrowDown'].includes(event.key)) return;
  event.preventDefault();
  if (event.key === 'Escape' && inputOf(event) !== '') go({ search: '' }, 'replace');
  else listElement()?.focus();
}

const Hint = () => (
  <div class="hint muted">
    <p>Select a call to see what happened.</p>
    <p>
      <kbd>↑</kbd> <kbd>↓</kbd> or <kbd>j</kbd> <kbd>k</kbd> to move, <kbd>/</kbd> to search,{' '}
      <kbd>Esc</kbd> to close.
    </p>
    {contract.isSpread ? <p>Calls without a valid key are not shown.</p> : null}
  </div>
);
