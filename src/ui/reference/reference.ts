/* The files that the reference pages load, with Scalar itself stored as gzip. */

import scalar from '../../../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js?gzip';
import { assetHeaders, type PageAsset } from '../layout/headers.ts';
import script from './client/reference.ts?bundle';
import { packedScript } from './packed.ts';
import style from './reference.css?bundle';

export { assumptionsPage, referencePage } from './page.tsx';

const ASSETS: Readonly<Record<string, PageAsset>> = {
  'reference.css': { type: 'text/css', text: style },
  'reference.js': { type: 'text/javascript', text: script },
};

/**
 * A file of the reference pages, by its name below `/docs/assets`; undefined if there is none.
 *
 * @param accepted the caller's `Accept-Encoding`
 */
export function referenceAsset(name: string, accepted: string | undefined): Response | undefined {
  if (name === 'scalar.js') return packedScript(scalar, accepted);
  const asset = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
  return asset && new Response(asset.text, { headers: assetHeaders(asset.type) });
}
