/* Finds out before a check what is at a URL, and whether it may buy there. */

import type { Operation } from '../../api/operation.ts';
import { createControlClient } from '../../kit/control-client.ts';
import { NetworkError, type ReceivedResponse, type Send } from '../../kit/receive.ts';
import { listAt, truncateLine, valueAt } from '../../scenarios/json.ts';
import { requestOf } from '../../scenarios/requests.ts';
import { parseUrl } from '../../world/platform.ts';
import type { Instant } from '../../world/time.ts';
import { CheckError } from './check-error.ts';
import { type CheckTime, dateOf } from './client.ts';
import { type ControlWith, isSandbox, readTarget } from './merchants.ts';
import type { MaskSecrets } from './secrets.ts';

/** The base URL, to which paths are added. */
export function baseOf(url: string): string {
  const parsed = /^https?:\/\//i.test(url) ? parseUrl(url) : undefined;
  if (!parsed) throw new CheckError(`"${url}" is not an http or https URL.`);
  const { username, password, search, hash, href } = parsed;
  if (username || password) throw new CheckError('The URL must not contain a user or a password.');
  if (search || hash) throw new CheckError(`${href} must not contain ? or #.`);
  return href.replace(/(?<!\/)\/+$/, '');
}

/** 127.0.0.0/8, ::1 and IPv4-mapped IPv6, as `URL` normalizes them. */
const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/;
/** Names that never leave the machine (RFC 6761). */
const LOCALHOST = /^([^.]+\.)*localhost\.?$/;

/** Whether a URL is on this machine, where a purchase concerns no real customer and no real money. */
export function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return LOOPBACK.test(hostname) || LOCALHOST.test(hostname);
}

interface Preflight {
  readonly base: string;
  /** The lists of the families that are checked. */
  readonly lists: readonly Operation[];
  readonly send: Send;
  readonly mask: MaskSecrets;
}

/**
 * Requests a list to test the server and the key. Throws `CheckError` if one of them is unusable.
 *
 * @param whose name of the key in the error: `the key`
 */
async function preflight(target: Preflight, key: string, whose: string): Promise<ReceivedResponse> {
  const { base, lists, send, mask } = target;
  const refuse = (why: string): never => {
    throw new CheckError(mask(`${base} ${why}.`));
  };
  const ask = async (at: string, list: Operation): Promise<ReceivedResponse> => {
    try {
      return await send(requestOf({ base: at, key }, list));
    } catch (error) {
      if (error instanceof NetworkError) return refuse(error.message);
      throw error;
    }
  };
  const list = lists[0] as Operation;
  const response = await ask(base, list);
  const { status, headers, text, body } = response;
  if (status >= 300 && status < 400) {
    // Masked before it is cut: half a key would not be recognized.
    const to = truncateLine(mask(headers.get('location') ?? 'nowhere'));
    refuse(`redirects to ${to}; use the final address as --url`);
  }
  const message =
    valueAt(body, 'message') ?? valueAt(body, 'response_message') ?? valueAt(body, 'detail');
  const why = typeof message === 'string' ? `: "${truncateLine(mask(message))}"` : '';
  const refusals = [401, 403, list.statuses.unauthenticated];
  const failed = status >= 400 || valueAt(body, 'success') === false;
  if (failed && refusals.includes(status)) {
    refuse(`refuses ${whose} with ${status}${why}`);
  }
  if (isUnknown(response)) {
    const others = await Promise.all(lists.slice(1).map((other) => ask(base, other)));
    if (others.every(isUnknown)) {
      const found = await answeringBase(target, key);
      const hint = found === undefined ? '' : `; try --url ${found}`;
      refuse(`has no path of the contract (${list.path} returns ${status})${hint}`);
    }
  }
  if (text === '') refuse(`returned ${status} with an empty body instead of JSON`);
  if (body === undefined) {
    const html =
      /^\s*<(!doctype|html)/i.test(text) || /html/.test(headers.get('content-type') ?? '');
    const what = html ? 'HTML instead of JSON' : 'a body that is not JSON';
    refuse(`returned ${status} with ${what}: ${truncateLine(mask(text))}`);
  }
  if (status >= 500) refuse(`returned ${status} for a list${why}`);
  if (isFailure(response)) {
    const others = await Promise.all(lists.slice(1).map((other) => ask(base, other)));
    if (others.every(isFailure)) refuse(`returned no list${why}`);
  }
  return response;
}

/** Whether the response to a list is a refusal without a list. */
const isFailure = ({ body }: ReceivedResponse): boolean =>
  valueAt(body, 'success') === false &&
  !Array.isArray(valueAt(body, 'data.data')) &&
  listAt(body, 'data').length === 0;

