/*
 * Not the library's middleware: a path below /docs that is no page goes on to the merchant API, whose answers
 * get none of these.
 */

/** A page loads nothing but the sandbox's own files, and runs no script that stands in it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of every page. No Strict-Transport-Security: a sandbox is asked by plain HTTP. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // An update is seen at once.
  'cache-control': 'no-cache',
};

/** A file that a page loads. */
export interface PageAsset {
  readonly type: 'text/css' | 'text/javascript' | 'image/svg+xml';
  readonly text: string;
}

/** The headers of a file that pages load. */
export const assetHeaders = (type: string): Record<string, string> => ({
  'content-type': `${type}; charset=utf-8`,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
});
