import type { Operation } from '../api/operation.ts';
import { parseUrl } from '../world/platform.ts';
import type { Instant } from '../world/time.ts';
import { dateOf, NetworkError, type ReceivedResponse, type Send, type Time } from './client.ts';
import { type CallControl, createControlClient, isSandbox, readTarget } from './control-client.ts';
import { truncateLine, valueAt } from './json.ts';
import { requestOf } from './requests.ts';
import type { MaskSecrets } from './secrets.ts';

/** The check can not be made: one line says of which address and why. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
}

/** The address that paths are added to. */
export function baseOf(url: string): string {
  const parsed = /^https?:\/\//i.test(url) ? parseUrl(url) : undefined;
  if (!parsed) throw new CheckError(`"${url}" is no http or https URL.`);
  const { username, password, search, hash, href } = parsed;
  if (username || password) throw new CheckError('The URL must not hold a user or a password.');
  if (search || hash) throw new CheckError(`${href} must end before its ? or #.`);
  return href.replace(/(?<!\/)\/+$/, '');
}

/** 127/8 and ::1, as `URL` writes them whatever their spelling was, and the same inside of IPv6. */
const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/;
/** Names that never leave the machine (RFC 6761). */
const LOCALHOST = /^([^.]+\.)*localhost\.?$/;

/** Whether an address is one of this machine, so that no customer and no money of anybody's is behind it. */
export function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return LOOPBACK.test(hostname) || LOCALHOST.test(hostname);
}

interface Preflight {
  readonly base: string;
  /** The lists of the families that are checked. */
  readonly lists: readonly Operation[];
  /** The status of a refused key. */
  readonly refused: number;
  readonly send: Send;
  readonly mask: MaskSecrets;
}

/**
 * Asks for a list: is this a server that speaks the contract, and is the key good? Throws `CheckError` where not.
 *
 * @param whose what the key is called in the error: `the key`
 */
async function preflight(target: Preflight, key: string, whose: string): Promise<ReceivedResponse> {
  const { base, lists, refused, send, mask } = target;
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
  const response = await ask(base, lists[0] as Operation);
  const { status, headers, text, body } = response;
  if (status >= 300 && status < 400) {
    // Hidden first: what is cut could show half of a key.
    const to = truncateLine(mask(headers.get('location') ?? 'nowhere'));
    refuse(`redirects to ${to}; give --url the address it leads to`);
  }
  const message =
    valueAt(body, 'message') ?? valueAt(body, 'response_message') ?? valueAt(body, 'detail');
  const why = typeof message === 'string' ? `: "${truncateLine(mask(message))}"` : '';
  const refusals = [401, 403, refused];
  const failed = status >= 400 || valueAt(body, 'success') === false;
  if (failed && refusals.includes(status)) {
    refuse(`refuses ${whose} with ${status}${why}`);
  }
  if (isUnknown(response)) {
    const others = await Promise.all(lists.slice(1).map((list) => ask(base, list)));
    if (others.every(isUnknown)) {
      const found = await answeringBase(target, key);
      const hint = found === undefined ? '' : `; ${found} does: give --url that`;
      refuse(`knows no path of the contract (${lists[0]?.path} is ${status})${hint}`);
    }
  }
  if (text === '') refuse(`answers ${status} with nothing in it, where JSON was expected`);
  if (body === undefined) {
    const html =
      /^\s*<(!doctype|html)/i.test(text) || /html/.test(headers.get('content-type') ?? '');
    const what = html ? 'HTML' : 'something';
    refuse(`answers ${status} with ${what} that is not JSON: ${truncateLine(mask(text))}`);
  }
  if (status >= 500) refuse(`answers a list with ${status}${why}`);
  return response;
}

/** Whether a list that every server has was answered as a path that there is not. */
const isUnknown = ({ status, body }: ReceivedResponse): boolean =>
  (status === 404 || status === 405 || status === 410) && valueAt(body, 'success') !== true;

