/* The files that the inspector and the front page load. */

import frontPageScript from './front-page/client/main.ts?bundle';
import frontPageStyle from './front-page/front-page.css?bundle';
import inspectorScript from './inspector/client/main.tsx?bundle';
import inspectorStyle from './inspector/inspector.css?bundle';
import type { PageAsset } from './layout/headers.ts';
import icon from './layout/icon.svg?raw';
import theme from './layout/theme.css?bundle';

export const ICON: PageAsset = { type: 'image/svg+xml', text: icon };

const ASSETS: Readonly<Record<string, PageAsset>> = {
  'theme.css': { type: 'text/css', text: theme },
  'icon.svg': ICON,
  'inspector.css': { type: 'text/css', text: inspectorStyle },
  'inspector.js': { type: 'text/javascript', text: inspectorScript },
  'front-page.css': { type: 'text/css', text: frontPageStyle },
  'front-page.js': { type: 'text/javascript', text: frontPageScript },
};

/** A file by its name below `/_sandbox/assets`; undefined if there is none. */
export const pageAsset = (name: string): PageAsset | undefined =>
  Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
