/* One call: its story, its problems, its request, response and changes, and what can be done with it. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useState } from 'hono/jsx/dom';
import { bearer, control } from './api.ts';
import { contract } from './contract.ts';
import { curlOf, testOf } from './copies.ts';
import { Editor, sendAgain } from './editor.tsx';
import {
  idOf,
  isCall,
  isOfThisRun,
  type JournalCall,
  keyOf,
  merchantOf,
  problemsOf,
  statusClass,
  statusText,
  storyOf,
  titleOf,
  tookText,
} from './items.ts';
import { Menu } from './menu.tsx';
import { Changes, Request, Response } from './messages.tsx';
import { ActButton, Button, copy, sentence, UserText } from './parts.tsx';
import { replaceWorld } from './save-points.ts';
import { getState, go, keyFor, useStore } from './store.ts';
import { StoryStrip } from './story.tsx';
import { momentText } from './times.ts';

export function CallDetail({ of: key }: { of: string }) {
  const id = idOf(key);
  const known = useStore((state) =>
    state.items?.find((item): item is JournalCall => isCall(item) && keyOf(item) === key),
  );
  const [asked, setAsked] = useState<JournalCall | 'missing' | undefined>(undefined);
  const isKnown = known !== undefined;
  // A link may name an older call, or one that a rewind, a reset or a restart took out of the journal.
  useLayoutEffect(() => {
    if (isKnown) return;
    control<JournalCall>(`journal/${encodeURIComponent(id)}`, {
      headers: bearer(keyFor(merchantOf(key))),
    })
      .then(setAsked)
      .catch(() => setAsked('missing'));
  }, [isKnown]);
  const call = known ?? asked;
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
            The journal keeps the newest 1,000 calls, and a reset or a rewind removes calls. The
            call may belong to another merchant.
          </p>
        </div>
      ) : (
        <Detail call={call} />
      )}
    </div>
  );
}

function Detail({ call }: { call: JournalCall }) {
  const items = useStore((state) => state.items) ?? [];
  const [isEditing, setEditing] = useState(false);
  const took = tookText(call);
  return (
    <article>
      <h2 class="title" tabindex={-1}>
        <span class={`status ${statusClass(call)}`}>{statusText(call)}</span>
        <UserText text={titleOf(call)} />
      </h2>
      <p class="sub">
        {call.summary ? (
          <>
            <b>
              <UserText text={call.summary} />
            </b>
            <br />
          </>
        ) : null}
        {call.method} <UserText text={call.path} /> ·{' '}
        {call.merchant ? <UserText text={call.merchant.name} /> : 'no valid key'} ·{' '}
        <UserText class="mono" text={call.id} /> ·{' '}
        <span class="whole">{momentText(Date.parse(call.at))}</span>
        {took ? ` · ${took}` : ''}
      </p>
      <StoryStrip story={storyOf(call, items)} of={call} />
      <Actions call={call} isEditing={isEditing} edit={() => setEditing(!isEditing)} />
      <Why call={call} />
      <div class="sides">
        {isEditing ? (
          <Editor call={call} onClose={() => setEditing(false)} />
        ) : (
          <Request call={call} />
        )}
        <div>
          <Response call={call} />
          <Changes call={call} />
          <Assumptions ids={call.assumptions} />
        </div>
      </div>
    </article>
  );
}

/** The assumptions behind a response. Each leads to its text. */
const Assumptions = ({ ids }: { ids: readonly string[] }) =>
  ids.length === 0 ? null : (
    <section aria-label="Assumptions behind this response">
      <h3>Assumptions</h3>
      <div class="chips">
        {ids.map((id) => (
          <a key={id} class="button" href={`/docs/assumptions#${encodeURIComponent(id)}`}>
            <UserText text={id} />
          </a>
        ))}
      </div>
    </section>
  );

interface ActionsProps {
  call: JournalCall;
  isEditing: boolean;
  edit: () => void;
}

