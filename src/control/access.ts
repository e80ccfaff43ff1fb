/* Who may call the control plane: merchants with their key, admins with the token or locally. */

import type { Context } from 'hono';
import type { Connection, SandboxBindings } from '../api/context.ts';
import { foreignOriginOf } from '../api/cors.ts';
import { bearerKey } from '../api/request.ts';
import { findByKey, unknownKeyReason } from '../world/merchant-keys.ts';
import { ControlError } from './control-error.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';

/** The base path of the control plane. */
export const CONTROL_PATH = '/_sandbox';
/** The path of its OpenAPI document, which is served with the other documents. */
export const CONTROL_DOCUMENT_PATH = `${CONTROL_PATH}/openapi.json` as const;
export const CONTROL_DOCUMENT_30_PATH = `${CONTROL_PATH}/openapi-3.0.json` as const;

/** The key of the demo merchant, which is public. */
export const DEMO_KEY = 'sk_sandbox_demo';

/** What handles the requests of a sandbox. */
export interface SandboxApp {
  fetch(request: Request, env: ControlEnv['Bindings']): Response | Promise<Response>;
}

/** Programs around the sandbox, by path. Each is loaded on demand, and calls the sandbox through its app. */
export type ServedTools = Readonly<Record<string, () => Promise<(app: SandboxApp) => SandboxApp>>>;

/** What a sandbox passes to its app with every request. */
interface ControlBindings extends SandboxBindings {
  readonly merchants: MerchantStore;
  readonly tools: ServedTools;
}

/** The environment of the control plane and of the pages. */
export interface ControlEnv {
  Bindings: ControlBindings;
  Variables: {
    /** The merchant whose key was sent; undefined for admin calls. */
    merchant?: MerchantAccount;
    /** Why the request was refused, for listeners; undefined if it was not. */
    problems?: readonly string[];
    /** What it did, for listeners; undefined if it only read. */
    did?: readonly string[];
  };
}

/** Finds the merchant by its key. Throws 401. */
export function requireMerchant({ env, req }: Context<ControlEnv>): MerchantAccount {
  const key = bearerKey(req.header('authorization'));
  const merchant = findByKey(env.merchants, key);
  if (merchant) return merchant;
  if (key !== undefined) throw new ControlError(401, unknownKeyReason(env.merchants, key));
  throw new ControlError(401, "A merchant's API key is required: Authorization: Bearer <key>.");
}

/** Allows admin calls with the admin token; if none is set, from this machine only. Throws 401 or 403. */
export function requireLocalOrAdmin({ env, req }: Context<ControlEnv>): void {
  const { adminToken, host } = env.merchants;
  if (adminToken !== undefined) {
    if (isAdmin(adminToken, req.header('authorization'))) return;
    throw new ControlError(401, 'The admin token is required: Authorization: Bearer <token>.');
  }
  const reason = host.cluster
    ? 'An admin token is required, and none is set. Set the secret SANDBOX_ADMIN_TOKEN.'
    : foreignReason(env.connection, req.raw);
  if (reason !== undefined) throw new ControlError(403, reason);
}

/** Whether an `Authorization` header carries the admin token. */
export const isAdmin = (adminToken: string, authorization: string | undefined): boolean =>
  timingSafeEqual(bearerKey(authorization) ?? '', adminToken);

/**
 * Why a request is not from this machine, or is from a page of another site in a browser on this machine; undefined if
 * it is local. Such a page sends its Origin; if it uses DNS rebinding, its Host.
 */
export function foreignReason(
  { remoteAddress, authority }: Connection,
  { headers, url }: Pick<Request, 'headers' | 'url'>,
): string | undefined {
  if (remoteAddress !== undefined && !isLoopback(remoteAddress)) {
    return 'Without an admin token, this request works from this machine only. To send it from elsewhere, start the sandbox with SANDBOX_ADMIN_TOKEN or --admin-token.';
  }
  const sent = headers.get('host')?.toLowerCase();
  // An in-process request has no Host, and its URL may have any host.
  const wasOnWire = sent !== undefined || remoteAddress !== undefined;
  const host = sent ?? new URL(url).host;
  const foreign = [host, authority ?? host].find((name) => !isThisMachine(name));
  if (wasOnWire && foreign !== undefined) {
    return `The Host ${foreign} is not this machine. Use localhost or 127.0.0.1, or start the sandbox with SANDBOX_ADMIN_TOKEN or --admin-token.`;
  }
  const origin = foreignOriginOf({ headers, url });
  return origin === undefined ? undefined : pageReason(origin);
}

/** Why a page of another site is refused. */
export const pageReason = (origin: string): string =>
  `Pages of ${origin} may not control this sandbox.`;

const isLoopback = (address: string): boolean =>
  address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(address);

/** Whether a host, with or without a port, can only be this machine. */
export const isThisMachine = (host: string): boolean => THIS_MACHINE.test(host.toLowerCase());

const THIS_MACHINE =
  /^(?:(?:[a-z0-9_-]+\.)*localhost|127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}|\[::1\])(?::\d{1,5})?$/;

/** Takes the same time however much of the guess is right. */
function timingSafeEqual(guess: string, secret: string): boolean {
  let difference = guess.length ^ secret.length;
  for (let place = 0; place < guess.length; place++) {
    difference |= guess.charCodeAt(place) ^ secret.charCodeAt(place % secret.length);
  }
  return difference === 0;
}
