/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom';
import { answerOf, asMerchant, control } from './api.ts';
import { AssumptionList } from './assumption-list.tsx';
import {
  type Call,
  faultStory,
  faultTag,
  isLost,
  type Problem,
  problemsOf,
  queryOf,
  statusClass,
  statusText,
  titleOf,
  tookText,
} from './call.ts';
import { curlOf } from './curl.ts';
import { Message } from './message.tsx';
import { momentText } from './moments.ts';
import { go } from './navigation.ts';
import { CopyButton } from './parts.tsx';
import { SendDialog } from './send-dialog.tsx';
import { chosenMerchant, contract, type Merchant, useStore } from './store.ts';
import { UserText } from './user-text.tsx';

/** One call: what was wrong with it, what was asked, what was answered, and why. */
export function CallDetail({ id }: { readonly id: string }) {
  const merchant = useStore(chosenMerchant);
  const known = useStore((state) => state.calls?.find((call) => call.id === id));
  const [asked, setAsked] = useState<Call | 'missing' | undefined>(undefined);
  // What is read stays, though the list lets it go when a thousand others came.
  const seen = useRef<Call | undefined>(undefined);
  seen.current = known ?? seen.current;
  useLayoutEffect(() => {
    if (seen.current || !merchant) return;
    answerOf(control.journal[':id'].$get({ param: { id } }, asMerchant(merchant)))
      .then((entry) => setAsked({ ...entry, merchant: { id: merchant.id, name: merchant.name } }))
      .catch(() => setAsked('missing'));
  }, [id]);
  const call = seen.current ?? asked;
  if (call === undefined) return <div aria-busy="true" />;
  return (
    <div>
      <button type="button" class="back quiet" onClick={() => go({ call: undefined })}>
        ‹ Calls
      </button>
      {call === 'missing' ? (
        <div class="hint">
          <h2 class="title">
            The call <UserText text={id} /> is not kept
          </h2>
          <p class="muted">
            A journal has the newest 1,000 calls, and a reset empties it. The call may be another
            merchant's, too.
          </p>
        </div>
      ) : (
        <Detail call={call} merchant={merchant as Merchant} />
      )}
    </div>
  );
}

/** A list of 5,000 members may have a problem in each: as many as this are shown, and marked, at once. */
const PROBLEMS_SHOWN = 50;

function Detail({ call, merchant }: { readonly call: Call; readonly merchant: Merchant }) {
  const [sends, setSends] = useState(false);
  const all = problemsOf(call);
  const [count, setCount] = useState(PROBLEMS_SHOWN);
  const problems = all.slice(0, count);
  const curl = () => curlOf(call, location.origin, merchant.api_key, contract.redacted);
  const link = () =>
    `${location.origin}${location.pathname}?call=${call.id}${call.merchant ? '' : `&merchant=${merchant.id}`}`;
  return (
    <article>
      <h2 class="title" tabindex={-1}>
        <span class={`status ${statusClass(call)}`}>{statusText(call)}</span>
        <UserText text={titleOf(call)} />
      </h2>
      <p class="sub">
        <UserText text={`${call.method} ${call.path}`} /> · <UserText class="mono" text={call.id} />{' '}
        · <span class="whole">{momentText(Date.parse(call.at))}</span>
        {[tookText(call), call.merchant ? '' : 'belongs to no merchant']
          .filter(Boolean)
          .map((text) => ` · ${text}`)
          .join('')}
      </p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => setSends(true)}>
          Send again
        </button>
        <CopyButton text={curl}>Copy as curl</CopyButton>
        <CopyButton text={link}>Copy link</CopyButton>
      </div>
      {problems.length > 0 ? (
        <Problems
          problems={problems}
          more={all.length - problems.length}
          onMore={() => setCount(count + PROBLEMS_SHOWN)}
        />
      ) : null}
      {call.fault ? (
        <section aria-label="What the fault did">
          <h3>What the fault did</h3>
          <p class="fault-story">
            <span class="tag">{faultTag(call)}</span> {faultStory(call)}
          </p>
        </section>
      ) : null}
      <Message
        title="Request"
        headers={call.request.headers}
        body={call.request.body}
        query={queryOf(call)}
        problems={problems}
        nothing={
          call.merchant ? 'It had no body.' : 'Its body was not read: the key was not valid.'
        }
      />
      <Message
        title="Response"
        headers={call.response?.headers}
        body={call.response?.body ?? null}
        problems={[]}
        nothing={isLost(call) ? 'None arrived.' : 'It had no body.'}
      />
      <AssumptionList call={call} />
      {sends ? (
        <SendDialog call={call} merchant={merchant} onClose={() => setSends(false)} />
      ) : null}
    </article>
  );
}

/** What a problem is about where no field has a name. */
const PLACES = { path: 'path', header: 'header', body: 'body', query: 'query' } as const;

function Problems({
  problems,
  more,
  onMore,
}: {
  readonly problems: readonly Problem[];
  readonly more: number;
  readonly onMore: () => void;
}) {
  return (
    <section aria-label="What is wrong">
      <h3>What is wrong</h3>
      <ul class="problems">
        {problems.map(({ field, place, message }) => (
          <li>
            <code>
              <UserText text={field ?? (place ? PLACES[place] : 'request')} />
            </code>
            <UserText whole text={message} />
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <button type="button" class="quiet" onClick={onMore}>
          Show more: {more} are left out
        </button>
      ) : null}
    </section>
  );
}
