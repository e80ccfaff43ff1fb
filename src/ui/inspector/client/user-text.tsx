/** @jsxImportSource hono/jsx/dom */
import { balanceIsolates, shorten } from '../../layout/client/user-text.ts';

interface UserTextProps {
  readonly text: string;
  /** Whether a long text is shown to its end. */
  readonly whole?: boolean;
  readonly class?: string;
}

/** A text that a user or a server wrote: it wraps anywhere, and reorders nothing beside it. */
export const UserText = ({ text, whole = false, class: name }: UserTextProps) =>
  text === '' ? null : <bdi class={name}>{balanceIsolates(whole ? text : shorten(text))}</bdi>;

/** A string as JSON writes it: its quotes stay at its sides. */
export const QuotedText = ({ json }: { readonly json: string }) => (
  <>
    "<UserText whole text={json.slice(1, -1)} />"
  </>
);
