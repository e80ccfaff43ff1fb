import type { SandboxContext } from '../http/exchange.ts';
import { bearerKey } from '../http/merchant.ts';
import { ControlError } from './problems.ts';

/**
 * Who may make a call over the whole sandbox: whoever has the admin token, if one is set. Without one,
 * only this machine, and no page of another site that a browser on this machine shows.
 */
export function refuseStrangers(c: SandboxContext, adminToken: string | undefined): void {
  if (adminToken !== undefined) {
    if (sameText(bearerKey(c.req.header('authorization')) ?? '', adminToken)) return;
    throw new ControlError(401, 'This call asks for the admin token, as Authorization: Bearer.');
  }
  const origin = c.req.header('origin');
  const host = c.req.header('host') ?? new URL(c.req.url).host;
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    throw new ControlError(403, `A page of ${origin} may not control this sandbox.`);
  }
  if (!c.env?.remoteAddress) return;
  if (!isLoopback(c.env.remoteAddress)) {
    throw new ControlError(
      403,
      'Without an admin token this call is answered to this machine only; start with --admin-token to call it from elsewhere.',
    );
  }
  if (!isThisMachine(host)) {
    throw new ControlError(
      403,
      `The Host ${host} is not this machine; use localhost or 127.0.0.1.`,
    );
  }
}

const isLoopback = (address: string): boolean =>
  address === '::1' || /^(::ffff:)?127\./.test(address);

function isThisMachine(host: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(name)
  );
}

/** Compares in a time that does not tell how much of a guess was right. */
function sameText(guess: string, secret: string): boolean {
  let difference = guess.length ^ secret.length;
  for (let place = 0; place < guess.length; place++) {
    difference |= guess.charCodeAt(place) ^ secret.charCodeAt(place % secret.length);
  }
  return difference === 0;
}
