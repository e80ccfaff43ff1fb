/* Starts the reference with the document of the page. */

import { linkAssumptions } from './link-assumptions.ts';
import { keepMended } from './mend.ts';

declare const Scalar: {
  createApiReference(place: Element, configuration: object): void;
};
/** Defines `Scalar`. The page loads it, too, so that it arrives together with this file. */
const SCALAR = '/docs/assets/scalar.js';

try {
  decodeURIComponent(location.hash);
} catch {
  // Scalar throws on an address that it cannot decode.
  history.replaceState(null, '', location.pathname);
}

const place = document.querySelector<HTMLElement>('#reference');
if (place) {
  start(place).catch(() => {
    place.textContent = 'Could not load the document. Is the sandbox running?';
  });
}

async function start(place: HTMLElement): Promise<void> {
  const { document: path = '', key = '' } = place.dataset;
  const [{ info, ...document }] = await Promise.all([
    fetch(path).then((response) => response.json()),
    import(SCALAR),
  ]);
  const description = `${info.description}\n\nThis page shows [${path}](${path}).`;
  keepMended();
  Scalar.createApiReference(place, {
    content: linkAssumptions({ ...document, info: { ...info, description } }),
    // Calls go to the address of this page, also where the document names a public URL.
    servers: [{ url: location.origin, description: 'This sandbox' }],
    authentication: {
      preferredSecurityScheme: 'merchantKey',
      securitySchemes: { merchantKey: { token: key } },
    },
    // No request may leave the machine.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    // Colours follow the system, as on the other pages; `reference.css` sets them.
    theme: 'none',
    hideDarkModeToggle: true,
    documentDownloadType: 'none',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  });
}
