import type { IncomingMessage } from 'node:http';
import { ControlError } from '../control/control-error.ts';
import { parseUrl } from '../world/platform.ts';

/** `host`, `host:port`, `[IPv6]` or `[IPv6]:port`: nothing that a URL could take for its path or for a user. */
const AUTHORITY = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** A target that is a whole URL, as clients send it to a proxy. */
const ABSOLUTE_TARGET = /^https?:\/\/([^/?#]*)/;

/**
 * Refuses a request whose Host or target RFC 9112 (3.2) does not allow. Both become part of its URL, where more
 * than the name of a host would take the place of the path that was sent.
 *
 * @returns the authority that a target in absolute form names
 */
export function checkTarget(
  { headers }: Request,
  { url: target = '', httpVersion }: IncomingMessage,
): string | undefined {
  // Two lines are read as one here, with a comma.
  const host = headers.get('host');
  if (host === null && httpVersion !== '1.0') throw new ControlError(400, 'There is no Host.');
  // An empty one is what RFC 9112 asks of a client whose URL names no host.
  if (host !== null && host !== '' && !isAuthority(host)) {
    throw new ControlError(400, `The Host must be ${FORMS}; ${JSON.stringify(host)} is none.`);
  }
  const authority = ABSOLUTE_TARGET.exec(target)?.[1];
  if (authority !== undefined && !isAuthority(authority)) {
    throw new ControlError(400, `A URL as target must name its host as ${FORMS}.`);
  }
  return authority;
}

const FORMS = 'host, host:port, [IPv6 address] or [IPv6 address]:port';

const isAuthority = (text: string): boolean =>
  AUTHORITY.test(text) && parseUrl(`http://${text}`) !== undefined;
