/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import { shorten } from '../../layout/client/user-text.ts';
import { Button, UserText } from './parts.tsx';

const NOTHING: ReadonlyMap<string, string> = new Map();
const MORE_MEMBERS = 500;

interface JsonViewProps {
  value: unknown;
  /** What is wrong, by path. */
  marks?: ReadonlyMap<string, string>;
}

/** JSON in colours. What is large is folded; what is wrong is marked, each with its reason. */
export function JsonView({ value, marks = NOTHING }: JsonViewProps) {
  const [unfolded, setUnfolded] = useState(FOLDED);
  const { open, members, texts } = unfolded;
  const unfold: Unfold = {
    fold: (path, isOpen) => setUnfolded({ ...unfolded, open: new Map(open).set(path, isOpen) }),
    more: (path) => {
      const shown = (members.get(path) ?? MEMBERS_SHOWN) + MORE_MEMBERS;
      setUnfolded({ ...unfolded, members: new Map(members).set(path, shown) });
    },
    text: (path) => setUnfolded({ ...unfolded, texts: new Set([...texts, path]) }),
  };
  const lines = jsonLines(value, new Set(marks.keys()), unfolded);
  return (
    <pre class="json">
      {lines.map((line) => (
        <Line
          key={`${line.kind} ${line.path} ${line.indent}`}
          line={line}
          mark={line.kind === 'close' || line.kind === 'more' ? undefined : marks.get(line.path)}
          unfold={unfold}
        />
      ))}
    </pre>
  );
}

interface Unfold {
  fold: (path: string, isOpen: boolean) => void;
  more: (path: string) => void;
  text: (path: string) => void;
}

