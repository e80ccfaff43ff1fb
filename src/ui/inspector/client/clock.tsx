/* The clock of the World, the buttons that move it, and times as people read them. */

/** @jsxImportSource hono/jsx/dom */
import { type Child, useLayoutEffect, useState } from 'hono/jsx/dom';
import type { AdvancedClock } from '../../../public.ts';
import { browserNow, every } from '../../layout/client/browser-time.ts';
import type { Contract } from '../contract.ts';
import { answerOf, control } from './api.ts';
import { readEnded } from './ended.ts';
import { attempt } from './merchants.ts';
import { Button, Dialog, Field, sentence } from './parts.tsx';
import {
  contract,
  getState,
  isServerAway,
  notify,
  type Reading,
  setState,
  useStore,
} from './store.ts';
import { nameMove, readClock, showClock } from './world.ts';

/** The steps of the clock: until every token has expired, a day, a month. */
const stepsOf = ({ longestLifetime: minutes }: Contract) => [
  { by: `PT${minutes}M`, label: `+${minutes} min`, words: `by ${minutes} minutes` },
  { by: 'P1D', label: '+1 day', words: 'by a day' },
  { by: 'P1M', label: '+1 month', words: 'by a month' },
];

export function ClockBar() {
  const clock = useStore((state) => state.clock);
  const isAway = useStore(isServerAway);
  const [asks, setAsks] = useState(false);
  if (!clock) return <div class="clock" />;
  const isRunning = clock.mode === 'running';
  return (
    <fieldset class={`clock ${clock.mode}`} aria-label="Clock" disabled={isAway}>
      <ShownTime />
      <span class={`pill ${isAway ? 'unknown' : clock.mode}`}>{clock.mode}</span>
      <Button class="mode" onClick={() => setMode(isRunning ? 'frozen' : 'running')}>
        {isRunning ? 'Freeze' : 'Run'}
      </Button>
      <span class="steps">
        {stepsOf(contract).map(({ by, label, words }) => (
          <Button key={by} onClick={() => advance({ by }, words)}>
            {label}
          </Button>
        ))}
        <Button onClick={() => setAsks(true)}>To…</Button>
      </span>
      {asks ? <ToDialog onClose={() => setAsks(false)} /> : null}
    </fieldset>
  );
}

function ShownTime() {
  const { shown } = useShownTime();
  return <time datetime={new Date(shown).toISOString()}>{momentText(shown)}</time>;
}

/**
 * What the World's clock shows, updated every quarter of a second while it runs; 0 until it is read. It stands while the
 * sandbox does not respond.
 */
export function useShownTime(): { readonly isRead: boolean; readonly shown: number } {
  const clock = useStore((state) => state.clock);
  const [now, setNow] = useState(browserNow());
  const isAway = useStore(isServerAway);
  const isRunning = clock?.mode === 'running' && !isAway;
  useLayoutEffect(() => {
    if (isAway) return undefined;
    setNow(browserNow());
    return isRunning ? every(250, () => setNow(browserNow())) : undefined;
  }, [isRunning, isAway]);
  return { isRead: clock !== undefined, shown: clock ? shownAt(clock, now) : 0 };
}

const setMode = (mode: 'running' | 'frozen') =>
  attempt(async () => showClock(await answerOf(control.clock.$put({ json: { mode } }))));

/** Moves the clock. The notice and the event in the list say how far in the same words. */
const advance = (json: { by: string } | { to: string }, words: string) =>
  attempt(async () => {
    const { gate, purchases = [] } = getState();
    const sent = answerOf(control.clock.advance.$post({ json }));
    const { answer: moved, number } = await nameMove(words, sent);
    showClock(moved);
    const told = `Moved the clock ${words}. ${summaryOf(moved.effects)}`;
    // The list of calls has what ended. With a merchant's key it has no moves, so the notice lists it.
    const isListed = gate.kind === 'open' && gate.to === 'sandbox';
    notify('ok', told, isListed ? [] : effectLines(moved));
    if (isListed && moved.effects.length > 0) {
      const ended = await readEnded(moved, purchases);
      setState({ ended: { ...getState().ended, [number]: ended } });
    }
  });

const effectLines = ({ effects, more }: AdvancedClock): readonly Child[] => [
  ...effects.map((effect) =>
    effect.kind === 'purchase_expired'
      ? sentence`${effect.operation} · ${effect.token} · expired at ${timeText(Date.parse(effect.at))}`
      : sentence`${tagOf(effect.family)} ${effect.policy_number} · cover ended on ${momentText(Date.parse(effect.at))}`,
  ),
  ...(more > 0 ? [`… ${more} more`] : []),
];

/** `1 pending purchase expired, 2 covers ended.` */
function summaryOf(effects: AdvancedClock['effects']): string {
  const expired = effects.filter(({ kind }) => kind === 'purchase_expired').length;
  const counted = (count: number, what: string, did: string) =>
    count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'} ${did}`];
  const parts = [
    ...counted(expired, 'pending purchase', 'expired'),
    ...counted(effects.length - expired, 'cover', 'ended'),
  ];
  return parts.length === 0 ? 'Nothing expired.' : `${parts.join(', ')}.`;
}

const tagOf = (family: string): string =>
  contract.families.find(({ key }) => key === family)?.tag ?? family;

/** Asks for a time in UTC, as everything on the page. */
function ToDialog({ onClose }: { onClose: () => void }) {
  const clock = useStore((state) => state.clock);
  const shown = clock ? new Date(shownAt(clock, clock.readAt)).toISOString().slice(0, 19) : '';
  const submit = async ({ to }: Record<string, string>) => {
    onClose();
    const at = Date.parse(`${to}Z`);
    await advance({ to: new Date(at).toISOString() }, `to ${momentText(at)}`);
    await readClock();
  };
  return (
    <Dialog
      title="Move the clock to which time?"
      action="Move the clock"
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Time (UTC)"
        hint="A clock only moves forward."
        name="to"
        type="datetime-local"
        step="1"
        min={shown}
        value={shown}
        required
      />
    </Dialog>
  );
}

/* Times as people read them, always UTC, so that two people see the same. */

/** `10:15:00` */
export const timeText = (at: number): string => new Date(at).toISOString().slice(-13, -5);

/** `31 Jan 2026 10:15:00 UTC` */
export const momentText = (at: number): string =>
  new Date(at).toUTCString().replace(/^\w+, 0?(.*) GMT$/, '$1 UTC');

const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/**
 * When a call arrived in real time, in the time zone of the browser as in the request log; without a day if it was
 * today. Empty if nobody knows: a call of an earlier run.
 */
export function receivedText({ received_at }: { readonly received_at: string | null }) {
  if (received_at === null) return { day: '', time: '' };
  const at = Date.parse(received_at);
  const day = DAY.format(at);
  return { day: day === DAY.format(browserNow()) ? '' : day, time: TIME.format(at) };
}

/** `14:07`, or `expired` once nothing remains. */
export function remainingText(ms: number): string {
  if (ms <= 0) return 'expired';
  const seconds = Math.ceil(ms / 1000);
  const text = (part: number) => String(part).padStart(2, '0');
  return `${text(Math.floor(seconds / 60))}:${text(seconds % 60)}`;
}

/** What a World's clock shows by now. */
export const shownAt = ({ shown, readAt, mode }: Reading, now: number): number =>
  mode === 'frozen' ? shown : shown + Math.max(0, now - readAt);
