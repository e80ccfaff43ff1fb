/* The clock of the World and the buttons that move it. */

/** @jsxImportSource hono/jsx/dom */
import { type Child, useLayoutEffect, useState } from 'hono/jsx/dom';
import type { AdvancedClock } from '../../../types/public.ts';
import { browserNow, every } from '../../layout/client/browser-time.ts';
import { control } from './api.ts';
import { Menu } from './menu.tsx';
import { attempt } from './merchants.ts';
import { Button, Dialog, Field, sentence } from './parts.tsx';
import { chosenMerchant, isServerAway, notify, useStore } from './store.ts';
import { counted, dayText, momentText, shownAt, timeText } from './times.ts';

export function ClockBar() {
  const clock = useStore((state) => chosenMerchant(state)?.clock);
  const isAway = useStore(isServerAway);
  const [asks, setAsks] = useState(false);
  if (!clock) return <div class="clock" />;
  const isRunning = clock.mode === 'running';
  const mode = {
    label: isRunning ? 'Freeze' : 'Resume',
    act: () => setMode(isRunning ? 'frozen' : 'running'),
  };
  const steps = [
    { label: '+15 min', act: move({ by: 'PT15M' }) },
    { label: '+1 day', act: move({ by: 'P1D' }) },
    { label: '+1 month', act: move({ by: 'P1M' }) },
    { label: 'Next event', act: move({ to: 'next' }) },
    { label: 'To…', act: () => setAsks(true) },
  ];
  return (
    <fieldset class={`clock ${clock.mode}`} aria-label="Clock" disabled={isAway}>
      <ShownTime />
      <span class={`pill ${isAway ? 'unknown' : clock.mode}`}>{clock.mode}</span>
      <Button class="mode" onClick={mode.act}>
        {mode.label}
      </Button>
      <span class="steps">
        {steps.map(({ label, act }) => (
          <Button key={label} onClick={act}>
            {label}
          </Button>
        ))}
      </span>
      <Menu label="Clock" class="of-clock" items={[mode, ...steps]} />
      {asks ? <ToDialog onClose={() => setAsks(false)} /> : null}
    </fieldset>
  );
}

function ShownTime() {
  const shown = useShownTime();
  return <time datetime={new Date(shown).toISOString()}>{momentText(shown)}</time>;
}

/** What the World's clock shows, updated while it runs. It stands while the sandbox does not respond. */
export function useShownTime(): number {
  const clock = useStore((state) => chosenMerchant(state)?.clock);
  const readAt = useStore((state) => state.readAt);
  const [now, setNow] = useState(browserNow());
  const isAway = useStore(isServerAway);
  const isRunning = clock?.mode === 'running' && !isAway;
  useLayoutEffect(() => {
    if (isAway) return undefined;
    setNow(browserNow());
    return isRunning ? every(250, () => setNow(browserNow())) : undefined;
  }, [isRunning, isAway]);
  return clock ? shownAt(clock, readAt, now) : 0;
}

const setMode = (mode: 'running' | 'frozen') =>
  attempt(() => control('clock', { method: 'PUT', body: { mode } }));

/** Moves the clock, and says what that ended. */
async function advance(body: { by: string } | { to: string }): Promise<void> {
  const { now, effects, more } = await control<AdvancedClock>('clock/advance', { body });
  const ended = effects.length + more;
  const said = `The clock shows ${momentText(Date.parse(now))}.`;
  notify('ok', ended === 0 ? `${said} Nothing ended.` : said, {
    lines: [...effects.map(effectText), ...(more > 0 ? [counted(more, 'more event')] : [])],
  });
}

const move = (body: Parameters<typeof advance>[0]) => () => attempt(() => advance(body));

/** `initiateMotorPolicy · CMP17… expired at 10:15:00 UTC`, or `8058167780 · cover ended on 28 Feb 2026` */
export const effectText = (effect: AdvancedClock['effects'][number]): Child =>
  effect.kind === 'purchase_expired'
    ? sentence`${effect.operation} · ${effect.token} expired at ${timeText(Date.parse(effect.at))} UTC`
    : sentence`${effect.policy_number} · cover ended on ${dayText(Date.parse(effect.at))}`;

/** Asks for a time in UTC, as everything on the page. */
function ToDialog({ onClose }: { onClose: () => void }) {
  const [opened] = useState(useShownTime());
  const shown = new Date(opened).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  const submit = ({ to }: Record<string, string>) =>
    advance({ to: new Date(`${to}Z`).toISOString() });
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
