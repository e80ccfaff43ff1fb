import type { Operation } from '../api/operation.ts';
import { parseUrl } from '../world/platform.ts';
import { NetworkError, type ReceivedResponse, type Send } from './client.ts';
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

/** What a server is asked for before anything else. */
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
export async function preflight(
  target: Preflight,
  key: string,
  whose: string,
): Promise<ReceivedResponse> {
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
