/** @jsxImportSource hono/jsx/dom */
import type { Problem } from './call.ts';
import { JsonView } from './json-view.tsx';
import { CopyButton } from './parts.tsx';
import { UserText } from './user-text.tsx';

/** What was sent one way: its body, or what stands in its place, and its headers. */
export function Message({
  title,
  headers,
  body,
  query = {},
  problems,
  nothing,
}: {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly body: unknown;
  /** The fields of the query, which are what a call without a body asks by. */
  readonly query?: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  /** What to say where there is no body. */
  readonly nothing: string;
}) {
  const hasQuery = Object.keys(query).length > 0;
  const hasBody = body !== null && body !== undefined;
  return (
    <section aria-label={title}>
      <div class="section-head">
        <h3>{title}</h3>
        {hasBody ? (
          <CopyButton
            quiet
            text={() => textOf(body)}
            label={`Copy the body of the ${title.toLowerCase()}`}
          />
        ) : null}
      </div>
      {hasQuery ? <JsonView value={query} marks={marksOf(problems, 'query')} /> : null}
      {hasBody ? (
        typeof body === 'string' ? (
          <LongText text={body} />
        ) : (
          <JsonView value={body} marks={marksOf(problems, 'body')} />
        )
      ) : hasQuery ? null : (
        <p class="nothing muted">{nothing}</p>
      )}
      {headers ? <Headers headers={headers} marks={marksOf(problems, 'header')} /> : null}
    </section>
  );
}

const textOf = (body: unknown): string =>
  typeof body === 'string' ? body : JSON.stringify(body, null, 2);

/** What is wrong at a place, by field; two reasons of one field stand together. */
function marksOf(problems: readonly Problem[], at: Problem['place']): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const { field, place, message } of problems) {
    if (place !== at || field === undefined) continue;
    const before = marks.get(field);
    marks.set(field, before === undefined ? message : `${before} ${message}`);
  }
  return marks;
}

const TEXT_SHOWN = 4000;

/** A body that is no JSON. */
function LongText({ text }: { readonly text: string }) {
  return (
    <div>
      <pre class="text">
        <UserText whole text={text.length > TEXT_SHOWN ? `${text.slice(0, TEXT_SHOWN)}…` : text} />
      </pre>
      {text.length > TEXT_SHOWN ? (
        <details class="rest">
          <summary>{text.length - TEXT_SHOWN} more characters</summary>
          <pre class="text">
            <UserText whole text={text.slice(TEXT_SHOWN)} />
          </pre>
        </details>
      ) : null}
    </div>
  );
}

function Headers({
  headers,
  marks,
}: {
  readonly headers: Readonly<Record<string, string>>;
  readonly marks: ReadonlyMap<string, string>;
}) {
  const entries = Object.entries(headers);
  const absent = [...marks.keys()].filter((name) => !Object.hasOwn(headers, name));
  return (
    <details class="headers" open={marks.size > 0}>
      <summary>Headers ({entries.length})</summary>
      <dl>
        {[...entries, ...absent.map((name): [string, string] => [name, 'missing'])].map(
          ([name, value]) => (
            <div key={name} class={marks.has(name) ? 'header-line wrong' : 'header-line'}>
              <dt>
                <UserText whole text={name} />
              </dt>
              <dd>
                <UserText whole text={value} />
                {marks.has(name) ? (
                  <span class="why">
                    <UserText whole text={marks.get(name) ?? ''} />
                  </span>
                ) : null}
              </dd>
            </div>
          ),
        )}
      </dl>
    </details>
  );
}
