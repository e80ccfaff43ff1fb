import type { PageAsset } from '../layout/headers.ts';
import script from './client/main.ts?bundle';
import style from './front-page.css?bundle';

export { frontPage } from './page.tsx';

const ASSETS: Readonly<Record<string, PageAsset>> = {
  'front-page.css': { type: 'text/css', text: style },
  'front-page.js': { type: 'text/javascript', text: script },
};

/** A file of the front page by its name; undefined if there is none. */
export function frontPageAsset(name: string): PageAsset | undefined {
  return Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
}
