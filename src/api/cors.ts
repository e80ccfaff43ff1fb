/* CORS: allowed origins, preflights, and the remedy for pages that are blocked. */

import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { announce } from '../world/activity.ts';
import { parseUrl } from '../world/platform.ts';
import type { SandboxBindings } from './context.ts';

/** A host as browsers write it: lower case, no wildcard. */
const WEB_ORIGIN = /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;
/** Apps with their own pages have their own scheme: `capacitor://localhost`. */
const APP_ORIGIN = /^(?!(?:https?|wss?|ftp|file):)[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(?::\d+)?$/;

/** Whether a text is an origin exactly as browsers send it: no path, no trailing slash, no default port. */
export const isOrigin = (text: string): boolean =>
  APP_ORIGIN.test(text) || (WEB_ORIGIN.test(text) && webOriginOf(text) === text);

/** The origin that an invalid text probably means: `localhost:5173`, `http://a/`. Undefined if there is none. */
export function originMeant(text: string): string | undefined {
  const address = text.trim();
  const isBare = /^(?:localhost|[\w-]+(?=:\d)|[\w-]+(?:\.[\w-]+)+)(?::\d+)?(?:\/.*)?$/i.test(
    address,
  );
  const origin = webOriginOf(isBare ? `http://${address}` : address);
  return origin !== undefined && isOrigin(origin) ? origin : undefined;
}

const webOriginOf = (text: string): string | undefined => parseUrl(text)?.origin;

/** Stands for every origin. */
export const ANY_ORIGIN = '*';

const EXPOSED = 'Sandbox-Request-Id, Sandbox-Assumptions, Sandbox-Hint, Sandbox-Fault';

/**
 * The CORS headers of a response.
 *
 * @param allowed the allowed origins, or only `*`
 * @param origin the `Origin` of the request
 */
export function corsHeaders(
  allowed: readonly string[],
  origin: string | null | undefined,
): Readonly<Record<string, string>> {
  if (allowed.length === 0) return {};
  if (allowed[0] === ANY_ORIGIN) return readableBy(ANY_ORIGIN);
  const vary = { vary: 'Origin' };
  return isAllowed(allowed, origin) ? { ...readableBy(origin), ...vary } : vary;
}

const isAllowed = (
  allowed: readonly string[],
  origin: string | null | undefined,
): origin is string => typeof origin === 'string' && allowed.includes(origin);

const readableBy = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': EXPOSED,
});

interface SharedEnv {
  Bindings: SandboxBindings;
}

type Received = Pick<Context<SharedEnv>, 'env' | 'req'>;

const METHODS = 'GET,HEAD,POST';
const REQUEST_HEADERS = 'Authorization,Content-Type,Sandbox-Fault';

/**
 * Responds to a CORS preflight: every header that a page asks for is allowed, because libraries add their own. It has
 * no key, and journal and faults ignore it. Any other OPTIONS request is a normal call.
 */
export const preflight = createMiddleware<SharedEnv>(async (c, next) => {
  const origin = c.req.header('origin');
  if (origin === undefined || c.req.header('access-control-request-method') === undefined) {
    return next();
  }
  const { cors } = c.env;
  const headers = corsHeaders(cors, origin);
  if ('access-control-allow-origin' in headers) {
    return c.body(null, 204, {
      ...headers,
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers':
        c.req.header('access-control-request-headers') || REQUEST_HEADERS,
    });
  }
  announceBlockedPage(c);
  return c.text(`Pages of this origin are not allowed; ${remedy(cors, origin)}.`, 403, headers);
});

/** Lets pages of the allowed origins read a document. Other responses set the headers themselves. */
export const readableByPages = createMiddleware<SharedEnv>(async (c, next) => {
  const headers = corsHeaders(c.env.cors, c.req.header('origin'));
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  announceBlockedPage(c);
  return next();
});

/** Reports a request of a page whose origin is not allowed. Returns whether it is one. */
export function announceBlockedPage(c: Received): boolean {
  const origin = blockedOrigin(c);
  if (origin === undefined) return false;
  const { cors, merchants } = c.env;
  announce(merchants.activity, {
    kind: 'page',
    merchant: undefined,
    origin,
    allow: allowing(cors, origin),
    remedy: remedy(cors, origin),
  });
  return true;
}

/** The origin of a page that cannot read the response; undefined if no such page sent the request. */
function blockedOrigin({ env, req }: Received): string | undefined {
  const { cors, publicUrl } = env;
  // A request without a Host was sent in this process, where no browser hides a response.
  if (cors[0] === ANY_ORIGIN || req.header('host') === undefined) return undefined;
  const origin = foreignOriginOf(req.raw);
  if (origin === undefined || cors.includes(origin)) return undefined;
  return publicUrl !== undefined && webOriginOf(publicUrl) === origin ? undefined : origin;
}

/** The allowed origins with one more. Only `*` allows pages without one, whose browsers send `null`. */
const allowing = (allowed: readonly string[], origin: string): readonly string[] =>
  isOrigin(origin) ? [...allowed, origin] : [ANY_ORIGIN];

/** How to allow an origin besides those that are. */
function remedy(allowed: readonly string[], origin: string): string {
  const origins = allowing(allowed, origin).join(',');
  // Shells take * and [ as patterns.
  return `start with --cors ${/[*[]/.test(origins) ? `'${origins}'` : origins}`;
}

/** The origin of a page of another site that sent a request; undefined if none did. */
export function foreignOriginOf({
  headers,
  url,
}: Pick<Request, 'headers' | 'url'>): string | undefined {
  const host = headers.get('host')?.toLowerCase() ?? new URL(url).host;
  const origin = headers.get('origin');
  const isOwn = origin === null || origin === `http://${host}` || origin === `https://${host}`;
  return isOwn ? undefined : origin;
}
