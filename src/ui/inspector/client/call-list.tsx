/* The list of calls: only visible lines are drawn, and they stay in place when others arrive. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useMemo, useRef, useState } from 'hono/jsx/dom';
import {
  isRefusal,
  keyOf,
  type ListedCall,
  statusClass,
  statusText,
  summaryOf,
  tookText,
} from './call.ts';
import { momentText, receivedText, timeText } from './clock.tsx';
import { EndedList } from './ended-list.tsx';
import { Button, UserText } from './parts.tsx';
import { contract, go } from './store.ts';
import {
  CALL_HEIGHT,
  durationText,
  heightOf,
  keepPlace,
  linesOf,
  MARK_HEIGHT,
  reveal,
  type TimelineLine,
  visibleLines,
  type WorldChange,
} from './timeline.ts';

interface CallListProps {
  calls: readonly ListedCall[];
  /** What happened between the calls. */
  changes: readonly WorldChange[];
  selected: string | undefined;
  /** The clock of the calls, or that those of several are mixed. */
  clock: 'running' | 'frozen' | 'mixed';
}

export function CallList({ calls, changes, selected, clock }: CallListProps) {
  const isMixed = clock === 'mixed';
  const newest = calls[0] && keyOf(calls[0]);
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scrollTop: 0, height: 800 });
  const lines = useMemo(() => linesOf(calls, changes, { clock }), [calls, changes, clock]);
  const drawn = useRef(lines);
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
  if (view.scrollTop < CALL_HEIGHT) newestAtTop.current = newest;
  const fresh = calls.findIndex((call) => keyOf(call) === newestAtTop.current);

  const visible = visibleLines(lines, view);
  const place = calls.findIndex((call) => keyOf(call) === selected);
  const move = (to: number) => {
    const call = calls[Math.max(0, Math.min(to, calls.length - 1))];
    const chosen = call && keyOf(call);
    const line = lines.find(({ key }) => key === chosen);
    const element = box.current;
    if (!element || !line) return;
    const { scrollTop, clientHeight: height } = element;
    element.scrollTop = reveal(line, { scrollTop, height });
    go({ call: chosen }, 'replace');
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
      <div ref={box} class="rows" onScroll={look}>
        <div class="all-rows" style={{ height: `${heightOf(lines)}px` }}>
          <div
            role="listbox"
            tabIndex={0}
            aria-label="Calls, newest first"
            aria-activedescendant={isDrawn ? `call-${selected}` : undefined}
            onKeyDown={press}
          >
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
          {/* A list box has options only, so what can be pressed stands beside it. */}
          {visible.map((line) =>
            line.kind === 'change' ? (
              <EndedList key={line.key} change={line.change} top={line.top + MARK_HEIGHT} />
            ) : null,
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
  line: TimelineLine & { kind: 'call' };
  of: number;
  isSelected: boolean;
  isMixed: boolean;
}

function Row({ line, of, isSelected, isMixed }: RowProps) {
  const { key, call, place, top } = line;
  const [base, path] = splitPath(call);
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
      {isMixed ? (
        <RealTime call={call} />
      ) : (
        <time class="mono muted" datetime={call.at}>
          {timeText(Date.parse(call.at))}
        </time>
      )}{' '}
      <span class="what">
        <span class="call">
          <b>{call.method}</b> <span class="base">{base}</span>
          <span class="ending">
            <UserText text={path} />
          </span>
        </span>{' '}
        <small>
          {isMixed ? <Whose call={call} /> : null}
          <UserText class={isRefusal(call) ? 'bad' : ''} text={summaryOf(call)} />
        </small>
      </span>{' '}
      {call.fault ? (
        <span class="tag">
          <span class="stage">{call.fault.stage} · </span>
          {call.fault.effect.kind}
        </span>
      ) : null}
      {call.hint && !call.fault ? <span class="tag hinted">hint</span> : null}{' '}
      <span class={`status ${statusClass(call)}`}>{statusText(call)}</span>{' '}
      <span class="mono muted ms">{tookText(call)}</span>
    </div>
  );
}

/** The folder of all operations, which a narrow row leaves out, and the rest of the path with its query. */
function splitPath({ path }: ListedCall): [string, string] {
  const { basePath } = contract;
  return path.startsWith(`${basePath}/`) ? [basePath, path.slice(basePath.length)] : ['', path];
}

/** When a call arrived. The clocks of several Worlds have no order. */
function RealTime({ call }: { call: ListedCall }) {
  const { day, time } = receivedText(call);
  return (
    <time class="mono muted" datetime={call.received_at ?? undefined}>
      {time || 'earlier'}
      {day ? <small> {day}</small> : null}
    </time>
  );
}

/** The merchant of a call, among those of others. */
const Whose = ({ call }: { call: ListedCall }) => (
  <span class={call.merchant ? 'whose' : 'whose nobody'}>
    {call.merchant ? <UserText text={call.merchant.name} /> : 'no valid key'}{' '}
  </span>
);

/** A line between calls: a day, a change of the World, or time that passed. */
function Mark({
  line,
  isMixed,
}: {
  line: Exclude<TimelineLine, { kind: 'call' }>;
  isMixed: boolean;
}) {
  return (
    <div class={`mark ${line.kind}`} role="presentation" style={{ top: `${line.top}px` }}>
      {line.kind === 'day' ? dayText(Date.parse(line.at)) : null}
      {line.kind === 'gap' ? `${durationText(line.ms)} passed` : null}
      {line.kind === 'change' ? (
        <>
          <b>{line.change.text}</b>
          {isMixed ? (
            <UserText text={line.change.merchant.name} />
          ) : (
            <span class="mono muted">{timeText(Date.parse(line.change.at))}</span>
          )}
        </>
      ) : null}
    </div>
  );
}

/** `31 Jan 2026` */
const dayText = (at: number): string => momentText(at).split(' ').slice(0, 3).join(' ');
