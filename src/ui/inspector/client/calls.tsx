/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom';
import {
  type Call,
  faultTag,
  filterCalls,
  isRefused,
  SHOWN,
  statusClass,
  statusText,
  summaryOf,
  titleOf,
  tookText,
} from './call.ts';
import { CallDetail } from './call-detail.tsx';
import { timeText } from './clock.tsx';
import { Button, CopyButton, inputOf, OperationOptions, UserText } from './parts.tsx';
import { type Address, chosenMerchant, contract, go, useStore } from './store.ts';

/** The calls, next to the open one. */
export function CallsView() {
  const calls = useStore((state) => state.calls);
  const address = useStore((state) => state.address);
  const wasEmpty = useRef(false);
  const isEmpty = calls?.length === 0;
  const newest = calls?.[0]?.id;
  useLayoutEffect(() => {
    // The first call opens by itself, because the user waited for it.
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
          <NothingFound all={calls.length} />
        ) : (
          <CallList calls={shown} selected={address.call} />
        )}
      </section>
      <section class="detail" aria-label="Selected call">
        {address.call === undefined ? (
          <Hint />
        ) : (
          <CallDetail key={address.call} id={address.call} />
        )}
      </section>
    </div>
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
  const merchant = useStore(chosenMerchant);
  if (!merchant) return null;
  const command = `curl -H 'Authorization: Bearer ${merchant.api_key}' \\\n  '${location.origin}${contract.firstPath}'`;
  return (
    <section class="message first" aria-label="Calls">
      <h2 class="title">No calls yet</h2>
      <p>
        Send requests to <code>{location.origin}</code> with the key of{' '}
        <UserText text={merchant.name} />, or run this in a terminal:
      </p>
      <div class="command">
        {/* Focusable, so that the keyboard can scroll it. */}
        <pre tabindex={0}>{command}</pre>
        <CopyButton text={command} label="Copy the command" />
      </div>
      <p class="waiting muted">Waiting for the first call…</p>
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
        placeholder="Search operation, field, token, policy number"
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

/** The height of a row, as in the style sheet. */
const ROW = 52;

/** The calls. Only visible rows are drawn, and they stay in place when others arrive. */
function CallList({ calls, selected }: { calls: readonly Call[]; selected: string | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scrollTop: 0, height: 800 });
  const drawn = useRef(calls);
  // The newest call when the top was last visible. Later ones are new.
  const seen = useRef(calls[0]?.id);

  const look = () => {
    const element = box.current;
    if (element) setView({ scrollTop: element.scrollTop, height: element.clientHeight });
  };
  useLayoutEffect(() => {
    const resized = new ResizeObserver(look);
    if (box.current) resized.observe(box.current);
    return () => resized.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    const before = drawn.current ?? calls;
    drawn.current = calls;
    if (!element || before === calls) return;
    const place = keepPlace(before, calls, ROW, element.scrollTop);
    if (place !== undefined && place !== element.scrollTop) element.scrollTop = place;
    look();
  }, [calls]);
  if (view.scrollTop < ROW) seen.current = calls[0]?.id;
  const fresh = calls.findIndex(({ id }) => id === seen.current);

  const { from, to } = windowOf(calls.length, ROW, view);
  const place = calls.findIndex(({ id }) => id === selected);
  const move = (to: number) => {
    const at = Math.max(0, Math.min(to, calls.length - 1));
    const element = box.current;
    if (!element) return;
    const { scrollTop, clientHeight: height } = element;
    element.scrollTop = reveal(at, ROW, { scrollTop, height });
    go({ call: calls[at]?.id }, 'replace');
  };
  const press = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(view.height / ROW) - 1);
    const steps: Record<string, number> = {
      ArrowDown: place + 1,
      j: place + 1,
      ArrowUp: place - 1,
      k: place - 1,
      PageDown: place + page,
      PageUp: place - page,
      Home: 0,
      End: calls.length - 1,
      Enter: place,
    };
    const to = steps[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (event.key === 'Enter') document.querySelector<HTMLElement>('.detail .title')?.focus();
    else move(to);
  };
  return (
    <div class="rows-frame">
      <div
        ref={box}
        class="rows"
        role="listbox"
        tabIndex={0}
        aria-label="Calls, newest first"
        aria-activedescendant={place >= from && place < to ? `call-${selected}` : undefined}
        onScroll={look}
        onKeyDown={press}
      >
        <div role="presentation" class="all-rows" style={{ height: `${calls.length * ROW}px` }}>
          {calls.slice(from, to).map((call, index) => (
            <Row
              key={call.id}
              call={call}
              place={from + index}
              of={calls.length}
              isSelected={call.id === selected}
            />
          ))}
        </div>
      </div>
      {fresh > 0 ? (
        <Button class="fresh" onClick={() => box.current?.scrollTo({ top: 0 })}>
          {fresh} new
        </Button>
      ) : null}
    </div>
  );
}

function Row(props: { call: Call; place: number; of: number; isSelected: boolean }) {
  const { call, place, of, isSelected } = props;
  const tag = faultTag(call);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the list
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
    <div
      role="option"
      id={`call-${call.id}`}
      class="row"
      aria-selected={String(isSelected)}
      aria-setsize={of}
      aria-posinset={place + 1}
      style={{ top: `${place * ROW}px` }}
      onClick={() => go({ call: call.id })}
    >
      <time class="mono muted" datetime={call.at}>
        {timeText(Date.parse(call.at))}
      </time>
      <span class={`status ${statusClass(call)}`}>{statusText(call)}</span>
      <span class="what">
        <b>
          <UserText text={titleOf(call)} />
        </b>
        <small class={isRefused(call) && !tag ? 'bad' : ''}>
          <UserText text={summaryOf(call)} />
          {call.merchant === null ? ' · no valid key' : ''}
        </small>
      </span>
      {tag ? <span class="tag">{tag}</span> : <span class="mono muted ms">{tookText(call)}</span>}
    </div>
  );
}

const AROUND = 8;

/** The visible part of a list, in pixels. */
export interface View {
  readonly scrollTop: number;
  readonly height: number;
}

/** The rows of a long list to draw: the visible ones, and a few around them. */
export function windowOf(rows: number, rowHeight: number, { scrollTop, height }: View) {
  const first = Math.floor(scrollTop / rowHeight);
  const count = Math.ceil(height / rowHeight) + 1;
  const from = Math.max(0, Math.min(first - AROUND, rows));
  return { from, to: Math.min(rows, Math.max(first, 0) + count + AROUND) };
}

/** The scroll position that keeps the first visible row in place; undefined at the top, and if that row is gone. */
export function keepPlace(
  before: readonly { readonly id: string }[],
  now: readonly { readonly id: string }[],
  rowHeight: number,
  scrollTop: number,
): number | undefined {
  if (scrollTop <= 0) return undefined;
  const place = Math.floor(scrollTop / rowHeight);
  const id = before[place]?.id;
  const at = now.findIndex((row) => row.id === id);
  return at === -1 ? undefined : scrollTop + (at - place) * rowHeight;
}

/** The scroll position that shows a whole row. */
export function reveal(place: number, rowHeight: number, { scrollTop, height }: View): number {
  const top = place * rowHeight;
  if (top < scrollTop) return top;
  return Math.max(scrollTop, top + rowHeight - height);
}
