/*
 * JSON as lines to draw. What is large stays folded until somebody asks, so that an answer of 5,000 members
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

/** What of a document is shown otherwise than by itself. */
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
export const MEMBERS_SHOWN = 100;
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
    const skip = () => {
      if (left > 0) {
        lines.push({
          path,
          indent: indent + 1,
          key: undefined,
          kind: 'more',
          text: '',
          comma: false,
          count: left,
        });
      }
      left = 0;
    };
    for (const [place, [name, inner]] of entries.entries()) {
      const at = join(path, name);
      if (place >= limit && !marked.has(at) && !ancestors.has(at)) {
        left += 1;
        continue;
      }
      skip();
      const isLast = place === entries.length - 1 && absent.length === 0;
      write(inner, at, indent + 1, Array.isArray(held) ? undefined : name, !isLast);
    }
    skip();
    for (const name of absent) {
      lines.push({
        path: join(path, name),
        indent: indent + 1,
        key: name,
        kind: 'missing',
        text: 'missing',
        comma: false,
      });
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