/** Whether the response to a list says that the path does not exist. */
const isUnknown = ({ status, body }: ReceivedResponse): boolean =>
  (status === 404 || status === 405 || status === 410) && valueAt(body, 'success') !== true;

/** Path segments that a base URL often lacks. */
const SUFFIXES = ['/api', '/v1', '/v2', '/public', '/sandbox', '/index.php'];

/** Another base URL on the same host that has the list; undefined if there is none. */
async function answeringBase(
  { base, lists, send }: Preflight,
  key: string,
): Promise<string | undefined> {
  const { origin, pathname } = new URL(base);
  const parts = pathname.split('/').filter((part) => part !== '');
  const above = parts.map(
    (_, count) =>
      `${origin}${parts
        .slice(0, count)
        .map((part) => `/${part}`)
        .join('')}`,
  );
  for (const at of [...above.reverse(), ...SUFFIXES.map((suffix) => base + suffix)]) {
    const answer = await send(requestOf({ base: at, key }, lists[0] as Operation)).catch(
      () => undefined,
    );
    if (valueAt(answer?.body, 'success') === true) return at;
  }
  return undefined;
}

/** What a check knows about a server before it starts. */
export interface Server {
  /** The URL of the service itself, even behind a proxy. */
  readonly place: string;
  readonly isSandbox: boolean;
  readonly control: ControlWith;
  /** Why the check buys and renews nothing; undefined if it does. */
  readonly noPurchase: string | undefined;
  /** Whether the check may create merchants and move clocks. */
  readonly hasClock: boolean;
  readonly now: Instant;
}

/** The keys of a check, and what it may do. */
export interface CheckAccess {
  /** The merchant's key. It appears nowhere in the report. */
  readonly key: string;
  /** The key of a second merchant, to check that merchants are isolated. */
  readonly otherKey?: string | undefined;
  /** Buys and renews nothing. The default on another machine, unless `buy` is set. */
  readonly readOnly?: boolean | undefined;
  /** Buys and renews on another machine too. */
  readonly buy?: boolean | undefined;
  /** Waits until tokens expire if no clock can be moved. */
  readonly waitExpiry?: boolean | undefined;
}

/** Finds out what kind of server is at a URL. Throws `CheckError` if there is nothing to compare. */
export async function identifyServer(
  target: Preflight,
  access: CheckAccess,
  time: Pick<CheckTime, 'now'>,
): Promise<Server> {
  const { base, lists, send } = target;
  const { key, otherKey } = access;
  const asksOnly = reasonNotToBuy(base, access) !== undefined;
  const answer = await preflight(target, key, 'the key');
  if (otherKey !== undefined) await preflight(target, otherKey, 'the other key');
  const control: ControlWith = (token) => createControlClient({ url: base, send, token });
  // A proxy on this machine may forward to the real service, where purchases cost money.
  const buysHere = !asksOnly && access.buy !== true;
  const place = (buysHere && (await readTarget(control, key))) || base;
  const noPurchase = reasonNotToBuy(place, access);
  const sandbox = await isSandbox(control, key, lists[0] as Operation, answer);
  const hasClock = sandbox && noPurchase === undefined;
  const now = dateOf(answer) ?? time.now();
  return { place, isSandbox: sandbox, control, noPurchase, hasClock, now };
}

/**
 * Why the check buys and renews nothing at an address; undefined if it does. Throws if options contradict each other.
 */
function reasonNotToBuy(address: string, access: CheckAccess): string | undefined {
  const { key, otherKey, readOnly, buy, waitExpiry } = access;
  if (otherKey === key)
    throw new CheckError('The other key is the same key; it must belong to another merchant.');
  if (buy && readOnly) throw new CheckError('--buy and --read-only cannot be combined.');
  const elsewhere = !(buy || isThisMachine(address));
  if (waitExpiry && (readOnly || elsewhere)) {
    const why = readOnly ? '--read-only forbids' : 'on another machine require --buy';
    throw new CheckError(`--wait-expiry requires purchases, which ${why}.`);
  }
  if (readOnly) return '--read-only forbids purchases';
  return elsewhere ? 'purchases on another machine require --buy' : undefined;
}

/** Remarks about a check besides its results. */
export function notesOf(
  { place, isSandbox: sandbox, noPurchase }: Server,
  { readOnly, waitExpiry }: CheckAccess,
): string[] {
  const { host } = new URL(place);
  const what = sandbox ? 'is a sandbox on another machine' : 'is not this machine';
  return [
    ...(noPurchase === undefined || readOnly
      ? []
      : [`${host} ${what}, so nothing was bought or renewed. Use --buy to allow it.`]),
    ...(waitExpiry && sandbox
      ? ['The check moved the clock of the sandbox instead of waiting.']
      : []),
  ];
}
