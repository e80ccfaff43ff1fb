/* The request, the response and the changes of a call. */

/** @jsxImportSource hono/jsx/dom */
import { type JournalCall, problemsOf } from './items.ts';
import { cut, JsonView } from './json-view.tsx';
import { CopyButton, UserText } from './parts.tsx';

/** How many problems are marked at their fields, and how many of them that are missing. */
const MARKED = 50;
const MARKED_MISSING = 5;

/** The request with each problem at its field. */
export function Request({ call }: { call: JournalCall }) {
  const { method, path, request, problems } = call;
  const isQuery = method === 'GET';
  const { wrong, missing } = problemsOf(call);
  const marked = missing.length > MARKED_MISSING ? wrong : problems;
  const marks = new Map(
    marked
      .slice(0, MARKED)
      .flatMap(({ field, rule, message }) =>
        field === undefined ? [] : [[field, rule === 'required' ? '' : message] as const],
      ),
  );
  const query = Object.fromEntries(new URLSearchParams(path.split('?')[1] ?? ''));
  const hasQuery = isQuery && Object.keys(query).length > 0;
  const { body } = request;
  return (
    <section aria-label="Request">
      <Head title="Request" body={body} />
      {hasQuery ? <JsonView value={query} marks={marks} /> : null}
      <Body body={body} marks={isQuery ? undefined : marks} />
      {body === null && !hasQuery ? <p class="nothing muted">No body.</p> : null}
      <Headers headers={request.headers} />
    </section>
  );
}

/** The response. That of a refusal is folded, because its problems stand above. */
export function Response({ call }: { call: JournalCall }) {
  const { response, problems } = call;
  const body = response?.body ?? null;
  const shown = <Body body={body} />;
  return (
    <section aria-label="Response">
      <Head title="Response" body={body} />
      {response === null ? <p class="nothing muted">No response arrived.</p> : null}
      {problems.length > 2 ? (
        <details>
          <summary>Body with {problems.length} problems</summary>
          {shown}
        </details>
      ) : (
        shown
      )}
      {response ? <Headers headers={response.headers} /> : null}
    </section>
  );
}

function Head({ title, body }: { title: string; body: unknown }) {
  const text = () => (typeof body === 'string' ? body : JSON.stringify(body, null, 2));
  return (
    <div class="section-head">
      <h3>{title}</h3>
      {body === null ? null : (
        <CopyButton text={text} label={`Copy the body of the ${title.toLowerCase()}`} />
      )}
    </div>
  );
}

/** A body: JSON, or a text that is not JSON. */
function Body({ body, marks }: { body: unknown; marks?: ReadonlyMap<string, string> | undefined }) {
  if (body === null || body === undefined) return null;
  if (typeof body !== 'string') return <JsonView value={body} {...(marks && { marks })} />;
  return (
    <pre class="text">
      <UserText whole text={cut(body)} />
    </pre>
  );
}

const Headers = ({ headers }: { headers: Readonly<Record<string, string>> }) => (
  <details class="headers">
    <summary class="muted">Headers ({Object.keys(headers).length})</summary>
    <JsonView value={headers} />
  </details>
);

const SIGNS = { added: '+', changed: '~', removed: '−' } as const;

/** What the call changed, field by field. */
export function Changes({ call: { changes } }: { call: JournalCall }) {
  if (changes.length === 0) return null;
  return (
    <section aria-label="What it changed">
      <h3>What it changed</h3>
      {changes.map(({ change, table, key, before, after }) => {
        const fields = Object.keys({ ...before, ...after });
        return (
          <div class="change">
            <span class={`mono ${change}`}>
              {SIGNS[change]} {table} <UserText text={key} />
            </span>
            {fields.map((field) => (
              <p class="mono">
                <span class="muted">{field}</span> <Value of={before?.[field]} /> →{' '}
                <Value of={after?.[field]} />
              </p>
            ))}
          </div>
        );
      })}
    </section>
  );
}

const Value = ({ of: value }: { of: unknown }) => (
  <UserText text={value === undefined ? 'nothing' : JSON.stringify(value)} />
);
