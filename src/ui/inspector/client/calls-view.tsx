/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useRef } from 'hono/jsx/dom';
import type { Address } from './address.ts';
import { CallDetail } from './call-detail.tsx';
import { CallFilter } from './call-filter.tsx';
import { filterCalls } from './call-list.ts';
import { CallList } from './call-list-view.tsx';
import { FirstCall, KeylessNote } from './first-call.tsx';
import { go } from './navigation.ts';
import { useStore } from './store.ts';

/** The calls as they come, beside the one that is open. */
export function CallsView() {
  const calls = useStore((state) => state.calls);
  const address = useStore((state) => state.address);
  const wasEmpty = useRef(false);
  const isEmpty = calls?.length === 0;
  const newest = calls?.[0]?.id;
  useLayoutEffect(() => {
    // The first call of all is opened as it comes: that is what was waited for.
    if (wasEmpty.current && newest !== undefined && address.call === undefined) {
      go({ call: newest }, 'replace');
    }
    wasEmpty.current = isEmpty;
  }, [isEmpty, newest]);
  useLayoutEffect(() => {
    document.addEventListener('keydown', pressAnywhere);
    return () => document.removeEventListener('keydown', pressAnywhere);
  }, []);

  if (calls === undefined) return <section class="message" aria-busy="true" />;
  if (isEmpty && address.call === undefined) return <FirstCall />;
  const shown = filterCalls(calls, address);
  return (
    <div class={address.call === undefined ? 'panes' : 'panes opened'}>
      <section class="list" aria-label="Calls">
        <CallFilter address={address} />
        {shown.length === 0 ? (
          <NothingFound address={address} all={calls.length} />
        ) : (
          <CallList calls={shown} selected={address.call} />
        )}
      </section>
      <section class="detail" aria-label="The chosen call">
        {address.call === undefined ? (
          <Hint />
        ) : (
          <CallDetail key={address.call} id={address.call} />
        )}
      </section>
    </div>
  );
}

const Hint = () => (
  <div class="hint muted">
    <p>Choose a call to see what was asked and answered.</p>
    <p>
      <kbd>↑</kbd> <kbd>↓</kbd> or <kbd>j</kbd> <kbd>k</kbd> go through the calls, <kbd>/</kbd>{' '}
      searches them, <kbd>Esc</kbd> closes the open one.
    </p>
    <KeylessNote />
  </div>
);

function NothingFound({ address, all }: { readonly address: Address; readonly all: number }) {
  if (all === 0) return <p class="none muted">No calls yet.</p>;
  return (
    <div class="none">
      <p class="muted">
        {address.search === ''
          ? `None of the ${all} calls is one of these.`
          : `None of the ${all} calls has that in it.`}
      </p>
      <button type="button" onClick={() => go(NO_FILTER)}>
        Show all
      </button>
    </div>
  );
}

const NO_FILTER = { search: '', shown: 'all', operation: undefined, status: undefined } as const;

/** Keys that work wherever nothing is typed: `/` to search, `j` and `k` to go through the calls, Escape to close. */
function pressAnywhere(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const target = event.target as HTMLElement;
  if (target.closest('input, select, textarea, dialog, .popover')) return;
  const list = document.querySelector<HTMLElement>('.list [role=listbox]');
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
