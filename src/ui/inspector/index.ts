import type { PageAsset } from '../layout/headers.ts';
import icon from '../layout/icon.svg?raw';
import theme from '../layout/theme.css?bundle';
import script from './client/main.tsx?bundle';
import style from './inspector.css?bundle';

export { inspectorPage } from './page.tsx';

const ASSETS: Readonly<Record<string, PageAsset>> = {
  'theme.css': { type: 'text/css', text: theme },
  'icon.svg': { type: 'image/svg+xml', text: icon },
  'inspector.css': { type: 'text/css', text: style },
  'inspector.js': { type: 'text/javascript', text: script },
};

/** A file of the inspector by its name; undefined if there is none. */
export function inspectorAsset(name: string): PageAsset | undefined {
  return Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
}
