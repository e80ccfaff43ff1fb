/* Why a call got no response, in words that follow the server's URL. */

import { CLOSED } from '../control/host.ts';
import { printable } from '../world/printable.ts';

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/HEADERS_TIMEOUT|BODY_TIMEOUT/, 'sent no complete response in time'],
  [/bad port/, 'could not be called: HTTP clients refuse this port'],
  [/ECONNREFUSED/, 'refused the connection: nothing is listening there'],
  [/ENOTFOUND|EAI_AGAIN/, 'has an unknown host name'],
  [/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CONNECT_TIMEOUT/, 'cannot be reached'],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET|terminated|closed|lost/i, 'cut the connection'],
  [/HEADERS?_OVERFLOW/, 'sent headers that are too large'],
  // `fetch` asserts that a status is at least 100, which its parser does not check. In Node 24 parser errors have no code.
  [/HPE_|Parse Error|ERR_ASSERTION|not match the HTTP/, 'sent a response that is not HTTP'],
  [/ERR_SSL|EPROTO|WRONG_VERSION/, 'does not support TLS, which https requires'],
  [/CERT|TLS|self.signed/i, 'has an untrusted certificate'],
];

/** Why a request failed, from the codes and messages in a runtime's errors. */
export function describeFailure(error: unknown): string {
  const causes: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) {
    causes.push(`${(each as { code?: unknown }).code ?? ''} ${each.message}`.trim());
    const { errors } = each as { errors?: unknown };
    if (Array.isArray(errors)) causes.push(String(errors[0]?.code ?? ''));
  }
  const told = causes.toReversed().join(' ');
  if (told.includes(CLOSED)) return 'is closed';
  const known = REASONS.find(([pattern]) => pattern.test(told));
  if (known) return known[1];
  const cause = causes.at(-1) ?? String(error);
  // What a runtime says when it does not know why.
  return cause === 'fetch failed'
    ? 'could not be called'
    : printable(`could not be called: ${cause}`);
}
