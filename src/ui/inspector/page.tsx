import { Brand, Layout, renderPage } from '../layout/layout.tsx';
import type { Contract } from './contract.ts';

/** The text of the inspector's page. It holds no data of any merchant: the script asks for that. */
export const inspectorPage = (contract: Contract): string =>
  renderPage(
    <Layout
      title="Inspector · micro-insurance-sandbox"
      styles={['theme.css', 'inspector.css']}
      scripts={['inspector.js']}
      page="inspector"
    >
      <div id="inspector" data-contract={JSON.stringify(contract)}>
        <header>
          <Brand />
        </header>
        <noscript>
          <main>
            <p>
              The inspector needs JavaScript. What it shows is at the{' '}
              <a href="/docs/control">control plane</a> too.
            </p>
          </main>
        </noscript>
      </div>
    </Layout>,
  );
