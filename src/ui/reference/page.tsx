/* The reference pages: a document that Scalar draws, and the table of assumptions. */

import type { DocumentedAssumption } from '../../openapi/document.ts';
import { Layout, renderPage, SiteHeader } from '../layout/layout.tsx';

/** The content of a reference page. */
interface ReferencePage {
  readonly current: 'Merchant API' | 'Control plane';
  /** The path of the document to show. */
  readonly path: string;
  /** The key that the page fills in; undefined without a demo merchant. */
  readonly demoKey: string | undefined;
}

/** Renders a page for one document. Scalar draws it in the browser. */
export const referencePage = ({ current, path, demoKey }: ReferencePage): string =>
  renderPage(
    <Layout
      title={`${current} · micro-insurance-sandbox`}
      styles={['/docs/assets/reference.css']}
      scripts={['/docs/assets/reference.js', '/docs/assets/scalar.js']}
      page="reference"
    >
      <SiteHeader current={current} />
      <noscript>
        <p>
          This page needs JavaScript. The document itself is at <a href={path}>{path}</a>.
        </p>
      </noscript>
      <div id="reference" data-document={path} data-key={demoKey} />
    </Layout>,
  );

type Rows = Readonly<Record<string, DocumentedAssumption>>;

/** Renders the page with the assumptions of a document. */
export const assumptionsPage = (document: object): string => {
  const rows = (document as { 'x-assumptions': Rows })['x-assumptions'];
  return renderPage(
    <Layout
      title="Assumptions · micro-insurance-sandbox"
      styles={['/docs/assets/reference.css']}
      page="assumptions"
    >
      <SiteHeader current="Merchant API" />
      <main>
        <h1>Assumptions</h1>
        <p class="muted">
          What the sandbox does where the specification is silent. The document names these rows in{' '}
          <code>x-assumptions</code>, and a response names them in its{' '}
          <code>Sandbox-Assumptions</code> header. <em>Evidence</em>: other public documentation of
          the same interface supports it. <em>Judgement</em>: our best guess.
        </p>
        <dl>
          {Object.entries(rows).map(([id, row]) => (
            <AssumptionRow id={id} row={row} rows={rows} />
          ))}
        </dl>
      </main>
    </Layout>,
  );
};

interface AssumptionRowProps {
  readonly id: string;
  readonly row: DocumentedAssumption;
  readonly rows: Rows;
}

const AssumptionRow = ({ id, row, rows }: AssumptionRowProps) => {
  const { question, decision, basis, setting } = row;
  return (
    <div id={id}>
      <dt>
        <a href={`#${id}`}>
          <code>{id}</code>
        </a>{' '}
        <small class={basis}>{basis}</small>
      </dt>
      <dd class="muted">
        <Marked text={question} rows={rows} />
      </dd>
      <dd>
        <Marked text={decision} rows={rows} />
        {setting !== undefined && (
          <p>
            <strong>Set here:</strong> <code>{JSON.stringify(setting)}</code>
          </p>
        )}
      </dd>
    </div>
  );
};

/** A text with code and emphasis. Ids of assumptions link to their row. */
const Marked = ({ text, rows }: { readonly text: string; readonly rows: Rows }) => (
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
