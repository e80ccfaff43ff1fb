/* The list of calls and events: only visible lines are drawn, and they stay in place when others arrive. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useMemo, useRef, useState } from 'hono/jsx/dom';
import type { WorldEvent } from '../../../types/public.ts';
import { effectText } from './clock.tsx';
import {
  endedBy,
  type Item,
  isCall,
  isRefused,
  type JournalCall,
  keyOf,
  reasonText,
  statusClass,
  statusText,
  titleOf,
  tookText,
} from './items.ts';
import {
  CALL_HEIGHT,
  heightOf,
  keepPlace,
  type ListLine,
  linesOf,
  MARK_HEIGHT,
  MAX_EFFECTS,
  reveal,
  visibleLines,
} from './lines.ts';
import { Button, Marked, UserText } from './parts.tsx';
import { go } from './store.ts';
import { counted, dayText, receivedText, timeText } from './times.ts';

interface CallListProps {
  items: readonly Item[];
  selected: string | undefined;
  /** Whether the items are those of several clocks. */
  isMixed: boolean;
  /** The words to mark. */
  words: readonly string[];
}

export function CallList({ items, selected, isMixed, words }: CallListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scrollTop: 0, height: 800 });
  const calls = useMemo(() => items.filter(isCall), [items]);
  const lines = useMemo(() => linesOf(items, isMixed), [items, isMixed]);
  const drawn = useRef(lines);
  const newest = calls[0] && keyOf(calls[0]);
  // The newest call when the top was last visible. Later ones are new.
  const newestAtTop = useRef(newest);
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
  const show = (key: string | undefined) => {
    const line = lines.find((each) => each.key === key);
    const element = box.current;
    if (!element || !line) return;
    const { scrollTop, clientHeight: height } = element;
    element.scrollTop = reveal(line, { scrollTop, height });
  };
  // A link to a call scrolls to it.
  useLayoutEffect(() => show(selected), [selected, lines.some(({ key }) => key === selected)]);
  if (view.scrollTop < CALL_HEIGHT) newestAtTop.current = newest;
  const fresh = calls.findIndex((call) => keyOf(call) === newestAtTop.current);
  const place = calls.findIndex((call) => keyOf(call) === selected);
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
    const call = calls[Math.max(0, Math.min(to, calls.length - 1))];
    if (event.key === 'Enter') document.querySelector<HTMLElement>('.detail .title')?.focus();
    else if (call) go({ call: keyOf(call) }, 'replace');
  };
  const visible = visibleLines(lines, view);
  return (
    <div class="rows-frame">
      <div ref={box} class="rows" onScroll={look}>
        <div class="all-rows" style={{ height: `${heightOf(lines)}px` }}>
          <div
            role="listbox"
            tabIndex={0}
            aria-label="Calls, newest first"
            aria-activedescendant={
              visible.some(({ key }) => key === selected) ? `call-${selected}` : undefined
            }
            onKeyDown={press}
          >
            {visible.map((line) =>
              line.item && isCall(line.item) ? (
                <Row
                  key={line.key}
                  line={line}
                  call={line.item}
                  of={calls.length}
                  isSelected={line.key === selected}
                  isMixed={isMixed}
                  words={words}
                />
              ) : (
                <Mark key={line.key} line={line} event={line.item} isMixed={isMixed} />
              ),
            )}
          </div>
        </div>
      </div>
      {fresh > 0 ? (
        <Button class="fresh" onClick={() => box.current?.scrollTo({ top: 0 })}>
          {fresh.toLocaleString('en')} new
        </Button>
      ) : null}
    </div>
  );
}

interface RowProps {
  line: ListLine;
  call: JournalCall;
  of: number;
  isSelected: boolean;
  isMixed: boolean;
  words: readonly string[];
}

function Row({ line, call, of, isSelected, isMixed, words }: RowProps) {
  const { key, place, top } = line;
  const { fault, hint } = call;
  const reason = isRefused(call) ? reasonText(call) : '';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the list
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
    <div
      role="option"
      id={`call-${key}`}
      class="row"
      aria-selected={String(isSelected)}
      aria-setsize={of}
      aria-posinset={place + 1}
      style={{ top: `${top}px` }}
      onClick={() => go({ call: key })}
    >
      <RowTime call={call} isMixed={isMixed} />{' '}
      <span class={`status ${statusClass(call)}`}>{statusText(call)}</span>{' '}
      <span class="what">
        <span class="call">
          <Marked text={titleOf(call)} words={words} />
          {isMixed ? (
            <span class={call.merchant ? 'whose' : 'whose nobody'}>
              {' '}
              <Marked text={call.merchant?.name ?? 'no valid key'} words={words} />
            </span>
          ) : null}
        </span>{' '}
        <small>
          {reason ? (
            <span class="bad">
              <Marked text={reason} words={words} />{' '}
            </span>
          ) : null}
          <Marked text={call.summary ?? ''} words={words} />
        </small>
      </span>{' '}
      {fault ? <span class="tag">{`${fault.stage} ${fault.effect.kind}`}</span> : null}
      {hint && !fault ? <span class="tag hinted">hint</span> : null}{' '}
      <span class="mono muted ms">{tookText(call)}</span>
    </div>
  );
}

/** When a call arrived: by the World's clock, or in real time if there are several Worlds. */
function RowTime({ call, isMixed }: { call: JournalCall; isMixed: boolean }) {
  if (!isMixed) {
    return (
      <time class="mono muted" datetime={call.at}>
        {timeText(Date.parse(call.at))}
      </time>
    );
  }
  const { day, time } = receivedText(call);
  return (
    <time class="mono muted" datetime={call.received_at ?? undefined} title={day}>
      {time || 'earlier'}
    </time>
  );
}

/** A line between calls: a day, or an event of a World with what it ended. */
interface MarkProps {
  line: ListLine;
  event: WorldEvent | undefined;
  isMixed: boolean;
}

function Mark({ line, event, isMixed }: MarkProps) {
  const style = { top: `${line.top}px`, height: `${line.height}px` };
  if (!event) {
    return (
      <div class="mark day" role="presentation" style={style}>
        {dayText(Date.parse(`${line.day}T00:00:00Z`))} UTC
      </div>
    );
  }
  const { effects, more } = endedBy(event);
  const left = effects.length - MAX_EFFECTS + more;
  return (
    <div class="mark event" role="presentation" style={style}>
      <p style={{ height: `${MARK_HEIGHT}px` }}>
        <span class="mono muted">{timeText(Date.parse(event.at))}</span>{' '}
        <b>
          <UserText text={event.summary} />
        </b>{' '}
        {isMixed ? <UserText text={event.merchant.name} /> : null}
      </p>
      {effects.slice(0, MAX_EFFECTS).map((effect) => (
        <p>{effectText(effect)}</p>
      ))}
      {left > 0 ? <p>{counted(left, 'more event')}</p> : null}
    </div>
  );
}
