/* The page of the inspector. */

import { Layout, renderPage, SiteHeader } from '../layout/layout.tsx';
import type { Contract } from './contract.ts';

/** The inspector's page. It contains no data of merchants; its script requests them. */
export const inspectorPage = (contract: Contract): string =>
  renderPage(
    <Layout
      title="Inspector · micro-insurance-sandbox"
      styles={['theme.css', 'inspector.css']}
      scripts={['inspector.js']}
      page="inspector"
    >
      <SiteHeader current="Inspector" />
      <div id="inspector" data-contract={JSON.stringify(contract)}>
        <noscript>
          <main>
            <p>
              The inspector needs JavaScript. The <a href="/docs/control">control plane</a> has the
              same data.
            </p>
          </main>
        </noscript>
      </div>
    </Layout>,
  );
