/* The frame of every page: its head, its header, and the links between pages. */

import type { Child } from 'hono/jsx';

/** The path of the files that pages load. */
const ASSETS_PATH = '/_sandbox/assets';

interface LayoutProps {
  readonly title: string;
  /** Names below `ASSETS_PATH`, or paths. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** The class of `body`, for style sheets. */
  readonly page: string;
  readonly children?: Child;
}

/** The shell of every page. */
export const Layout = ({ title, styles = [], scripts = [], page, children }: LayoutProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      <link rel="icon" type="image/svg+xml" href={assetPath('icon.svg')} />
      {styles.map((name) => (
        <link rel="stylesheet" href={assetPath(name)} />
      ))}
      {scripts.map((name) => (
        <script type="module" src={assetPath(name)} />
      ))}
    </head>
    <body class={page}>{children}</body>
  </html>
);

/** Renders a page. */
export const renderPage = (page: { toString(): unknown }): string => `<!doctype html>${page}`;

const assetPath = (name: string): string =>
  name.startsWith('/') ? name : `${ASSETS_PATH}/${name}`;

/** The pages in the header, by name. */
const PAGES = {
  Overview: '/',
  Inspector: '/_sandbox',
  'Merchant API': '/docs',
  'Control plane': '/docs/control',
} as const;

/** The header of every page. */
export const SiteHeader = ({ current }: { readonly current?: keyof typeof PAGES }) => (
  <header class="site">
    <a class="brand" href="/">
      <span>micro-insurance-sandbox</span>
    </a>
    <nav class="tabs" aria-label="Pages">
      {Object.entries(PAGES).map(([name, path]) => (
        <a href={path} {...(name === current && { 'aria-current': 'page' as const })}>
          {name}
        </a>
      ))}
    </nav>
  </header>
);
