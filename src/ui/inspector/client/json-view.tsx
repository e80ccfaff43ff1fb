/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import { shorten } from '../../layout/client/user-text.ts';
import { Button, UserText } from './parts.tsx';

const NOTHING: ReadonlyMap<string, string> = new Map();

interface JsonViewProps {
  value: unknown;
  /** What is wrong, by path. */
  marks?: ReadonlyMap<string, string>;
}

/** JSON in colours. What is large is folded; what is wrong is marked, each with its reason. */
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

interface JsonLine {
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
  /** How much of the value is shown once the button of the line is pressed. */
  readonly next?: number;
}

/** How much a person chose to see, by path: members of an object or a list, where 0 folds it, or characters. */
type Shown = ReadonlyMap<string, number>;
export const FOLDED: Shown = new Map();

/** How many lines are open without being asked, and how much of one list and of one text is shown. */
const MAX_OPEN_LINES = 160;
const MEMBERS_SHOWN = 100;
const MORE_MEMBERS = 500;
const TEXT_SHOWN = 400;

/** Stands in for a marked field that its object does not have. */
const MISSING = Symbol();

/**
 * The lines of a document.
 *
 * @param marked paths that are always visible; one that is missing in an object that is there gets a line
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

/** The objects and lists that are open without being asked: from the outside in, as long as there is room. */
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

/** The members that are always visible, by the path of their object: those that are marked, or have a mark in them. */
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
