/* JSON in colours, with large parts folded, and problems marked with their reason. */

/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import { shorten } from '../../layout/client/user-text.ts';
import { Button, UserText } from './parts.tsx';

const NOTHING: ReadonlyMap<string, string> = new Map();

interface JsonViewProps {
  value: unknown;
  /** Problems by path. */
  marks?: ReadonlyMap<string, string>;
}

export function JsonView({ value, marks = NOTHING }: JsonViewProps) {
  const [shown, setShown] = useState(FOLDED);
  const show = (path: string, count: number) => setShown(new Map(shown).set(path, count));
  return (
    <pre class="json">
      {jsonLines(value, new Set(marks.keys()), shown).map((line) => (
        <Line
          key={`${line.kind} ${line.path} ${line.indent}`}
          line={line}
          mark={line.kind === 'close' || line.kind === 'more' ? undefined : marks.get(line.path)}
          show={show}
        />
      ))}
    </pre>
  );
}

interface LineProps {
  line: JsonLine;
  mark: string | undefined;
  show: (path: string, count: number) => void;
}

function Line({ line, mark, show }: LineProps) {
  const { kind, path, key, text, comma, count, next = 0 } = line;
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
          onClick={() => show(path, next)}
        />
      ) : null}
      {key === undefined ? null : (
        <>
          <span class="k">{quoted(JSON.stringify(shorten(key)))}</span>:{' '}
        </>
      )}
      {kind === 'more' ? (
        <Button class="more" onClick={() => show(path, next)}>
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
        <Button class="more" onClick={() => show(path, next)}>
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

/** A JSON string. Its quotes stay on both sides, whatever its text. */
const quoted = (json: string) => (
  <>
    "<UserText whole text={json.slice(1, -1)} />"
  </>
);

/*
 * JSON as lines. Large parts stay folded until the user opens them, so that 5,000 members are as fast to show as a few.
 */

interface JsonLine {
  /** The path of the value on the line: `data.error.0`. A closing bracket has the path of its object. */
  readonly path: string;
  readonly indent: number;
  readonly key: string | undefined;
  readonly kind: 'text' | 'number' | 'word' | 'open' | 'close' | 'folded' | 'more' | 'missing';
  /** The value as JSON, or the bracket. */
  readonly text: string;
  readonly comma: boolean;
  /** The number of folded members, or of hidden members or characters. */
  readonly count?: number;
  /** How much of the value is shown after a click on the line's button. */
  readonly next?: number;
}

/** How much the user chose to see, by path: members (0 folds) or characters. */
type Shown = ReadonlyMap<string, number>;
export const FOLDED: Shown = new Map();

/** How many lines are open at first, and how much of a list and of a text is shown. */
const MAX_OPEN_LINES = 160;
const MEMBERS_SHOWN = 100;
const MORE_MEMBERS = 500;
const TEXT_SHOWN = 400;

/** The value of a marked field that is missing in its object. */
const MISSING = Symbol();

/**
 * The lines of a document.
 *
 * @param marked paths that are always visible. A missing field of an existing object gets a line.
 */
export function jsonLines(value: unknown, marked: ReadonlySet<string>, shown: Shown): JsonLine[] {
  const opened = openByItself(value);
  const visible = visibleIn(marked);
  const lines: JsonLine[] = [];

  const write = (
    held: unknown,
    line: Pick<JsonLine, 'path' | 'indent' | 'key' | 'comma'>,
  ): void => {
    const { path, indent } = line;
    if (typeof held !== 'object' || held === null) {
      lines.push({ ...line, ...scalar(held, shown.get(path) ?? TEXT_SHOWN) });
      return;
    }
    const isList = Array.isArray(held);
    const [begin, end] = isList ? ['[', ']'] : ['{', '}'];
    const absent = [...(visible.get(path) ?? [])].filter(
      (name) => !isList && marked.has(join(path, name)) && !Object.hasOwn(held, name),
    );
    const given = Object.entries(held);
    const entries = [...given, ...absent.map((name): [string, unknown] => [name, MISSING])];
    const limit = shown.get(path) ?? (opened.has(path) || visible.has(path) ? MEMBERS_SHOWN : 0);
    if (entries.length === 0) {
      lines.push({ ...line, kind: 'word', text: begin + end });
      return;
    }
    if (limit === 0) {
      const folded = { text: `${begin} … ${end}`, count: given.length, next: MEMBERS_SHOWN };
      lines.push({ ...line, kind: 'folded', ...folded });
      return;
    }
    lines.push({ ...line, kind: 'open', text: begin, comma: false, next: 0 });
    const inner = { path, indent: indent + 1, key: undefined, comma: false };
    let left = 0;
    const tellLeft = () => {
      const more = { text: '', count: left, next: limit + MORE_MEMBERS };
      if (left > 0) lines.push({ ...inner, kind: 'more', ...more });
      left = 0;
    };
    for (const [place, [name, member]] of entries.entries()) {
      if (place >= limit && !visible.get(path)?.has(name)) {
        left += 1;
        continue;
      }
      tellLeft();
      const key = isList ? undefined : name;
      const comma = place < entries.length - 1;
      write(member, { ...inner, path: join(path, name), key, comma });
    }
    tellLeft();
    lines.push({ ...line, key: undefined, kind: 'close', text: end });
  };
  write(value, { path: '', indent: 0, key: undefined, comma: false });
  return lines;
}

function scalar(
  value: unknown,
  length: number,
): Omit<JsonLine, 'path' | 'indent' | 'key' | 'comma'> {
  if (value === MISSING) return { kind: 'missing', text: 'missing' };
  if (typeof value === 'number') return { kind: 'number', text: String(value) };
  if (typeof value !== 'string') return { kind: 'word', text: String(value) };
  if (value.length <= length) return { kind: 'text', text: JSON.stringify(value) };
  const text = `${JSON.stringify(value.slice(0, length)).slice(0, -1)}…"`;
  return { kind: 'text', text, count: value.length - length, next: Number.POSITIVE_INFINITY };
}

/** The objects and lists that are open at first: from the outside in, while there is room. */
function openByItself(value: unknown): ReadonlySet<string> {
  const opened = new Set<string>();
  let room = MAX_OPEN_LINES;
  const queue: [string, unknown][] = [['', value]];
  for (const [path, held] of queue) {
    if (typeof held !== 'object' || held === null) continue;
    const entries = Object.entries(held).slice(0, MEMBERS_SHOWN);
    if (path !== '' && entries.length > room) continue;
    room -= entries.length;
    opened.add(path);
    for (const [key, member] of entries) queue.push([join(path, key), member]);
  }
  return opened;
}

/** The members that are always visible, by the path of their object: marked ones, and those with a mark inside. */
function visibleIn(marked: ReadonlySet<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const visible = new Map<string, Set<string>>();
  for (const mark of marked) {
    const keys = mark.split('.');
    for (const [place, key] of keys.entries()) {
      const path = keys.slice(0, place).join('.');
      visible.set(path, (visible.get(path) ?? new Set()).add(key));
    }
  }
  return visible;
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
