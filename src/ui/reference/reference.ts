import scalar from '../../../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js?gzip';
import type { PageAsset } from '../layout/headers.ts';
import script from './client/reference.ts?bundle';
import style from './reference.css?bundle';

export { assumptionsPage, referencePage } from './page.tsx';

const ASSETS: Readonly<Record<string, () => PageAsset | Promise<PageAsset>>> = {
  'reference.css': () => ({ type: 'text/css', text: style }),
  'reference.js': () => ({ type: 'text/javascript', text: script }),
  'scalar.js': async () => ({ type: 'text/javascript', text: await unpacked(scalar) }),
};

/** A file that the reference pages load, by its name below `/docs/assets`; undefined if there is none. */
export async function referenceAsset(name: string): Promise<PageAsset | undefined> {
  return Object.hasOwn(ASSETS, name) ? ASSETS[name]?.() : undefined;
}

/** The text that gzip holds, as base64. */
function unpacked(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}
