/* One call: its problems, request, response, changes and assumptions. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom';
import { isLost } from '../../layout/client/fault-kinds.ts';
import { answerOf, bearer, control } from './api.ts';
import { Assumptions } from './assumptions.tsx';
import type { ListedCall, ShownProblem } from './call.ts';
import * as calls from './call.ts';
import { momentText } from './clock.tsx';
import { JsonView } from './json-view.tsx';
import { ActButton, Button, CopyButton, UserText } from './parts.tsx';
import { RewindDialog } from './rewind-dialog.tsx';
import { curlOf, placeholdersIn, SendDialog, sendAgain } from './send-dialog.tsx';
import { chosenMerchant, contract, getState, go, notify, useStore } from './store.ts';
import { choose } from './world.ts';

export function CallDetail({ of: key }: { of: string }) {
  const id = calls.idOf(key);
  const known = useStore((state) => state.calls?.find((call) => calls.keyOf(call) === key));
  const owner = useStore(
    (state) =>
      chosenMerchant(state) ?? state.merchants.find((each) => each.id === calls.merchantOf(key)),
  );
  const [asked, setAsked] = useState<ListedCall | 'missing' | undefined>(undefined);
  // An open call stays even when the list drops it after a thousand others.
  const lastKnown = useRef<ListedCall | undefined>(undefined);
  lastKnown.current = known ?? lastKnown.current;
  useLayoutEffect(() => {
    if (lastKnown.current) return;
    if (!owner) return setAsked('missing');
    const headers = bearer(owner.api_key);
    answerOf(control.journal[':id'].$get({ param: { id } }, { headers }))
      .then((entry) => setAsked({ ...entry, merchant: owner }))
      .catch(() => setAsked('missing'));
  }, [key]);
  const call = lastKnown.current ?? asked;
  if (call === undefined) return <div aria-busy="true" />;
  return (
    <div>
      <Button class="back quiet" onClick={() => go({ call: undefined })}>
        ‹ Calls
      </Button>
      {call === 'missing' ? (
        <div class="hint">
          <h2 class="title">
            Call <UserText text={id} /> not found
          </h2>
          <p class="muted">
            The journal keeps the newest 1,000 calls and a reset empties it. The call may belong to
            another merchant.
          </p>
        </div>
      ) : (
        <Detail call={call} />
      )}
    </div>
  );
}

/** The query of a link to a call: its id, and its merchant if the id names another. */
function linkQuery(call: ListedCall): string {
  const isPlain = calls.keyOf(call) === call.id;
  return isPlain ? `call=${call.id}` : `call=${call.id}&merchant=${call.merchant?.id ?? 'all'}`;
}

/** How many problems are marked at their fields. */
const MARKED = 50;

