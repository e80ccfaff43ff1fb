import { parseUrl } from '../world/url.ts';

/** What a host of the web looks like once a browser has read it: lower case, no wildcard. */
const WEB_ORIGIN = /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;
/** An app that shows pages of its own names them by a scheme of its own: `capacitor://localhost`. */
const APP_ORIGIN = /^(?!(?:https?|wss?|ftp|file):)[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(?::\d+)?$/;

/** Whether a text is an origin exactly as browsers send it: no path, no slash at its end, no default port. */
export const isOrigin = (text: string): boolean =>
  APP_ORIGIN.test(text) || (WEB_ORIGIN.test(text) && webOriginOf(text) === text);

/** The origin that a text which is none was meant to be, if it names one: `localhost:5173`, `http://a/`. */
export function originMeant(text: string): string | undefined {
  const address = text.trim();
  const isBare = /^(?:localhost|[\w-]+(?=:\d)|[\w-]+(?:\.[\w-]+)+)(?::\d+)?(?:\/.*)?$/i.test(
    address,
  );
  const origin = webOriginOf(isBare ? `http://${address}` : address);
  return origin !== undefined && isOrigin(origin) ? origin : undefined;
}

const webOriginOf = (text: string): string | undefined => parseUrl(text)?.origin;

const EXPOSED = 'Sandbox-Request-Id, Sandbox-Assumptions, Sandbox-Fault';

/**
 * What lets the pages of an origin read a response. A response has them from the beginning, so that the journal
 * shows them and what a fault breaks keeps them.
 */
export const corsHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': EXPOSED,
  ...(origin !== '*' && { vary: 'Origin' }),
});
