/* The tab of calls: the filter, the list, and the open call next to it. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useMemo, useRef } from 'hono/jsx/dom';
import { commandParts } from '../../layout/client/user-text.ts';
import { countOthers, filterCalls, keyOf, MAX_CALLS, SHOWN } from './call.ts';
import { CallDetail } from './call-detail.tsx';
import { CallList } from './call-list.tsx';
import { Button, CopyButton, inputOf, OperationOptions, UserText } from './parts.tsx';
import {
  type Address,
  chosenMerchant,
  contract,
  go,
  openCall,
  showsAll,
  useStore,
} from './store.ts';
import { choose } from './world.ts';

export function CallsView() {
  const calls = useStore((state) => state.calls);
  const changes = useStore((state) => state.changes);
  const ended = useStore((state) => state.ended);
  const address = useStore((state) => state.address);
  const open = useStore(openCall);
  const isAll = useStore(showsAll);
  const mode = useStore(({ clock }) => clock?.mode ?? 'running');
  const chosen = useStore((state) => chosenMerchant(state)?.id);
  const whose = isAll ? 'all' : chosen;
  // Whose list was empty.
  const wasEmpty = useRef<typeof whose>(undefined);
  const isEmpty = calls?.length === 0;
  const newest = calls?.[0] && keyOf(calls[0]);
  useLayoutEffect(() => {
    // The first call opens by itself, because the user waited for it.
    if (wasEmpty.current === whose && newest !== undefined && open === undefined) {
      go({ call: newest }, 'replace');
    }
    wasEmpty.current = isEmpty ? whose : undefined;
  }, [isEmpty, newest, whose]);
  useLayoutEffect(() => {
    document.addEventListener('keydown', pressAnywhere);
    return () => document.removeEventListener('keydown', pressAnywhere);
  }, []);
  const shown = useMemo(() => filterCalls(calls ?? [], address), [calls, address]);
  const shownChanges = useMemo(() => {
    // Among calls that match a filter, changes would say little.
    if (shown.length !== calls?.length) return [];
    const own = isAll ? changes : changes.filter(({ merchant }) => merchant.id === chosen);
    return own.map((change) =>
      change.move === undefined ? change : { ...change, ended: ended[change.move] },
    );
  }, [shown, calls, changes, ended, isAll, chosen]);

  if (calls === undefined) return <section class="message" aria-busy="true" />;
  if (isEmpty && open === undefined) return <FirstCall />;
  return (
    <div class={open === undefined ? 'panes' : 'panes opened'}>
      <section class="list" aria-label="Calls">
        <CallFilter address={address} />
        {shown.length === 0 ? (
          <NothingFound all={calls.length} />
        ) : (
          <CallList
            calls={shown}
            changes={shownChanges}
            selected={open}
            clock={isAll ? 'mixed' : mode}
          />
        )}
        <Others />
      </section>
      <section class="detail" aria-label="Selected call">
        {open === undefined ? <Hint /> : <CallDetail key={open} of={open} />}
      </section>
    </div>
  );
}

/** Tells how many calls others made, while one merchant is chosen. */
function Others() {
  const id = useStore(({ address }) => address.merchant);
  const all = useStore((state) => state.all);
  if (id === undefined || all === undefined) return null;
  const { others, keyless } = countOthers(id, all);
  if (others + keyless === 0) return null;
  const more = all.length === MAX_CALLS ? '+' : '';
  const count = (calls: number) => `${calls}${more} ${calls === 1 ? 'call' : 'calls'}`;
  return (
    <Button class="others" onClick={() => choose(undefined)}>
      {others > 0 ? `${count(others)} of others` : null}
      {others > 0 && keyless > 0 ? ' · ' : null}
      {keyless > 0 ? `${count(keyless)} without a valid key` : null}
    </Button>
  );
}

