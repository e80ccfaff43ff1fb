/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import { answerOf, asMerchant, control, type Effect } from './api.ts';
import { attempt } from './merchants.ts';
import { momentText, shownAt, timeText } from './moments.ts';
import { Dialog, Field, inputOf, useNow } from './parts.tsx';
import { chosenMerchant, getState, notify, useStore } from './store.ts';
import { UserText } from './user-text.tsx';
import { readClock, showClock } from './world.ts';

const STEPS = [
  { by: 'PT15M', label: '+15 min', said: 'Fifteen minutes passed' },
  { by: 'P1D', label: '+1 day', said: 'A day passed' },
  { by: 'P1M', label: '+1 month', said: 'A month passed' },
] as const;

/** The clock of the World, and what moves it. */
export function ClockBar() {
  const clock = useStore((state) => state.clock);
  const [asks, setAsks] = useState(false);
  if (!clock) return <div class="clock" />;
  const isRunning = clock.mode === 'running';
  return (
    <fieldset class="clock" aria-label="Clock">
      <ShownTime />
      <span class={`pill ${clock.mode}`}>{clock.mode}</span>
      <button type="button" onClick={() => setMode(isRunning ? 'frozen' : 'running')}>
        {isRunning ? 'Freeze' : 'Run'}
      </button>
      {STEPS.map(({ by, label, said }) => (
        <button key={by} type="button" onClick={() => advance({ by }, said)}>
          {label}
        </button>
      ))}
      <button type="button" onClick={() => setAsks(true)}>
        To…
      </button>
      {asks ? <ToDialog onClose={() => setAsks(false)} /> : null}
    </fieldset>
  );
}

function ShownTime() {
  const clock = useStore((state) => state.clock);
  const now = useNow(clock?.mode === 'running');
  if (!clock) return null;
  const at = shownAt(clock, now);
  return <time datetime={new Date(at).toISOString()}>{momentText(at)}</time>;
}

async function setMode(mode: 'running' | 'frozen'): Promise<void> {
  const merchant = chosenMerchant(getState());
  if (!merchant) return;
  const clock = await attempt(
    answerOf(control.clock.$put({ json: { mode } }, asMerchant(merchant))),
  );
  if (clock) showClock(clock);
}

async function advance(json: { by: string } | { to: string }, said: string): Promise<void> {
  const merchant = chosenMerchant(getState());
  if (!merchant) return;
  const moved = await attempt(
    answerOf(control.clock.advance.$post({ json }, asMerchant(merchant))),
  );
  if (!moved) return;
  showClock(moved);
  const { effects } = moved;
  notify('ok', `${said}. ${lapsed(effects.length)}`, effects.map(describeEffect));
}

const lapsed = (count: number): string =>
  count === 0
    ? 'Nothing lapsed.'
    : count === 1
      ? 'One pending purchase lapsed:'
      : `${count} pending purchases lapsed:`;

const describeEffect = ({ operation, token, at }: Effect) => (
  <>
    {operation} · <UserText text={token} /> · at {timeText(Date.parse(at))}
  </>
);

/** Asks for a moment, which is read as UTC like all that the page shows. */
function ToDialog({ onClose }: { readonly onClose: () => void }) {
  const clock = useStore((state) => state.clock);
  const shown = clock ? new Date(shownAt(clock, clock.readAt)).toISOString().slice(0, 19) : '';
  const [to, setTo] = useState(shown);
  const submit = (event: Event) => {
    event.preventDefault();
    const at = Date.parse(`${to}Z`);
    if (Number.isNaN(at)) return;
    onClose();
    void advance({ to: new Date(at).toISOString() }, `The clock went to ${momentText(at)}`).then(
      readClock,
    );
  };
  return (
    <Dialog title="Move the clock to a moment" onClose={onClose}>
      <form onSubmit={submit}>
        <Field label="Moment (UTC)" hint="Clocks move forward only.">
          <input
            type="datetime-local"
            step="1"
            min={shown}
            value={to}
            required
            onInput={(event: Event) => setTo(inputOf(event))}
          />
        </Field>
        <div class="actions end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Move the clock
          </button>
        </div>
      </form>
    </Dialog>
  );
}
