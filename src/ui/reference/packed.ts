/* Serves a large file that is stored as gzip, in base64. */

import { assetHeaders } from '../layout/headers.ts';

/** Cloudflare's engine compresses a body with `content-encoding` unless told that it is. Others ignore the option. */
const IS_ENCODED = { encodeBody: 'manual' };

/** The response with a stored script, for a client with this `Accept-Encoding`. */
export function packedScript(base64: string, accepted: string | null | undefined): Response {
  const bytes = bytesOf(base64);
  const headers = assetHeaders('text/javascript');
  if (takesGzip(accepted ?? '')) {
    const encoded = { ...headers, 'content-encoding': 'gzip' };
    return new Response(bytes, { ...IS_ENCODED, headers: encoded });
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream, { headers });
}

/** A weight of 0 refuses it (RFC 9110, 12.4.2). */
const takesGzip = (accepted: string): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted);

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = characters.charCodeAt(index);
  return bytes;
}
