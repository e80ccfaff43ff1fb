/* Components that several views share. */

/** @jsxImportSource hono/jsx/dom */
import type { JSX } from 'hono/jsx';
import { type Child, useEffect, useRef, useState } from 'hono/jsx/dom';
import { balanceIsolates, copyText, shorten } from '../../layout/client/user-text.ts';
import {
  type Address,
  go,
  isServerAway,
  notify,
  setState,
  useStore,
  writeAddress,
} from './store.ts';

/** A text from a user or a server. It wraps anywhere and cannot reorder the text around it. */
export const UserText = (props: { text: string; whole?: boolean; class?: string }) => {
  const { text, whole = false, class: name } = props;
  return text === '' ? null : (
    <bdi class={name}>{balanceIsolates(whole ? text : shorten(text))}</bdi>
  );
};

/** Such a text with the words of a search marked. */
export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  const found = words.filter((word) => text.toLowerCase().includes(word));
  if (found.length === 0) return <UserText text={text} />;
  const pattern = new RegExp(
    `(${found.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`,
    'gi',
  );
  return (
    <bdi>
      {balanceIsolates(shorten(text))
        .split(pattern)
        .map((part, place) => (place % 2 === 1 ? <mark>{part}</mark> : part))}
    </bdi>
  );
}

/** A sentence with such texts: "sentence`Remove ${merchant.name}?`". */
export const sentence = (words: TemplateStringsArray, ...texts: string[]): Child =>
  words.map((word, place) => [word, <UserText text={texts[place] ?? ''} />]);

/** A button that does not submit a form. */
export const Button = ({ children, ...props }: JSX.IntrinsicElements['button']) => (
  <button type="button" {...props}>
    {children}
  </button>
);

/** A link to something else that the page shows. With a modifier key the browser opens it beside. */
export function Link({ to, ...props }: JSX.IntrinsicElements['a'] & { to: Partial<Address> }) {
  const address = useStore((state) => state.address);
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(to, 'push', { notice: undefined });
  };
  return <a href={writeAddress({ ...address, ...to })} onClick={follow} {...props} />;
}

type ActButtonProps = Omit<JSX.IntrinsicElements['button'], 'onClick'> & {
  onClick?: () => unknown;
};

/** A button whose action needs the sandbox: once at a time, and not while the sandbox is away. */
export function ActButton({ disabled, onClick, ...props }: ActButtonProps) {
  const isAway = useStore(isServerAway);
  const [busy, setBusy] = useState(false);
  const act = async () => {
    if (busy || !onClick) return;
    setBusy(true);
    await onClick();
    setBusy(false);
  };
  return (
    <Button
      disabled={disabled === true || isAway}
      // A disabled button would lose the focus.
      aria-disabled={busy ? 'true' : undefined}
      onClick={act}
      {...props}
    />
  );
}

/** Copies a text, and says so. */
export async function copy(text: string): Promise<void> {
  const done = await copyText(text);
  notify(done ? 'ok' : 'bad', done ? 'Copied.' : 'The browser did not copy it.');
}

interface CopyButtonProps {
  text: string | (() => string);
  /** What is copied, for screen readers. */
  label: string;
  children?: Child;
}

export const CopyButton = ({ text, label, children = 'Copy' }: CopyButtonProps) => (
  <Button
    class="quiet"
    aria-label={label}
    onClick={() => copy(typeof text === 'string' ? text : text())}
  >
    {children}
  </Button>
);

interface DialogProps {
  title: Child;
  /** The label of the submit button. */
  action: string;
  /** A form is sent once at a time. It closes unless this throws. */
  onSubmit: (fields: Record<string, string>) => unknown;
  onClose: () => void;
  children?: Child;
}

/** A modal form, with the reason of a refusal. Escape and Cancel close it, and the focus goes back to where it was. */
export function Dialog({ title, action, onSubmit, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState('');
  const busy = useRef(false);
  const close = () => dialog.current?.close();
  const submit = async (event: Event) => {
    const fields = submitted(event);
    if (busy.current) return;
    busy.current = true;
    try {
      await onSubmit(fields);
      close();
    } catch (error) {
      setProblem((error as Error).message);
    }
    busy.current = false;
  };
  useEffect(() => {
    if (dialog.current?.isConnected && !dialog.current.open) dialog.current.showModal();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose}>
      <h2 class="title" id="dialog-title">
        {title}
      </h2>
      <form onSubmit={submit}>
        {children}
        <p class="bad" role="alert">
          <UserText whole text={problem} />
        </p>
        <div class="actions end">
          <Button onClick={close}>Cancel</Button>
          <ActButton type="submit" class="primary">
            {action}
          </ActButton>
        </div>
      </form>
    </dialog>
  );
}

interface TableProps {
  class?: string;
  titles: readonly Child[];
  children: Child;
}

/** A table that scrolls in its own frame. */
export const Table = ({ titles, children, ...props }: TableProps) => (
  <div class="table-frame">
    <table {...props}>
      <thead>
        <tr>
          {titles.map((title, place) => (
            <th key={place} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

/** The fields of a submitted form, by name. */
export function submitted(event: Event): Record<string, string> {
  event.preventDefault();
  const fields = new FormData(event.target as HTMLFormElement);
  return Object.fromEntries(fields) as Record<string, string>;
}

/** The value of a form field. */
export const inputOf = (event: Event): string => (event.target as HTMLInputElement).value;

type FieldProps = JSX.IntrinsicElements['input'] & {
  label: Child;
  hint?: string | undefined;
  /** The labels of a select's options, by value. */
  options?: Readonly<Record<string, string>>;
  /** The height of a text area. */
  rows?: number;
};

/** A form field with its label: a select, a text area or an input. */
export function Field({ label, hint, options, rows, ...props }: FieldProps) {
  const area = rows ? <textarea rows={rows} spellcheck={false} {...props} /> : undefined;
  // The option is selected, not the value set: Hono sets a value again whenever the form is drawn again.
  const { value: selected, ...others } = props;
  const select = options ? (
    <select {...(others as JSX.IntrinsicElements['select'])}>
      {Object.entries(options).map(([value, text]) => (
        <option key={value} value={value} selected={value === selected}>
          {text}
        </option>
      ))}
    </select>
  ) : undefined;
  return (
    <div class="field">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: its child is the control */}
      <label>
        <span>{label}</span>
        {select ?? area ?? <input {...props} />}
      </label>
      {hint ? <small class="muted">{hint}</small> : null}
    </div>
  );
}

const dismiss = () => setState({ notice: undefined });

/** The latest notice. Screen readers announce it. */
export function NoticeView() {
  const notice = useStore((state) => state.notice);
  return (
    <div class="notices" role="status" aria-live="polite">
      {notice ? (
        <div class={`notice ${notice.tone}`}>
          <div>
            <p>{isolated(notice.text)}</p>
            <ul>
              {notice.lines.map((line) => (
                <li>{isolated(line)}</li>
              ))}
            </ul>
          </div>
          {notice.undo ? <ActButton onClick={() => notice.undo?.()}>Undo</ActButton> : null}
          <Button class="quiet icon" aria-label="Dismiss" onClick={dismiss}>
            ✕
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** Isolates a plain text, which may come from the sandbox. A `sentence` isolates its own parts. */
const isolated = (said: Child): Child =>
  typeof said === 'string' ? <UserText whole text={said} /> : said;