function Detail({ call }: { call: ListedCall }) {
  // The key for curl and for sending again. A call without a valid key has none of its own.
  const merchant = useStore(
    (state) => chosenMerchant(state) ?? state.merchants.find(({ id }) => id === call.merchant?.id),
  );
  const [sends, setSends] = useState(false);
  const [rewinds, setRewinds] = useState<'only' | 'and send' | undefined>(undefined);
  // After a rewind the journal no longer has the call.
  const [isGone, setIsGone] = useState(false);
  const curl = () => {
    const key = merchant?.api_key ?? '<key>';
    const command = curlOf(call, location.origin, key, contract.redacted);
    const left = placeholdersIn(command, call);
    if (left) notify('ok', `Copied. Replace ${left}, which the journal hides.`);
    return command;
  };
  /** One click if nothing has to be entered or chosen. */
  const repeat = async () => {
    const isSent = merchant && call.merchant ? await sendAgain(call, merchant) : false;
    if (!isSent) setSends(true);
  };
  const link = () => `${location.origin}${location.pathname}?${linkQuery(call)}`;
  const took = calls.tookText(call);
  return (
    <article>
      <h2 class="title" tabindex={-1}>
        <span class={`status ${calls.statusClass(call)}`}>{calls.statusText(call)}</span>
        <UserText text={calls.titleOf(call)} />
      </h2>
      <p class="sub">
        <b>{call.method}</b> <UserText text={call.path} />
        <br />
        <span class="whole">
          {call.merchant ? <UserText text={call.merchant.name} /> : 'no valid key'}
        </span>{' '}
        · <UserText class="mono" text={call.id} /> ·{' '}
        <span class="whole">{momentText(Date.parse(call.at))}</span>
        {took ? (
          <>
            {' '}
            · <span class="whole">{took}</span>
          </>
        ) : null}
      </p>
      <div class="actions">
        <ActButton class="primary" onClick={repeat}>
          Send again
        </ActButton>
        <ActButton onClick={() => setSends(true)}>Edit and send…</ActButton>
        {merchant && call.merchant ? (
          <>
            <ActButton onClick={() => setRewinds('only')}>Rewind to before this call…</ActButton>
            <ActButton onClick={() => setRewinds('and send')}>Rewind and send again…</ActButton>
          </>
        ) : null}
        <CopyButton text={curl}>Copy as curl</CopyButton>
        <CopyButton text={link}>Copy link</CopyButton>
      </div>
      {call.hint === null ? null : (
        <section aria-label="Hint">
          <h3>Hint</h3>
          <p class="hint-text">
            <UserText whole text={call.hint} />
          </p>
        </section>
      )}
      <Problems call={call} />
      {call.fault ? (
        <section aria-label="Fault">
          <h3>Fault</h3>
          <p class="fault-story">
            <span class="tag">{calls.faultTag(call)}</span> {calls.faultStory(call)}
          </p>
        </section>
      ) : null}
      <Changes call={call} />
      <Message
        title="Request"
        {...call.request}
        query={calls.queryOf(call)}
        problems={marksFor(call)}
        nothing={call.merchant ? 'No body.' : 'The body was not read because the key is not valid.'}
      />
      <Message
        title="Response"
        {...call.response}
        nothing={isLost(call) ? 'No response arrived.' : 'No body.'}
      />
      <Assumptions call={call} />
      {rewinds && merchant ? (
        <RewindDialog
          call={call}
          merchant={merchant}
          sendsAgain={rewinds === 'and send'}
          onDone={() => {
            setIsGone(true);
            if (rewinds === 'and send') setSends(true);
            else go({ call: undefined });
          }}
          onClose={() => setRewinds(undefined)}
        />
      ) : null}
      {sends ? (
        <SendDialog
          call={call}
          merchant={merchant}
          onSent={() => {
            setSends(false);
            setIsGone(false);
          }}
          onClose={() => {
            setSends(false);
            if (isGone) go({ call: undefined });
          }}
        />
      ) : null}
    </article>
  );
}

/** How many wrong values are shown at first, and how many more at a time. There may be thousands. */
const PROBLEMS_SHOWN = 20;
const MORE_PROBLEMS = 200;
/** How many missing fields are named. */
const MISSING_NAMED = 100;

/** Why the call was refused, each reason once: wrong values, then the missing fields in one line. */
function Problems({ call }: { call: ListedCall }) {
  const [count, setCount] = useState(PROBLEMS_SHOWN);
  const { wrong, missing } = calls.reasonsOf(call);
  if (wrong.length + missing.length === 0) return null;
  const left = wrong.length - count;
  const unnamed = missing.length - MISSING_NAMED;
  return (
    <section aria-label="Problems">
      <h3>Problems</h3>
      <ul class="problems">
        {wrong.slice(0, count).map(({ field, place, message }) => (
          <li>
            <UserText class="mono" text={field ?? place ?? 'request'} />
            <UserText whole text={message} />
          </li>
        ))}
        {missing.length > 0 ? (
          <li class="missing">
            <span>
              {calls.missingText(missing.length)}:{' '}
              {missing.slice(0, MISSING_NAMED).map(({ field = '' }, place) => (
                <>
                  {place > 0 ? ', ' : ''}
                  <UserText class="mono" text={field} />
                </>
              ))}
              {unnamed > 0 ? ` and ${unnamed} more` : ''}
            </span>
          </li>
        ) : null}
      </ul>
      {left > 0 ? (
        <Button class="quiet" onClick={() => setCount(count + MORE_PROBLEMS)}>
          {left > MORE_PROBLEMS ? `Show ${MORE_PROBLEMS} more of ${left}` : `Show ${left} more`}
        </Button>
      ) : null}
    </section>
  );
}

/** The problems to mark at their fields. A missing field says so by itself. */
function marksFor(call: ListedCall): ShownProblem[] {
  const { wrong, missing } = calls.reasonsOf(call);
  const absent = missing.map((problem) => ({ ...problem, message: '' }));
  return [...wrong, ...absent].slice(0, MARKED);
}

interface MessageProps {
  title: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** The query parameters. */
  query?: readonly [string, string][];
  problems?: readonly ShownProblem[];
  /** Shown if there is no body. */
  nothing: string;
}

