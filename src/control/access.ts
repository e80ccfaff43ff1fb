import type { SandboxContext } from '../http/context.ts';
import { bearerKey } from '../http/merchant.ts';
import { ControlError } from './problems.ts';

/**
 * Who may make a call over the whole sandbox: whoever has the admin token, if one is set. Without one,
 * only this machine, and no page of another site that a browser on this machine shows: such a page
 * gives itself away by its Origin, or, where it made its own name point here, by its Host.
 */
export function refuseStrangers(c: SandboxContext, adminToken: string | undefined): void {
  if (adminToken !== undefined) {
    if (sameText(bearerKey(c.req.header('authorization')) ?? '', adminToken)) return;
    throw new ControlError(401, 'This call asks for the admin token, as Authorization: Bearer.');
  }
  const address = c.env.remoteAddress;
  if (address !== undefined && !isLoopback(address)) {
    throw new ControlError(
      403,
      'Without an admin token this call is answered to this machine only; start with --admin-token to call it from elsewhere.',
    );
  }
  const sent = c.req.header('host')?.toLowerCase();
  // A request that never was on a wire has no Host; its URL names whatever its maker likes.
  const onWire = sent !== undefined || address !== undefined;
  const host = sent ?? new URL(c.req.url).host;
  if (onWire && !isThisMachine(host)) {
    throw new ControlError(
      403,
      `The Host ${host} is not this machine; use localhost or 127.0.0.1, or start with --admin-token.`,
    );
  }
  const origin = c.req.header('origin');
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    throw new ControlError(403, `A page of ${origin} may not control this sandbox.`);
  }
}

const isLoopback = (address: string): boolean =>
  address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(address);

function isThisMachine(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
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