function Actions({ call, isEditing, edit }: ActionsProps) {
  const canAct = isOfThisRun(call);
  const why = canAct
    ? undefined
    : call.merchant
      ? 'This call was made before the sandbox started.'
      : 'A call without a valid key belongs to no World.';
  const rewind = () =>
    replaceWorld(
      call.merchant?.id,
      `before the rewind to ${call.id}`,
      sentence`Rewound to before ${call.id}.`,
      async () => {
        const headers = bearer(keyFor(call.merchant?.id));
        await control('rewind', { body: { to: call.id }, headers });
        // The journal loses the call.
        go({ call: undefined });
      },
    );
  return (
    <div class="actions">
      <ActButton class="primary" disabled={!canAct} title={why} onClick={() => sendAgain(call)}>
        Send again
      </ActButton>
      <ActButton disabled={!canAct} title={why} aria-pressed={String(isEditing)} onClick={edit}>
        Edit
      </ActButton>
      <ActButton disabled={!canAct} title={why} onClick={rewind}>
        Rewind to before
      </ActButton>
      <Menu
        label="Copy"
        items={[
          { label: 'Link', act: () => copy(location.href) },
          { label: 'curl', act: () => copy(curlOf(call, keyFor(call.merchant?.id) ?? 'YOUR_KEY')) },
          {
            label: 'vitest test',
            hint: 'with the calls of this purchase before it',
            act: () => copy(testOf(call, getState().items ?? [])),
          },
        ]}
      />
      {call.operation ? (
        <a class="button quiet" href={docsOf(call.operation)}>
          Reference
        </a>
      ) : null}
    </div>
  );
}

/** The place of an operation in the reference. */
function docsOf(operation: string): string {
  const {
    tag = '',
    method = '',
    path = '',
  } = contract.operations.find(({ operationId }) => operationId === operation) ?? {};
  const slug = tag.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  return `/docs#tag/${slug}/${method.toUpperCase()}${path}`;
}

/** How many wrong values are listed, the others folded. There may be thousands. */
const PROBLEMS_SHOWN = 12;

/** Why a call ended as it did: what a fault did, why it was refused, why its token was, and what was probably meant. */
function Why({ call }: { call: JournalCall }) {
  const { wrong, missing } = problemsOf(call);
  const { fault, hint, cause } = call;
  if (wrong.length + missing.length === 0 && !fault && !hint) return null;
  const [shown, folded] = [wrong.slice(0, PROBLEMS_SHOWN), wrong.slice(PROBLEMS_SHOWN)];
  return (
    <section aria-label="Problems">
      <ul class="problems">
        {fault ? (
          <li class="of-fault">
            <b>Fault</b> {faultText(fault)}
          </li>
        ) : null}
        {shown.map(({ message }) => (
          <li>
            <UserText whole text={message} />
          </li>
        ))}
        {folded.length > 0 ? (
          <li>
            <details>
              <summary>{folded.length} more</summary>
              {folded.map(({ message }) => (
                <p>
                  <UserText whole text={message} />
                </p>
              ))}
            </details>
          </li>
        ) : null}
        {missing.length > 0 ? (
          <li>
            <details>
              <summary>
                {missing.length === 1
                  ? '1 required field is missing'
                  : `${missing.length} required fields are missing`}
              </summary>
              <p class="mono">
                <UserText whole text={missing.join(', ')} />
              </p>
            </details>
          </li>
        ) : null}
        {cause ? (
          <li class="of-cause">
            <UserText whole text={cause} />
          </li>
        ) : null}
        {hint ? (
          <li class="of-hint">
            <b>Hint</b> <UserText whole text={hint} />
          </li>
        ) : null}
      </ul>
    </section>
  );
}

/** A fault as its rule has it: `after: drop`, `before: delay, ms 2000`. */
export function faultText({ stage, effect }: NonNullable<JournalCall['fault']>): string {
  const { kind, ...details } = effect;
  const values = Object.entries(details).map(
    ([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  return `${stage} the operation: ${[kind, ...values].join(', ')}`;
}