/** A request or a response: body or query, and headers. */
function Message({ title, headers, body, query = [], problems = [], nothing }: MessageProps) {
  const queryMarks = marksOf(problems, 'query');
  const hasQuery = query.length > 0 || queryMarks.size > 0;
  const hasBody = body !== null && body !== undefined;
  const isText = typeof body === 'string';
  return (
    <section aria-label={title}>
      <div class="section-head">
        <h3>{title}</h3>
        {hasBody ? (
          <CopyButton
            quiet
            text={() => (isText ? body : JSON.stringify(body, null, 2))}
            label={`Copy the body of the ${title.toLowerCase()}`}
          />
        ) : null}
      </div>
      {hasQuery ? <Pairs name="Query parameters" pairs={query} marks={queryMarks} /> : null}
      {isText ? <LongText text={body} /> : null}
      {hasBody && !isText ? <JsonView value={body} marks={marksOf(problems, 'body')} /> : null}
      {hasBody || hasQuery ? null : <p class="nothing muted">{nothing}</p>}
      {headers ? <Headers headers={headers} marks={marksOf(problems, 'header')} /> : null}
    </section>
  );
}

/** The problems in one part of the request, by field. Several problems of a field are joined. */
function marksOf(
  problems: readonly ShownProblem[],
  at: ShownProblem['place'],
): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const { field, place, message } of problems) {
    if (place !== at || field === undefined) continue;
    const before = marks.get(field);
    marks.set(field, before === undefined ? message : `${before} ${message}`);
  }
  return marks;
}

const TEXT_SHOWN = 4000;

/** A body that is not JSON. */
function LongText({ text }: { text: string }) {
  const more = text.length - TEXT_SHOWN;
  return (
    <div>
      <pre class="text">
        <UserText whole text={more > 0 ? `${text.slice(0, TEXT_SHOWN)}…` : text} />
      </pre>
      {more > 0 ? (
        <details class="rest">
          <summary>{more} more characters</summary>
          <pre class="text">
            <UserText whole text={text.slice(TEXT_SHOWN)} />
          </pre>
        </details>
      ) : null}
    </div>
  );
}

function Headers(props: {
  headers: Readonly<Record<string, string>>;
  marks: ReadonlyMap<string, string>;
}) {
  const { headers, marks } = props;
  const pairs = Object.entries(headers);
  return (
    <details class="headers" open={marks.size > 0}>
      <summary>Headers ({pairs.length})</summary>
      <Pairs name="Headers" pairs={pairs} marks={marks} />
    </details>
  );
}

interface PairsProps {
  name: string;
  pairs: readonly [string, string][];
  /** Problems by name. A name that is missing gets a line. */
  marks: ReadonlyMap<string, string>;
}

/** Headers or query parameters, one per line. */
function Pairs({ name, pairs, marks }: PairsProps) {
  const given = new Set(pairs.map(([each]) => each));
  const absent = [...marks.keys()].filter((each) => !given.has(each));
  const lines = [...pairs, ...absent.map((each): [string, string] => [each, 'missing'])];
  return (
    <dl class="pairs" aria-label={name}>
      {lines.map(([each, value], place) => (
        <div key={`${place} ${each}`} class={marks.has(each) ? 'pair wrong' : 'pair'}>
          <dt>
            <UserText whole text={each} />
          </dt>
          <dd>
            <UserText whole text={value} />
            {marks.get(each) ? (
              <span class="why">
                <UserText whole text={marks.get(each) ?? ''} />
              </span>
            ) : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What the call changed. A policy that is still there can be opened. */
function Changes({ call: { changes, merchant } }: { call: ListedCall }) {
  if (changes.length === 0) return null;
  const open = (family: string, record: string) => {
    if (chosenMerchant(getState())?.id !== merchant?.id) choose(merchant?.id);
    go({ tab: 'records', family, policy: '', page: 1, record });
  };
  return (
    <section aria-label="What it changed">
      <h3>What it changed</h3>
      {changes.map((change) => {
        const { table, key } = change;
        const family = table.endsWith('.policies') ? table.split('.')[0] : undefined;
        return (
          <p class="mono">
            <UserText whole text={calls.changeText(change)} />{' '}
            {family !== undefined && merchant ? (
              <Button
                class="quiet"
                aria-label={`Open the policy ${key}`}
                onClick={() => open(family, key)}
              >
                Open
              </Button>
            ) : null}
          </p>
        );
      })}
    </section>
  );
}
