import type { Settings } from '../core/settings.ts';
import { parseUrl } from '../core/url.ts';
import type { Operation } from '../http/operation.ts';
import { valueAt } from './assertions.ts';
import { buildRequest, NetworkError, type ReceivedResponse, type Send } from './client.ts';
import { truncateLine } from './report.ts';
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
  /** A list of any family. */
  readonly list: Operation;
  readonly settings: Settings;
  readonly send: Send;
  readonly mask: MaskSecrets;
}

/**
 * Asks for a list: is this a server that speaks the contract, and is the key good? Throws `CheckError` where not.
 *
 * @param whose what the key is called in the error: `the key`
 */
export async function preflight(
  { base, list, settings, send, mask }: Preflight,
  key: string,
  whose: string,
): Promise<ReceivedResponse> {
  const refuse = (why: string): never => {
    throw new CheckError(mask(`${base} ${why}.`));
  };
  const request = buildRequest(base, list, key, {}) as Request;
  let response: ReceivedResponse;
  try {
    response = await send(request);
  } catch (error) {
    if (error instanceof NetworkError) return refuse(error.message);
    throw error;
  }
  const { status, headers, text, body } = response;
  if (status >= 300 && status < 400) {
    // Hidden first: what is cut could show half of a key.
    const to = truncateLine(mask(headers.get('location') ?? 'nowhere'));
    refuse(`redirects to ${to}; give --url the address it leads to`);
  }
  const message =
    valueAt(body, 'message') ?? valueAt(body, 'response_message') ?? valueAt(body, 'detail');
  const why = typeof message === 'string' ? `: "${truncateLine(mask(message))}"` : '';
  const refusals = [401, 403, settings.statuses.unauthenticated];
  const failed = status >= 400 || valueAt(body, 'success') === false;
  if (failed && refusals.includes(status)) {
    refuse(`refuses ${whose} with ${status}${why}`);
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
