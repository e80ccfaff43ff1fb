/*
 * The headers of pages and of the files that they load. Not set by the library's middleware, because a path below
 * /docs without a page goes to the merchant API, whose responses have none of them.
 */

/** A page loads only the sandbox's own files and runs no inline script. */
const contentSecurityPolicy = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The headers of every page. No Strict-Transport-Security: a sandbox serves plain HTTP. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy("'self'"),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // Browsers show an updated page at once.
  'cache-control': 'no-cache',
};

/** The headers of pages that Scalar renders. It writes styles into the page. */
export const REFERENCE_HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': contentSecurityPolicy("'self' 'unsafe-inline'"),
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
