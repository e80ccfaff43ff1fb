/* One policy: a summary, the calls about it, its fields and its JSON. */

/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import { faultTag, keyOf, type ListedCall, statusClass, statusText } from './call.ts';
import { momentText, useShownTime } from './clock.tsx';
import { JsonView } from './json-view.tsx';
import { callAndTell } from './merchant-call.tsx';
import { attempt } from './merchants.ts';
import { ActButton, Button, CopyButton, UserText } from './parts.tsx';
import {
  fieldsOf,
  nairaText,
  type PolicyRecord,
  policyNumberOf,
  readPath,
  renewalOf,
  type Status,
  statusOf,
  summaryOfPolicy,
} from './policy.ts';
import { useProducts } from './products.tsx';
import { type contract, go, useStore } from './store.ts';

type Family = (typeof contract.families)[number];

interface OpenRecordProps {
  record: PolicyRecord;
  family: Family | undefined;
}

/** A policy in a few lines, with what renews it and the calls that concern it, then as fields and as JSON. */
export function OpenRecord({ record, family }: OpenRecordProps) {
  const { shown: now } = useShownTime();
  const products = useProducts() ?? [];
  const number = policyNumberOf(record) ?? '';
  const isRenewable = family?.renewPath !== undefined;
  return (
    <article>
      <Button class="back quiet" onClick={() => go({ record: undefined })}>
        ‹ Records
      </Button>
      <div class="section-head">
        <h2 class="title mono" tabindex={-1}>
          <UserText text={number || 'Policy'} />
        </h2>
        <StatusPill status={statusOf(record, now)} />
      </div>
      <dl class="fields-of summary">
        {summaryOfPolicy(record, { products, isRenewable, now }).map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <UserText text={text} />
            </dd>
          </div>
        ))}
      </dl>
      {family && isRenewable ? (
        <Renew family={family} renewal={renewalOf(record, products)} />
      ) : null}
      <Calls number={number} />
      <h3>Fields</h3>
      <dl class="fields-of">
        {fieldsOf(record).map(({ name, text }) => (
          <div key={name}>
            <dt class="mono">{name}</dt>
            <dd>
              <UserText text={text} />
            </dd>
          </div>
        ))}
      </dl>
      <div class="section-head">
        <h3>As the merchant API returns it</h3>
        <CopyButton quiet text={() => JSON.stringify(record, null, 2)} label="Copy the record" />
      </div>
      <JsonView value={record} />
    </article>
  );
}

interface RenewProps {
  family: Family;
  /** What the call sends; undefined without a price. */
  renewal: Readonly<Record<string, unknown>> | undefined;
}

/** Buys a further period with the call that a merchant would make. */
function Renew({ family, renewal }: RenewProps) {
  const [busy, setBusy] = useState(false);
  if (!renewal) return null;
  const { renew = '', renewPath = '' } = family;
  const start = async () => {
    setBusy(true);
    await attempt(() => callAndTell('Renew', renewPath, renewal, 'renewed'));
    setBusy(false);
  };
  return (
    <p class="renew">
      <ActButton class="primary" busy={busy} onClick={start}>
        Renew for {nairaText(Number(renewal.amount))}
      </ActButton>{' '}
      <small class="muted">
        Sends <span class="mono">{renew}</span>, {String(renewal.subscription_type)}.
      </small>
    </p>
  );
}

/** The calls whose request or response names the policy, oldest first, and the initiate of its token. */
function Calls({ number }: { number: string }) {
  const calls = useStore((state) => state.calls) ?? [];
  const ownCalls = callsAbout(calls, number);
  return (
    <section aria-label="Calls of this policy">
      <h3>Calls</h3>
      {ownCalls.length === 0 ? (
        <p class="muted">No call in the journal names this policy.</p>
      ) : (
        <ul class="own-calls">
          {ownCalls.map((call) => (
            <li key={call.id}>
              <Button class="quiet" onClick={() => go({ tab: 'calls', call: keyOf(call) })}>
                <span class={`status ${statusClass(call)}`}>{statusText(call)}</span>
                <span class="mono">{call.operation ?? call.path}</span>
                {call.fault ? <span class="tag">{faultTag(call)}</span> : null}
                <time class="muted" datetime={call.at}>
                  {momentText(Date.parse(call.at))}
                </time>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The calls about a policy, oldest first: those with its number, and those with the token that bought it. */
export function callsAbout(calls: readonly ListedCall[], number: string): ListedCall[] {
  const texts = new Map(calls.map((call) => [call, textOf(call)]));
  const naming = calls.filter((call) => texts.get(call)?.includes(JSON.stringify(number)));
  const tokens = new Set(naming.flatMap(tokensOf));
  return calls
    .filter((call) => naming.includes(call) || tokensOf(call).some((token) => tokens.has(token)))
    .toReversed();
}

/** Bodies and path, with the number of a path in quotes too. */
const textOf = ({ path, request, response }: ListedCall): string =>
  `${JSON.stringify(request.body)}${JSON.stringify(response?.body)}"${path.split(/[/?]/).at(-1)}"`;

function tokensOf({ request, response }: ListedCall): string[] {
  const sent = readPath(request.body, 'token');
  const issued = readPath(response?.body, 'data.token');
  return [sent, issued].filter((token) => typeof token === 'string');
}

export const StatusPill = ({ status }: { status: Status }) => (
  <span class={`pill ${status}`}>{status}</span>
);