function Line(props: { line: JsonLine; mark: string | undefined; unfold: Unfold }) {
  const { line, mark, unfold } = props;
  const { kind, path, key, text, comma, count } = line;
  const isFoldable = (kind === 'open' || kind === 'folded') && path !== '';
  return (
    <span
      class={mark === undefined ? 'line' : 'line wrong'}
      style={{ '--indent': String(line.indent) }}
    >
      {isFoldable ? (
        <Button
          class="fold"
          aria-expanded={String(kind === 'open')}
          aria-label={`${key ?? path} ${kind === 'open' ? 'fold' : 'unfold'}`}
          onClick={() => unfold.fold(path, kind === 'folded')}
        />
      ) : null}
      {key === undefined ? null : (
        <>
          <span class="k">{quoted(JSON.stringify(shorten(key)))}</span>:{' '}
        </>
      )}
      {kind === 'more' ? (
        <Button class="more" onClick={() => unfold.more(path)}>
          Show more: {count} are left out
        </Button>
      ) : (
        <span class={kind}>{kind === 'text' ? quoted(text) : text}</span>
      )}
      {comma ? ',' : ''}
      {kind === 'folded' ? (
        <span class="count">{count === 1 ? '1 member' : `${count} members`}</span>
      ) : null}
      {kind === 'text' && count !== undefined ? (
        <Button class="more" onClick={() => unfold.text(path)}>
          {count} more characters
        </Button>
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

/** A string as JSON writes it: its quotes stay at its sides. */
const quoted = (json: string) => (
  <>
    "<UserText whole text={json.slice(1, -1)} />"
  </>
);

/*
 * JSON as lines. What is large stays folded until somebody asks, so that an answer of 5,000 members
 * costs no more to show than a small one.
 */

export interface JsonLine {
  /** Of the value on the line: `data.error.0`; that of a closing bracket is its object's. */
  readonly path: string;
  readonly indent: number;
  readonly key: string | undefined;
  readonly kind: 'text' | 'number' | 'word' | 'open' | 'close' | 'folded' | 'more' | 'missing';
  /** The value as JSON, or the bracket. */
  readonly text: string;
  readonly comma: boolean;
  /** Members of what is folded, or members or characters that are left out. */
  readonly count?: number;
}

/** What of a document was folded or unfolded by hand. */
export interface Unfolded {
  /** Objects and lists by their path: open or not, and how many members. */
  readonly open: ReadonlyMap<string, boolean>;
  readonly members: ReadonlyMap<string, number>;
  /** Texts that are shown whole. */
  readonly texts: ReadonlySet<string>;
}

export const FOLDED: Unfolded = { open: new Map(), members: new Map(), texts: new Set() };

/** How many lines are open by themselves, members of one list are shown, and characters of one text. */
const MAX_OPEN_LINES = 160;
const MEMBERS_SHOWN = 100;
const TEXT_SHOWN = 400;

/**
 * The lines of a document.
 *
 * @param marked paths that are always to be seen; one that is missing in an object that is there gets a line
 */
export function jsonLines(
  value: unknown,
  marked: ReadonlySet<string>,
  { open, members, texts }: Unfolded,
): JsonLine[] {
  const ancestors = ancestorsOf(marked);
  const opened = openByItself(value);
  const lines: JsonLine[] = [];
  const isOpen = (path: string) => open.get(path) ?? (opened.has(path) || ancestors.has(path));

  const write = (
    held: unknown,
    path: string,
    indent: number,
    key: string | undefined,
    comma: boolean,
  ) => {
    const line = { path, indent, key, comma };
    if (typeof held !== 'object' || held === null) {
      lines.push({ ...line, ...scalar(held, texts.has(path)) });
      return;
    }
    const [begin, end] = Array.isArray(held) ? ['[', ']'] : ['{', '}'];
    const entries = Object.entries(held);
    const absent = Array.isArray(held) ? [] : missing(marked, path, held);
    if (entries.length + absent.length === 0) {
      lines.push({ ...line, kind: 'word', text: `${begin}${end}` });
      return;
    }
    if (!isOpen(path)) {
      lines.push({ ...line, kind: 'folded', text: `${begin} … ${end}`, count: entries.length });
      return;
    }
    lines.push({ ...line, kind: 'open', text: begin, comma: false });
    const limit = members.get(path) ?? MEMBERS_SHOWN;
    let left = 0;
    const showLeftOut = () => {
      const more = { path, indent: indent + 1, key: undefined, text: '', comma: false };
      if (left > 0) lines.push({ ...more, kind: 'more', count: left });
      left = 0;
    };
    for (const [place, [name, inner]] of entries.entries()) {
      const at = join(path, name);
      if (place >= limit && !marked.has(at) && !ancestors.has(at)) {
        left += 1;
        continue;
      }
      showLeftOut();
      const isLast = place === entries.length - 1 && absent.length === 0;
      write(inner, at, indent + 1, Array.isArray(held) ? undefined : name, !isLast);
    }
    showLeftOut();
    for (const name of absent) {
      const inner = { path: join(path, name), indent: indent + 1, key: name, comma: false };
      lines.push({ ...inner, kind: 'missing', text: 'missing' });
    }
    lines.push({ ...line, key: undefined, kind: 'close', text: end });
  };
  write(value, '', 0, undefined, false);
  return lines;
}

function scalar(value: unknown, isWhole: boolean): Pick<JsonLine, 'kind' | 'text' | 'count'> {
  if (typeof value === 'number') return { kind: 'number', text: String(value) };
  if (typeof value !== 'string') return { kind: 'word', text: String(value) };
  if (isWhole || value.length <= TEXT_SHOWN) return { kind: 'text', text: JSON.stringify(value) };
  const text = `${JSON.stringify(value.slice(0, TEXT_SHOWN)).slice(0, -1)}…"`;
  return { kind: 'text', text, count: value.length - TEXT_SHOWN };
}

/** The objects and lists that are open without being asked: from the outside in, as long as there is room. */
function openByItself(value: unknown): ReadonlySet<string> {
  const opened = new Set<string>();
  let room = MAX_OPEN_LINES;
  let level: [string, object][] = typeof value === 'object' && value !== null ? [['', value]] : [];
  while (level.length > 0) {
    const next: [string, object][] = [];
    for (const [path, held] of level) {
      const entries = Object.entries(held).slice(0, MEMBERS_SHOWN);
      if (path !== '' && entries.length > room) continue;
      room -= entries.length;
      opened.add(path);
      for (const [key, inner] of entries) {
        if (typeof inner === 'object' && inner !== null) next.push([join(path, key), inner]);
      }
    }
    level = next;
  }
  return opened;
}

function ancestorsOf(paths: ReadonlySet<string>): ReadonlySet<string> {
  const ancestors = new Set<string>();
  for (const path of paths) {
    const keys = path.split('.');
    for (let end = 0; end < keys.length; end++) ancestors.add(keys.slice(0, end).join('.'));
  }
  return ancestors;
}

/** The marked fields that an object does not have. */
function missing(marked: ReadonlySet<string>, path: string, held: object): string[] {
  const names: string[] = [];
  for (const mark of marked) {
    const end = mark.lastIndexOf('.');
    if (mark.slice(0, Math.max(end, 0)) !== path) continue;
    const name = mark.slice(end + 1);
    if (!Object.hasOwn(held, name)) names.push(name);
  }
  return names;
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
