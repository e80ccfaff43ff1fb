import scalar from '../../../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js?raw';
import type { PageAsset } from '../layout/headers.ts';
import script from './client/reference.ts?bundle';
import style from './reference.css?bundle';

export { assumptionsPage, referencePage } from './reference-page.tsx';

const ASSETS: Readonly<Record<string, PageAsset>> = {
  'reference.css': { type: 'text/css', text: style },
  'reference.js': { type: 'text/javascript', text: script },
  'scalar.js': { type: 'text/javascript', text: scalar },
};

/** A file that the reference pages load, by its name below `/docs/assets`; undefined if there is none. */
export function referenceAsset(name: string): PageAsset | undefined {
  return Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
}
