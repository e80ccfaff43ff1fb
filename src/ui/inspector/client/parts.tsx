/** @jsxImportSource hono/jsx/dom */
import { type Child, useEffect, useLayoutEffect, useRef, useState } from 'hono/jsx/dom';
import { after, browserNow, every } from '../../layout/client/browser-time.ts';
import { copyText } from '../../layout/client/copy.ts';

/* Small parts that several views have. */

/** Copies a text, and says for a moment that it did. */
export function CopyButton({
  text,
  label,
  quiet,
  children = 'Copy',
}: {
  readonly text: string | (() => string);
  /** What is copied, for those who do not see where the button stands. */
  readonly label?: string;
  readonly quiet?: boolean;
  readonly children?: Child;
}) {
  const [said, say] = useState('');
  const copy = async () => {
    const done = await copyText(typeof text === 'string' ? text : text());
    say(done ? 'Copied' : 'Not copied');
    after(1500, () => say(''));
  };
  return (
    <button
      type="button"
      class={quiet ? 'quiet' : ''}
      aria-label={said ? undefined : label}
      onClick={copy}
    >
      {/* The label keeps its room, so that nothing moves. */}
      <span class={said ? 'copy unseen' : 'copy'}>{children}</span>
      <span class="said" aria-live="polite">
        {said}
      </span>
    </button>
  );
}

/** A question or a form over everything else. Escape and the button close it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: Child;
  readonly onClose: () => void;
  readonly children?: Child;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (dialog.current?.isConnected && !dialog.current.open) dialog.current.showModal();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose}>
      <div class="dialog-head">
        <h2 class="title" id="dialog-title">
          {title}
        </h2>
        <button
          type="button"
          class="quiet icon"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          ✕
        </button>
      </div>
      {children}
    </dialog>
  );
}

/** Asks before something that can't be undone. */
export function Confirm({
  title,
  action,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: Child;
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children?: Child;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event: Event) => {
          event.preventDefault();
          onClose();
          onConfirm();
        }}
      >
        <p>{children}</p>
        <div class="actions end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="danger">
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** A form field with its label and what may be said of it. */
export function Field({
  label,
  hint,
  children,
}: {
  readonly label: Child;
  readonly hint?: string | undefined;
  readonly children?: Child;
}) {
  return (
    <div class="field">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: what is in it is the control */}
      <label>
        <span>{label}</span>
        {children}
      </label>
      {hint ? <small class="muted">{hint}</small> : null}
    </div>
  );
}

/** The browser's clock, anew every quarter of a second: enough for seconds that tick on time. */
export function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(browserNow());
  useLayoutEffect(() => {
    setNow(browserNow());
    return isTicking ? every(250, () => setNow(browserNow())) : undefined;
  }, [isTicking]);
  return now;
}

/** What a form field says. */
export const inputOf = (event: Event): string => (event.target as HTMLInputElement).value;
