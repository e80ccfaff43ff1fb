/* One policy: its fields, its status, the calls about it, and its JSON. */

/** @jsxImportSource hono/jsx/dom */
import { keyOf, type ListedCall } from './call.ts';
import { momentText, useShownTime } from './clock.tsx';
import { JsonView } from './json-view.tsx';
import { Button, CopyButton, UserText } from './parts.tsx';
import { go, useStore } from './store.ts';

export type PolicyRecord = Readonly<Record<string, unknown>>;

export const policyNumberOf = (record: PolicyRecord): string | undefined => {
  const number = record.policy_number ?? record.policy_no;
  return number === undefined ? undefined : String(number);
};

/** A policy as fields, with the calls that concern it, and as JSON. */
export function OpenRecord({ record }: { record: PolicyRecord }) {
  const { shown } = useShownTime();
  const number = policyNumberOf(record) ?? '';
  return (
    <article>
      <Button class="back quiet" onClick={() => go({ record: undefined })}>
        ‹ Records
      </Button>
      <div class="section-head">
        <h2 class="title mono">
          <UserText text={number || 'Policy'} />
        </h2>
        <StatusPill status={statusOf(record, shown)} />
      </div>
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
                <span class={`status s${String(call.status ?? 0)[0]}`}>{call.status ?? '–'}</span>
                <span class="mono">{call.operation ?? call.path}</span>
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
  const sent = fieldOf(request.body, 'token');
  const issued = fieldOf(fieldOf(response?.body, 'data'), 'token');
  return [sent, issued].filter((token) => typeof token === 'string');
}

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

/** Whether the cover of a policy has begun or ended, by the World's clock. */
export type Status = 'active' | 'ended' | 'upcoming' | 'unknown';

export function statusOf(record: PolicyRecord, now: number): Status {
  const cover = fieldOf(record, 'subscriptions') ?? record;
  const inner = Array.isArray(cover) ? cover[0] : cover;
  const [start, end] = ['start_date', 'end_date'].map((name) =>
    Date.parse(String(fieldOf(inner, name))),
  ) as [number, number];
  if (Number.isNaN(end)) return 'unknown';
  if (end <= now) return 'ended';
  return start > now ? 'upcoming' : 'active';
}

export const StatusPill = ({ status }: { status: Status }) =>
  status === 'unknown' ? null : <span class={`pill ${status}`}>{status}</span>;

/** The values of a record by path, without those that are null. A list shows its length. */
export function fieldsOf(record: unknown, path = ''): { name: string; text: string }[] {
  return Object.entries(Object(record)).flatMap(([key, value]) => {
    const name = path === '' ? key : `${path}.${key}`;
    if (value === null || value === '') return [];
    if (Array.isArray(value)) return [{ name, text: String(value.length) }];
    return typeof value === 'object' ? fieldsOf(value, name) : [{ name, text: String(value) }];
  });
}
