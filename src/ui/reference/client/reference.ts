/* Starts the reference with the document of the page. `/docs/assets/scalar.js` defines `Scalar` before. */
import { linkAssumptions } from './link-assumptions.ts';

declare const Scalar: {
  createApiReference(place: Element, configuration: object): void;
};

try {
  decodeURIComponent(location.hash);
} catch {
  // Scalar throws on an address that it cannot decode.
  history.replaceState(null, '', location.pathname);
}

const place = document.querySelector<HTMLElement>('#reference');
if (place) {
  start(place).catch(() => {
    place.textContent = 'The document could not be loaded: is the sandbox running?';
  });
}

async function start(place: HTMLElement): Promise<void> {
  const { document: path = '', key = '' } = place.dataset;
  const { info, ...document } = await (await fetch(path)).json();
  const description = `${info.description}\n\nThis page shows [${path}](${path}).`;
  Scalar.createApiReference(place, {
    content: linkAssumptions({ ...document, info: { ...info, description } }),
    // The document names the default address; calls must reach the sandbox that serves the page.
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
