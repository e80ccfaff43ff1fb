/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom';
import {
  type Call,
  faultTag,
  isRefused,
  statusClass,
  statusText,
  summaryOf,
  titleOf,
  tookText,
} from './call.ts';
import { timeText } from './moments.ts';
import { go } from './navigation.ts';
import { UserText } from './user-text.tsx';
import { keepPlace, reveal, windowOf } from './windowed.ts';

/** As high as the style sheet makes a row. */
const ROW = 52;

/** The calls of which only those to be seen are drawn. What one reads stays where it is when others come. */
export function CallList({
  calls,
  selected,
}: {
  readonly calls: readonly Call[];
  readonly selected: string | undefined;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scrollTop: 0, height: 800 });
  const drawn = useRef(calls);
  // The newest call when the top was last in view: what came since is new.
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
    const call = calls[Math.max(0, Math.min(to, calls.length - 1))];
    const element = box.current;
    if (!call || !element) return;
    const height = element.clientHeight;
    element.scrollTop = reveal(calls.indexOf(call), ROW, { scrollTop: element.scrollTop, height });
    go({ call: call.id }, 'replace');
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
        <button type="button" class="fresh" onClick={() => box.current?.scrollTo({ top: 0 })}>
          {fresh} new
        </button>
      ) : null}
    </div>
  );
}

function Row({
  call,
  place,
  of,
  isSelected,
}: {
  readonly call: Call;
  readonly place: number;
  readonly of: number;
  readonly isSelected: boolean;
}) {
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
          {call.merchant === null ? ' · belongs to no merchant' : ''}
        </small>
      </span>
      {tag ? <span class="tag">{tag}</span> : <span class="mono muted ms">{tookText(call)}</span>}
    </div>
  );
}
