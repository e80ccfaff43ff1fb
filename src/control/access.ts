import type { Context, MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { bearerKey } from '../api/activity.ts';
import type { Connection } from '../api/context.ts';
import { ControlError } from './control-error.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';

/** Where the control plane stands in a sandbox. */
export const CONTROL_PATH = '/_sandbox';
/** Where its document stands; it is served with the other documents. */
export const CONTROL_DOCUMENT_PATH = `${CONTROL_PATH}/openapi.json` as const;

/** The environment of the control plane and of the pages. */
export interface ControlEnv {
  Bindings: { readonly merchants: MerchantStore; readonly connection: Connection };
  Variables: {
    /** The merchant whose key was sent to a call over one World; undefined elsewhere. */
    merchant?: MerchantAccount;
    /** Why the call was refused, for those who watch; undefined where it was not. */
    problems?: readonly string[];
  };
}

interface WorldEnv extends ControlEnv {
  Variables: {
    /** The merchant whose key was sent. */
    merchant: MerchantAccount;
  };
}

/** What a route over one World declares; the middlewares named come after the check of the key. */
export const overWorld = <Then extends MiddlewareHandler<ControlEnv>[]>(...then: Then) => ({
  tags: ['World'],
  security: [{ merchantKey: [] }],
  middleware: [requireMerchant, ...then] satisfies [MiddlewareHandler<WorldEnv>, ...Then],
});

/** What a route over the whole sandbox declares; the middlewares named come after the check of the caller. */
export const overSandbox = <Then extends MiddlewareHandler<ControlEnv>[]>(...then: Then) => ({
  tags: ['Sandbox'],
  security: [{ adminToken: [] }, {}],
  middleware: [requireLocalOrAdmin, ...then] satisfies [MiddlewareHandler<ControlEnv>, ...Then],
});

/** Finds the merchant whose key was sent; its World is the one the call is over. */
const requireMerchant = createMiddleware<WorldEnv>(async (c, next) => {
  const merchant = c.env.merchants.authenticate(c.req.header('authorization'));
  if (!merchant) {
    throw new ControlError(401, "This call asks for a merchant's key, as Authorization: Bearer.");
  }
  c.set('merchant', merchant);
  await next();
});

/**
 * Who may make a call over the whole sandbox: whoever has the admin token, if one is set. Without one,
 * only this machine, and no page of another site that a browser on this machine shows: such a page
 * gives itself away by its Origin, or, where it made its own name point here, by its Host.
 */
const requireLocalOrAdmin = createMiddleware<ControlEnv>(async (c, next) => {
  const refusal = refusalOf(c);
  if (refusal) throw refusal;
  await next();
});

/** Whether a caller may make calls over the whole sandbox. */
export const mayControlSandbox = (c: Context<ControlEnv>): boolean => refusalOf(c) === undefined;

/** Why a caller may not make calls over the whole sandbox; undefined where it may. */
function refusalOf({ env, req }: Context<ControlEnv>): ControlError | undefined {
  const { adminToken, host } = env.merchants;
  if (adminToken === undefined) {
    return host.isHosted
      ? new ControlError(
          403,
          'This sandbox has no admin token, without which nobody may make this call; set the secret SANDBOX_ADMIN_TOKEN.',
        )
      : refusalElsewhere(env.connection, req.raw);
  }
  return isAdmin(adminToken, req.header('authorization'))
    ? undefined
    : new ControlError(401, 'This call asks for the admin token, as Authorization: Bearer.');
}

/** Whether an `Authorization` header carries the admin token. */
export const isAdmin = (adminToken: string, authorization: string | undefined): boolean =>
  timingSafeEqual(bearerKey(authorization) ?? '', adminToken);

function refusalElsewhere(connection: Connection, request: Request): ControlError | undefined {
  const caller = foreignCallerOf(connection, request);
  if (!caller) return undefined;
  if (caller.address !== undefined) {
    return new ControlError(
      403,
      'Without an admin token this call is answered to this machine only; start with --admin-token to call it from elsewhere.',
    );
  }
  if (caller.host !== undefined) {
    return new ControlError(
      403,
      `The Host ${caller.host} is not this machine; use localhost or 127.0.0.1, or start with --admin-token.`,
    );
  }
  return new ControlError(403, `A page of ${caller.origin} may not control this sandbox.`);
}

/** What shows that a call does not come from this machine: one of them. */
export interface ForeignCaller {
  readonly address?: string;
  readonly host?: string;
  readonly origin?: string;
}

/** What tells that a caller is not on this machine, or a page of another site; undefined where nothing does. */
export function foreignCallerOf(
  { remoteAddress: address, authority }: Connection,
  { headers, url }: Pick<Request, 'headers' | 'url'>,
): ForeignCaller | undefined {
  if (address !== undefined && !isLoopback(address)) return { address };
  const sent = headers.get('host')?.toLowerCase();
  // A request that never was on a wire has no Host; its URL names whatever its maker likes.
  const wasOnWire = sent !== undefined || address !== undefined;
  const host = sent ?? new URL(url).host;
  const foreign = [host, authority?.toLowerCase() ?? host].find((name) => !THIS_MACHINE.test(name));
  if (wasOnWire && foreign !== undefined) return { host: foreign };
  const origin = headers.get('origin');
  const isForeign = origin !== null && origin !== `http://${host}` && origin !== `https://${host}`;
  return isForeign ? { origin } : undefined;
}

const isLoopback = (address: string): boolean =>
  address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(address);

/** The whole of a Host that no other machine can have, in lower case. */
const THIS_MACHINE =
  /^(?:(?:[a-z0-9_-]+\.)*localhost|127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}|\[::1\])(?::\d{1,5})?$/;

/** Compares in a time that does not tell how much of a guess was right. */
function timingSafeEqual(guess: string, secret: string): boolean {
  let difference = guess.length ^ secret.length;
  for (let place = 0; place < guess.length; place++) {
    difference |= guess.charCodeAt(place) ^ secret.charCodeAt(place % secret.length);
  }
  return difference === 0;
}
