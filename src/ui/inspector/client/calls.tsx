/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useMemo, useRef, useState } from 'hono/jsx/dom';
import {
  type Call,
  countOthers,
  filterCalls,
  hintOf,
  isRefused,
  MAX_CALLS,
  SHOWN,
  statusClass,
  statusText,
  summaryOf,
  tookText,
} from './call.ts';
import { CallDetail } from './call-detail.tsx';
import { momentText, timeText } from './clock.tsx';
import { Button, CopyButton, inputOf, OperationOptions, UserText } from './parts.tsx';
import { type Address, chosenMerchant, contract, go, showsAll, useStore } from './store.ts';
import {
  CALL_HEIGHT,
  type Change,
  durationText,
  heightOf,
  keepPlace,
  type Line,
  linesOf,
  reveal,
  visibleLines,
} from './timeline.ts';
import { choose } from './world.ts';

/** The calls, next to the open one. */
export function CallsView() {
  const calls = useStore((state) => state.calls);
  const changes = useStore((state) => state.changes);
  const address = useStore((state) => state.address);
  const isAll = useStore(showsAll);
  const chosen = useStore((state) => chosenMerchant(state)?.id);
  const whose = isAll ? 'all' : chosen;
  // Whose list was empty.
  const wasEmpty = useRef<typeof whose>(undefined);
  const isEmpty = calls?.length === 0;
  const newest = calls?.[0]?.id;
  useLayoutEffect(() => {
    // The first call opens by itself, because the user waited for it.
    if (wasEmpty.current === whose && newest !== undefined && address.call === undefined) {
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
    return isAll ? changes : changes.filter(({ merchant }) => merchant.id === chosen);
  }, [shown, calls, changes, isAll, chosen]);

  if (calls === undefined) return <section class="message" aria-busy="true" />;
  if (isEmpty && address.call === undefined) return <FirstCall />;
  return (
    <div class={address.call === undefined ? 'panes' : 'panes opened'}>
      <section class="list" aria-label="Calls">
        <CallFilter address={address} />
        {shown.length === 0 ? (
          <NothingFound all={calls.length} />
        ) : (
          <CallList calls={shown} changes={shownChanges} selected={address.call} isMixed={isAll} />
        )}
        <Others />
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
        <pre tabindex={0}>{command}</pre>
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

interface CallListProps {
  calls: readonly Call[];
  /** What happened between the calls. */
  changes: readonly Change[];
  selected: string | undefined;
  /** Whether calls of several merchants are mixed, each with its own clock. */
  isMixed: boolean;
}

/** The calls. Only visible lines are drawn, and they stay in place when others arrive. */
function CallList({ calls, changes, selected, isMixed }: CallListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scrollTop: 0, height: 800 });
  const lines = useMemo(
    () => linesOf(calls, changes, { ofOneClock: !isMixed }),
    [calls, changes, isMixed],
  );
  const drawn = useRef(lines);
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
    const before = drawn.current ?? lines;
    drawn.current = lines;
    if (!element || before === lines) return;
    const place = keepPlace(before, lines, element.scrollTop);
    if (place !== undefined && place !== element.scrollTop) element.scrollTop = place;
    look();
  }, [lines]);
  if (view.scrollTop < CALL_HEIGHT) seen.current = calls[0]?.id;
  const fresh = calls.findIndex(({ id }) => id === seen.current);

  const visible = visibleLines(lines, view);
  const place = calls.findIndex(({ id }) => id === selected);
  const move = (to: number) => {
    const call = calls[Math.max(0, Math.min(to, calls.length - 1))];
    const line = lines.find(({ key }) => key === call?.id);
    const element = box.current;
    if (!element || !line) return;
    const { scrollTop, clientHeight: height } = element;
    element.scrollTop = reveal(line, { scrollTop, height });
    go({ call: call?.id }, 'replace');
  };
  const press = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(view.height / CALL_HEIGHT) - 1);
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
  const isDrawn = visible.some(({ key }) => key === selected);
  return (
    <div class="rows-frame">
      <div
        ref={box}
        class="rows"
        role="listbox"
        tabIndex={0}
        aria-label="Calls, newest first"
        aria-activedescendant={isDrawn ? `call-${selected}` : undefined}
        onScroll={look}
        onKeyDown={press}
      >
        <div role="presentation" class="all-rows" style={{ height: `${heightOf(lines)}px` }}>
          {visible.map((line) =>
            line.kind === 'call' ? (
              <Row
                key={line.key}
                line={line}
                of={calls.length}
                isSelected={line.key === selected}
                isMixed={isMixed}
              />
            ) : (
              <Mark key={line.key} line={line} isMixed={isMixed} />
            ),
          )}
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

interface RowProps {
  line: Line & { kind: 'call' };
  of: number;
  isSelected: boolean;
  isMixed: boolean;
}

function Row({ line, of, isSelected, isMixed }: RowProps) {
  const { call, place, top } = line;
  const [base, path] = splitPath(call);
  const at = Date.parse(call.at);
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
      style={{ top: `${top}px` }}
      onClick={() => go({ call: call.id })}
    >
      <time class="mono muted" datetime={call.at}>
        {timeText(at)}
        {isMixed ? <small> {dayText(at).slice(0, -5)}</small> : null}
      </time>{' '}
      <span class="what">
        <span class="call">
          <b>{call.method}</b> <span class="base">{base}</span>
          <UserText text={path} />
        </span>{' '}
        <small>
          {isMixed ? <Whose call={call} /> : null}
          <UserText class={isRefused(call) && !call.fault ? 'bad' : ''} text={summaryOf(call)} />
        </small>
      </span>{' '}
      <span class="outcome">
        <span class={`status ${statusClass(call)}`}>{statusText(call)}</span>{' '}
        <span class="mono muted ms">{tookText(call)}</span>{' '}
        {call.fault ? (
          <span class="tag">
            <span class="stage">{call.fault.stage} · </span>
            {call.fault.effect.kind}
          </span>
        ) : null}
        {hintOf(call) && !call.fault ? <span class="tag hinted">hint</span> : null}
      </span>
    </div>
  );
}

/** The folder of all operations, which a narrow row leaves out, and the rest of the path with its query. */
function splitPath({ path }: Call): [string, string] {
  const { basePath } = contract;
  return path.startsWith(`${basePath}/`) ? [basePath, path.slice(basePath.length)] : ['', path];
}

/** The merchant of a call, among those of others. */
const Whose = ({ call }: { call: Call }) => (
  <span class={call.merchant ? 'whose' : 'whose nobody'}>
    {call.merchant ? <UserText text={call.merchant.name} /> : 'no valid key'}{' '}
  </span>
);

/** A line between calls: a day, a change of the World, or time that passed. */
function Mark({ line, isMixed }: { line: Exclude<Line, { kind: 'call' }>; isMixed: boolean }) {
  return (
    <div class={`mark ${line.kind}`} role="presentation" style={{ top: `${line.top}px` }}>
      {line.kind === 'day' ? dayText(Date.parse(line.at)) : null}
      {line.kind === 'gap' ? `${durationText(line.ms)} passed` : null}
      {line.kind === 'change' ? (
        <>
          <b>{line.change.text}</b>
          <span class="mono muted">{timeText(Date.parse(line.change.at))}</span>
          {isMixed ? <UserText text={line.change.merchant.name} /> : null}
        </>
      ) : null}
    </div>
  );
}

/** `31 Jan 2026` */
const dayText = (at: number): string => momentText(at).split(' ').slice(0, 3).join(' ');
