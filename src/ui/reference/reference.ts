/* The files that the reference pages load, with Scalar itself stored as gzip. */

import scalar from '../../../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js?gzip';
import { assetHeaders, type PageAsset } from '../layout/headers.ts';
import script from './client/reference.ts?bundle';
import style from './reference.css?bundle';

export { assumptionsPage, referencePage } from './page.tsx';

const ASSETS: Readonly<Record<string, PageAsset>> = {
  'reference.css': { type: 'text/css', text: style },
  'reference.js': { type: 'text/javascript', text: script },
};

/**
 * A file of the reference pages, by its name below `/docs/assets`; undefined if there is none.
 *
 * @param takesGzip whether the caller accepts gzip, which is how the largest file is stored
 */
export function referenceAsset(name: string, takesGzip: boolean): Response | undefined {
  if (name === 'scalar.js') return scalarResponse(takesGzip);
  const asset = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
  return asset && new Response(asset.text, { headers: assetHeaders(asset.type) });
}

let packed: Uint8Array<ArrayBuffer> | undefined;

function scalarResponse(takesGzip: boolean): Response {
  packed ??= bytesOf(scalar);
  const headers = assetHeaders('text/javascript');
  if (takesGzip) {
    return new Response(packed, { headers: { ...headers, 'content-encoding': 'gzip' } });
  }
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream, { headers });
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = characters.charCodeAt(index);
  return bytes;
}
