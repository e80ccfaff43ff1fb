import type { LedgerRow } from '../../openapi/ledger.ts';
import { Layout, renderPage, SiteHeader } from '../layout/layout.tsx';
import { type Chapter, contentsOf, type ReferenceDocument } from './reference-contents.ts';

/** What a reference page shows. */
interface ReferencePage {
  readonly current: 'Merchant API' | 'Control plane';
  /** Where the document stands that it shows. */
  readonly path: string;
  readonly document: object;
  /** The demo merchant's key, where there is that merchant: calls are tried with it. */
  readonly demoKey: string | undefined;
}

/** The text of a page that shows one document, to read and to try. */
export function referencePage({ current, path, document, demoKey }: ReferencePage): string {
  const shown = document as ReferenceDocument;
  const assumptions = shown['x-assumptions'] as Record<string, LedgerRow> | undefined;
  return renderPage(
    <Layout
      title={`${current} · micro-insurance-sandbox`}
      styles={['/docs/reference.css']}
      scripts={['/docs/reference.js']}
      page="reference"
    >
      <SiteHeader current={current} />
      <div class="columns">
        <aside aria-label="Search and contents">
          <Search withAssumptions={assumptions !== undefined} />
          <Keys schemes={Object.entries(shown.components.securitySchemes)} demoKey={demoKey} />
          <Contents chapters={contentsOf(shown)} />
          <p>
            {assumptions && <a href="#suppositions">Assumptions</a>}
            <a href={path}>{path}</a>
          </p>
        </aside>
        <main>
          <noscript>
            <p>
              To read the operations here needs JavaScript; the document itself is at{' '}
              <a href={path}>{path}</a>.
            </p>
          </noscript>
          <div id="reference" data-document={path} />
          {assumptions && <Assumptions rows={assumptions} />}
        </main>
      </div>
    </Layout>,
  );
}

const Search = ({ withAssumptions }: { readonly withAssumptions: boolean }) => (
  <search>
    <input
      id="search"
      type="search"
      placeholder={withAssumptions ? 'Operation, field, assumption' : 'Operation, path, field'}
      aria-label="Search"
      aria-keyshortcuts="/"
      autocomplete="off"
      spellcheck={false}
    />
    <p id="found" class="muted" role="status" />
  </search>
);

/** How each way to identify oneself is called, by its name in the documents. */
const KEY_LABELS: Readonly<Record<string, string>> = {
  merchantKey: 'Key',
  adminToken: 'Admin token',
};

interface KeysProps {
  readonly schemes: readonly (readonly [string, { readonly description: string }])[];
  readonly demoKey: string | undefined;
}

/** What calls are tried with. */
const Keys = ({ schemes, demoKey }: KeysProps) => (
  <div class="keys">
    {schemes.map(([name, { description }]) => (
      <label title={description}>
        <span>{KEY_LABELS[name] ?? name}</span>
        <input
          data-scheme={name}
          class="mono"
          value={name === 'merchantKey' ? (demoKey ?? '') : ''}
          autocomplete="off"
          spellcheck={false}
        />
      </label>
    ))}
  </div>
);

const Contents = ({ chapters }: { readonly chapters: readonly Chapter[] }) => (
  <details open>
    <summary>Contents</summary>
    <nav aria-label="Contents">
      {chapters.map(({ tag, operations }) => (
        <section>
          <h2>
            <a href={`#/${encodeURIComponent(tag)}`}>{tag}</a>
          </h2>
          <ul>
            {operations.map(({ id, method, path, summary, fields }) => (
              <li data-operation={id} data-words={`${tag} ${method} ${path} ${id} ${summary}`}>
                <a href={`#/${encodeURIComponent(tag)}/${id}`}>
                  <span class={`method ${method}`}>{method}</span>
                  <span>
                    {summary}
                    <code data-fields={fields.join(' ')} />
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  </details>
);

const Assumptions = ({ rows }: { readonly rows: Record<string, LedgerRow> }) => (
  <section id="suppositions">
    <h2>Assumptions</h2>
    <p class="muted">
      What the sandbox does where the contract is silent. <code>x-assumptions</code> of the document
      and the <code>Sandbox-Assumptions</code> header of an answer name these rows.
    </p>
    <table>
      <thead>
        <tr>
          <th scope="col">Assumption</th>
          <th scope="col">What is open</th>
          <th scope="col">What the sandbox does</th>
          <th scope="col">Basis</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(rows).map(([id, { question, decision, basis, setting }]) => (
          <tr id={id}>
            <td>
              <a href={`#${id}`}>
                <code>{id}</code>
              </a>
            </td>
            <td>
              <Marked text={question} rows={rows} />
            </td>
            <td>
              <Marked text={decision} rows={rows} />
              {setting !== undefined && (
                <p>
                  <strong>Set otherwise here:</strong> <code>{JSON.stringify(setting)}</code>
                </p>
              )}
            </td>
            <td>
              <span class={`basis ${basis}`}>{basis}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

/** A text with its code and its emphasis; code that names an assumption leads there. */
const Marked = ({ text, rows }: { readonly text: string; readonly rows: object }) => (
  <>
    {text.split(/(`[^`]+`|[*]\w+[*])/).map((part) => {
      const inside = part.slice(1, -1);
      if (part.startsWith('*')) return <em>{inside}</em>;
      if (!part.startsWith('`')) return part;
      if (!Object.hasOwn(rows, inside)) return <code>{inside}</code>;
      return (
        <a href={`#${inside}`}>
          <code>{inside}</code>
        </a>
      );
    })}
  </>
);