/** What a base address may lack, or have too much of. */
const SUFFIXES = ['/api', '/v1', '/v2', '/public', '/sandbox', '/index.php'];

/** Another base on the same host under which a list answers; undefined if none does. */
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

/** What a check found out of a server before it begins. */
export interface Server {
  /** The address of the service itself, also where a proxy stands before it. */
  readonly place: string;
  readonly isSandbox: boolean;
  readonly control: CallControl;
  /** Why nothing is bought or renewed; undefined where it is. */
  readonly noPurchase: string | undefined;
  /** Whether the check may create merchants and move clocks. */
  readonly hasClock: boolean;
  readonly now: Instant;
}

/** Whom a check may ask as, and what it may buy. */
export interface Wishes {
  /** The merchant's key. It stands in no part of the report. */
  readonly key: string;
  /** The key of another merchant, which must see nothing of the first one's. */
  readonly otherKey?: string | undefined;
  /** Sends nothing that buys or renews. Off this machine that is so unless `buy` is given. */
  readonly readOnly?: boolean | undefined;
  /** Buys and renews off this machine too. */
  readonly buy?: boolean | undefined;
  /** Waits until tokens expire, where no clock can be moved. */
  readonly waitExpiry?: boolean | undefined;
}

/** Finds out what server stands at an address. Throws `CheckError` where there is nothing to compare. */
export async function meetServer(
  target: Preflight,
  wishes: Wishes,
  time: Pick<Time, 'now'>,
): Promise<Server> {
  const { base, lists, send } = target;
  const { key, otherKey } = wishes;
  const asksOnly = reasonNotToBuy(base, wishes) !== undefined;
  const answer = await preflight(target, key, 'the key');
  if (otherKey !== undefined) await preflight(target, otherKey, 'the other key');
  const control = createControlClient(send, base);
  // A proxy on this machine may lead to the real service, where purchases cost money.
  const buysHere = !asksOnly && wishes.buy !== true;
  const place = (buysHere && (await readTarget(control, key))) || base;
  const noPurchase = reasonNotToBuy(place, wishes);
  const sandbox = await isSandbox(control, key, lists[0] as Operation, answer);
  const hasClock = sandbox && noPurchase === undefined;
  const now = dateOf(answer) ?? time.now();
  return { place, isSandbox: sandbox, control, noPurchase, hasClock, now };
}

/**
 * Why nothing is bought or renewed of the service at an address; undefined where it is. Throws where the options
 * contradict each other.
 */
function reasonNotToBuy(address: string, wishes: Wishes): string | undefined {
  const { key, otherKey, readOnly, buy, waitExpiry } = wishes;
  if (otherKey === key)
    throw new CheckError('The other key is the same key; it must be that of another merchant.');
  if (buy && readOnly) throw new CheckError('--buy and --read-only exclude each other.');
  const elsewhere = !(buy || isThisMachine(address));
  if (waitExpiry && (readOnly || elsewhere)) {
    const why = readOnly ? '--read-only makes none' : 'off this machine that takes --buy';
    throw new CheckError(`--wait-expiry waits for purchases to expire; ${why}.`);
  }
  if (readOnly) return '--read-only sends no purchase';
  return elsewhere ? 'nothing is bought off this machine without --buy' : undefined;
}

/** What to know of a check besides its results. */
export function notesOf(
  { place, isSandbox: sandbox, noPurchase }: Server,
  { readOnly, waitExpiry }: Wishes,
): string[] {
  const { host } = new URL(place);
  const what = sandbox ? 'is a sandbox, but not on this machine' : 'is not this machine';
  return [
    ...(noPurchase === undefined || readOnly
      ? []
      : [`${host} ${what}: nothing was bought or renewed. --buy does that.`]),
    ...(waitExpiry && sandbox
      ? ['Nothing was waited for: the clock of the sandbox was moved.']
      : []),
  ];
}
