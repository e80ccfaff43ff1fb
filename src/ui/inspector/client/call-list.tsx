/* The list of calls, with days and events of Worlds between them. */

/** @jsxImportSource hono/jsx/dom */
import { memo, useEffect, useMemo } from 'hono/jsx/dom';
import type { WorldEvent } from '../../../types/public.ts';
import { effectText } from './clock.tsx';
import {
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
import { Marked, UserText } from './parts.tsx';
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

/** The browser draws only visible rows, and keeps them in place when others arrive. */
export function CallList({ items, selected, isMixed, words }: CallListProps) {
  const calls = useMemo(() => items.filter(isCall), [items]);
  const place = calls.findIndex((call) => keyOf(call) === selected);
  // A link to a call scrolls to it. Not useLayoutEffect: a new list is not in the page then.
  useEffect(() => {
    document.getElementById(`call-${selected}`)?.scrollIntoView({ block: 'nearest' });
  }, [selected, place >= 0]);
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowDown: place + 1,
      j: place + 1,
      ArrowUp: place - 1,
      k: place - 1,
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
  return (
    <div
      class="rows"
      role="listbox"
      tabIndex={0}
      aria-label="Calls, newest first"
      aria-activedescendant={place >= 0 ? `call-${selected}` : undefined}
      onKeyDown={press}
    >
      {withDays(items, isMixed).map(({ key, day, item }) =>
        item === undefined ? (
          <Day key={key} day={day} />
        ) : isCall(item) ? (
          <Row
            key={key}
            call={item}
            isSelected={key === selected}
            isMixed={isMixed}
            words={words}
          />
        ) : (
          <EventLine key={key} event={item} isMixed={isMixed} />
        ),
      )}
    </div>
  );
}

/** A line of the list: an item, or the day of the items below it. */
interface Line {
  readonly key: string;
  readonly day: string;
  readonly item?: Item;
}

/** The items with their days. Days make no sense if the items of several clocks are mixed. */
export function withDays(items: readonly Item[], isMixed: boolean): readonly Line[] {
  let last = '';
  return items.flatMap((item, index): Line[] => {
    const day = item.at.slice(0, 'yyyy-mm-dd'.length);
    const key = isCall(item) ? keyOf(item) : `event ${items.length - index} ${item.at}`;
    const isNewDay = !isMixed && day !== last;
    last = day;
    return [...(isNewDay ? [{ key: `day ${key}`, day }] : []), { key, day, item }];
  });
}

interface RowProps {
  call: JournalCall;
  isSelected: boolean;
  isMixed: boolean;
  words: readonly string[];
}

const Row = memo(({ call, isSelected, isMixed, words }: RowProps) => {
  const { fault, hint } = call;
  const key = keyOf(call);
  const reason = isRefused(call) ? reasonText(call) : '';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the list
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
    <div
      role="option"
      id={`call-${key}`}
      class="row"
      aria-selected={String(isSelected)}
      onClick={() => go({ call: key })}
    >
      <time class="mono muted" datetime={call.at}>
        {isMixed ? receivedText(call) : timeText(Date.parse(call.at))}
      </time>{' '}
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
});

const Day = ({ day }: { day: string }) => (
  <div class="mark day" role="presentation">
    {dayText(Date.parse(day))} UTC
  </div>
);

/** How much of what a move of the clock ended is listed. */
const MAX_EFFECTS = 3;

/** An event of a World with what it ended. */
function EventLine({ event, isMixed }: { event: WorldEvent; isMixed: boolean }) {
  const { effects, more } = event.kind === 'clock' ? event : { effects: [], more: 0 };
  const left = effects.length - MAX_EFFECTS + more;
  return (
    <div class="mark" role="presentation">
      <p>
        <span class="mono muted">{isMixed ? '' : timeText(Date.parse(event.at))}</span>{' '}
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
