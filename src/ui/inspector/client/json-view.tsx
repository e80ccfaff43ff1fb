/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import { shorten } from '../../layout/client/user-text.ts';
import { FOLDED, type JsonLine, jsonLines, MEMBERS_SHOWN } from './json-lines.ts';
import { QuotedText, UserText } from './user-text.tsx';

const NOTHING: ReadonlyMap<string, string> = new Map();
const MORE_MEMBERS = 500;

/** JSON in colours. What is large is folded; what is wrong is marked, each with its reason. */
export function JsonView({
  value,
  marks = NOTHING,
}: {
  readonly value: unknown;
  /** What is wrong, by path. */
  readonly marks?: ReadonlyMap<string, string>;
}) {
  const [unfolded, setUnfolded] = useState(FOLDED);
  const { open, members, texts } = unfolded;
  const set = (path: string, isOpen: boolean) =>
    setUnfolded({ ...unfolded, open: new Map(open).set(path, isOpen) });
  const showMore = (path: string) => {
    const shown = (members.get(path) ?? MEMBERS_SHOWN) + MORE_MEMBERS;
    setUnfolded({ ...unfolded, members: new Map(members).set(path, shown) });
  };
  const showText = (path: string) => setUnfolded({ ...unfolded, texts: new Set([...texts, path]) });
  const lines = jsonLines(value, new Set(marks.keys()), unfolded);
  return (
    <pre class="json">
      {lines.map((line) => (
        <Line
          key={`${line.kind} ${line.path} ${line.indent}`}
          line={line}
          mark={line.kind === 'close' || line.kind === 'more' ? undefined : marks.get(line.path)}
          onFold={set}
          onMore={showMore}
          onText={showText}
        />
      ))}
    </pre>
  );
}

function Line({
  line,
  mark,
  onFold,
  onMore,
  onText,
}: {
  readonly line: JsonLine;
  readonly mark: string | undefined;
  readonly onFold: (path: string, isOpen: boolean) => void;
  readonly onMore: (path: string) => void;
  readonly onText: (path: string) => void;
}) {
  const { kind, path, key, text, comma, count } = line;
  const isFoldable = (kind === 'open' || kind === 'folded') && path !== '';
  return (
    <span
      class={mark === undefined ? 'line' : 'line wrong'}
      style={{ '--indent': String(line.indent) }}
    >
      {isFoldable ? (
        <button
          type="button"
          class="fold"
          aria-expanded={String(kind === 'open')}
          aria-label={`${key ?? path} ${kind === 'open' ? 'fold' : 'unfold'}`}
          onClick={() => onFold(path, kind === 'folded')}
        />
      ) : null}
      {key === undefined ? null : (
        <span class="k">
          <QuotedText json={JSON.stringify(shorten(key))} />
        </span>
      )}
      {key === undefined ? null : ': '}
      {kind === 'more' ? (
        <button type="button" class="more" onClick={() => onMore(path)}>
          Show more: {count} are left out
        </button>
      ) : (
        <span class={kind}>{kind === 'text' ? <QuotedText json={text} /> : text}</span>
      )}
      {comma ? ',' : ''}
      {kind === 'folded' ? (
        <span class="count">{count === 1 ? '1 member' : `${count} members`}</span>
      ) : null}
      {kind === 'text' && count !== undefined ? (
        <button type="button" class="more" onClick={() => onText(path)}>
          {count} more characters
        </button>
      ) : null}
      {mark ? (
        <span class="why">
          <UserText whole text={mark} />
        </span>
      ) : null}
      {'\n'}
    </span>
  );
}
