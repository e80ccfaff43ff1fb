import type { PageAsset } from '../layout/headers.ts';
import script from './client/reference.ts?bundle';
import style from './reference.css?bundle';

export { referencePage } from './reference-page.tsx';

const ASSETS: Readonly<Record<string, PageAsset>> = {
  'reference.js': { type: 'text/javascript', text: script },
  'reference.css': { type: 'text/css', text: style },
};

/** What the reference pages load, by its name below `/docs`; undefined if there is no such file. */
export function referenceAsset(name: string): PageAsset | undefined {
  return Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
}
