/* The inspector's page and the files that it loads. */

import type { PageAsset } from '../layout/headers.ts';
import icon from '../layout/icon.svg?raw';
import { Layout, renderPage, SiteHeader } from '../layout/layout.tsx';
import theme from '../layout/theme.css?bundle';
import script from './client/main.tsx?bundle';
import type { Contract } from './contract.ts';
import style from './inspector.css?bundle';

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

const ASSETS: Readonly<Record<string, PageAsset>> = {
  'theme.css': { type: 'text/css', text: theme },
  'icon.svg': { type: 'image/svg+xml', text: icon },
  'inspector.css': { type: 'text/css', text: style },
  'inspector.js': { type: 'text/javascript', text: script },
};

/** A file of the inspector, by name; undefined if there is none. */
export function inspectorAsset(name: string): PageAsset | undefined {
  return Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
}
