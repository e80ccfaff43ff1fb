/* JSON in colours. Objects and lists fold, long lists come in parts, and problems stand at their fields. */

/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import { shorten } from '../../layout/client/user-text.ts';
import { Button, UserText } from './parts.tsx';

/** Problems by path, such as `members.0.phone_no`. A marked field is always visible, also if it is missing. */
type Marks = ReadonlyMap<string, string>;

const NO_MARKS: Marks = new Map();

export const JsonView = ({ value, marks = NO_MARKS }: { value: unknown; marks?: Marks }) => (
  <div class="json">
    <Value value={value} path="" marks={marks} isOpen comma="" />
  </div>
);

interface ValueProps {
  /** Undefined for an element of a list. */
  name?: string | undefined;
  value: unknown;
  path: string;
  marks: Marks;
  /** Whether an object or a list is open at first. */
  isOpen: boolean;
  comma: string;
}

type MembersProps = ValueProps & { members: readonly Member[] };

function Value(props: ValueProps) {
  const { name, value, path, marks, comma } = props;
  const members = membersOf(value, path, marks);
  if (members.length > 0) return <Members {...props} members={members} />;
  const mark = marks.get(path);
  return (
    <div class={mark === undefined ? 'line' : 'line wrong'}>
      <Name text={name} />
      <Scalar value={value} />
      {comma}
      <Why mark={mark} />
    </div>
  );
}

const Name = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <>
      <span class="muted">{quoted(shorten(text))}</span>:{' '}
    </>
  );

const Why = ({ mark }: { mark: string | undefined }) =>
  mark ? (
    <span class="why">
      <UserText whole text={mark} />
    </span>
  ) : null;

/** Longer texts are cut; the copy of the body has them whole. */
const TEXT_SHOWN = 4000;

export const cut = (text: string): string =>
  text.length > TEXT_SHOWN ? `${text.slice(0, TEXT_SHOWN)}…` : text;

function Scalar({ value }: { value: unknown }) {
  if (value === MISSING) return <span class="missing">missing</span>;
  if (typeof value === 'string') return <span class="text">{quoted(cut(value))}</span>;
  return <span class="literal">{JSON.stringify(value)}</span>;
}

/** A text as in JSON. Its quotes stay on both sides, whatever its text. */
const quoted = (text: string) => (
  <>
    "<UserText whole text={JSON.stringify(text).slice(1, -1)} />"
  </>
);

/** How many members of a list or an object are shown at first, and how many more by a click. */
const MEMBERS_SHOWN = 100;
const MORE_MEMBERS = 500;
/** The elements of a longer list are folded at first. */
const MAX_OPEN_ELEMENTS = 3;

/** An object or a list. */
function Members({ name, value, path, marks, comma, members, ...props }: MembersProps) {
  const [limit, setLimit] = useState(MEMBERS_SHOWN);
  const isList = Array.isArray(value);
  const [begin, end] = isList ? '[]' : '{}';
  const shown = members.filter((member, place) => place < limit || hasMark(marks, member.path));
  const left = members.length - shown.length;
  const mark = marks.get(path);
  return (
    <details open={props.isOpen || hasMark(marks, path)}>
      <summary class={mark === undefined ? 'line' : 'line wrong'}>
        <Name text={name} />
        {begin}
        <span class="folded">
          {` … ${end}${comma}`}
          <span class="count">
            {members.length === 1 ? '1 member' : `${members.length} members`}
          </span>
        </span>
        <Why mark={mark} />
      </summary>
      <div class="members">
        {shown.map((member, place) => (
          <Value
            key={member.path}
            name={isList ? undefined : member.name}
            value={member.value}
            path={member.path}
            marks={marks}
            isOpen={!isList || members.length <= MAX_OPEN_ELEMENTS}
            comma={place < members.length - 1 ? ',' : ''}
          />
        ))}
        {left > 0 ? (
          <Button class="link" onClick={() => setLimit(limit + MORE_MEMBERS)}>
            Show more: {left} are left out
          </Button>
        ) : null}
      </div>
      {end}
      {comma}
    </details>
  );
}

/** The value of a marked field that is missing in its object. */
const MISSING = Symbol();

interface Member {
  readonly name: string;
  readonly path: string;
  readonly value: unknown;
}

/** The members of an object or a list, with the marked ones that are missing; none for other values. */
function membersOf(value: unknown, path: string, marks: Marks): readonly Member[] {
  if (typeof value !== 'object' || value === null) return [];
  const prefix = path === '' ? '' : `${path}.`;
  const given = Object.entries(value).map(([name, held]) => ({
    name,
    path: prefix + name,
    value: held,
  }));
  const missing = [...marks.keys()]
    .filter((mark) => mark.startsWith(prefix))
    .map((mark) => mark.slice(prefix.length))
    .filter((name) => name !== '' && !name.includes('.') && !Object.hasOwn(value, name))
    .map((name) => ({ name, path: prefix + name, value: MISSING }));
  return Array.isArray(value) ? given : [...given, ...missing];
}

/** Whether a value or a part of it is marked. */
const hasMark = (marks: Marks, path: string): boolean =>
  [...marks.keys()].some((mark) => mark === path || mark.startsWith(path === '' ? '' : `${path}.`));