/** Keys outside of text fields: `/` searches, `j` and `k` move through the calls, Escape closes. */
function pressAnywhere(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const target = event.target as HTMLElement;
  if (target.closest('input, select, textarea, dialog, .popover')) return;
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

const Hint = () => (
  <div class="hint muted">
    <p>Select a call to see its request and response.</p>
    <p>
      <kbd>↑</kbd> <kbd>↓</kbd> or <kbd>j</kbd> <kbd>k</kbd> to move, <kbd>/</kbd> to search,{' '}
      <kbd>Esc</kbd> to close.
    </p>
    <KeylessNote />
  </div>
);

/** On several machines, calls without a key are in no journal. */
const KeylessNote = () =>
  contract.isSpread ? <p class="muted">Calls without a valid key are not shown.</p> : null;

/** How to make the first call. */
function FirstCall() {
  const chosen = useStore(chosenMerchant);
  const first = useStore(({ merchants }) => merchants[0]);
  const merchant = chosen ?? first;
  const key = merchant?.api_key ?? '<key>';
  const command = `curl -H 'Authorization: Bearer ${key}' \\\n  '${location.origin}${contract.firstPath}'`;
  return (
    <section class="message first" aria-label="Calls">
      <h2 class="title">No calls yet</h2>
      <p>
        Send requests to <code>{location.origin}</code> with{' '}
        {chosen ? (
          <>
            the key of <UserText text={chosen.name} />
          </>
        ) : (
          'the key of a merchant'
        )}
        , or run this in a terminal:
      </p>
      <div class="command">
        {/* Focusable, so that the keyboard can scroll it. */}
        <pre tabindex={0}>
          {commandParts(command).map((part) => (
            <>
              {part}
              <wbr />
            </>
          ))}
        </pre>
        <CopyButton text={command} label="Copy the command" />
      </div>
      <p class="waiting muted">Waiting for the first call…</p>
      <Others />
      <KeylessNote />
    </section>
  );
}

function NothingFound({ all }: { all: number }) {
  if (all === 0) return <p class="none muted">No calls yet.</p>;
  const showAll = () => go({ search: '', shown: 'all', operation: undefined, status: undefined });
  return (
    <div class="none">
      <p class="muted">
        {all === 1 ? 'The call does not match.' : `None of the ${all} calls match.`}
      </p>
      <Button onClick={showAll}>Show all</Button>
    </div>
  );
}

const NAMES = { all: 'All', refused: 'Refused', faults: 'Faults' } as const;

const STATUSES = ['2', '4', '5', '400', '401', '404', '405', '413', '415', '422'];

/** The filter. Typing adds no steps to the browser's history. */
function CallFilter({ address }: { address: Address }) {
  const { shown, search, operation, status } = address;
  const statuses = new Set([...STATUSES, ...(status ? [status] : [])]);
  const select = (name: 'operation' | 'status', value: string | undefined) => ({
    class: value ? 'set' : '',
    value: value ?? '',
    onChange: (event: Event) => go({ [name]: inputOf(event) || undefined }),
  });
  return (
    <div class="filter">
      <input
        type="search"
        placeholder="Search"
        aria-label="Search the calls"
        aria-keyshortcuts="/"
        value={search}
        onInput={(event: Event) => go({ search: inputOf(event) }, 'replace')}
        onKeyDown={leaveSearch}
      />
      <fieldset class="chips" aria-label="Show">
        {SHOWN.map((each) => (
          <Button
            key={each}
            aria-pressed={String(each === shown)}
            onClick={() => go({ shown: each })}
          >
            {NAMES[each]}
          </Button>
        ))}
      </fieldset>
      <select aria-label="Operation" {...select('operation', operation)}>
        <option value="">Any operation</option>
        <OperationOptions />
      </select>
      <select aria-label="Status" {...select('status', status)}>
        <option value="">Any status</option>
        {[...statuses].map((each) => (
          <option key={each} value={each}>
            {each.padEnd(3, 'x')}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Escape clears the search; Escape, Enter and Arrow Down then move to the list. */
function leaveSearch(event: KeyboardEvent): void {
  if (!['Escape', 'Enter', 'ArrowDown'].includes(event.key)) return;
  event.preventDefault();
  if (event.key === 'Escape' && inputOf(event) !== '') go({ search: '' }, 'replace');
  else listElement()?.focus();
}
