/* `connect`: the methods of a sandbox and its merchants, over HTTP. */

import { atCallersLine, methodsAtCallersLine } from '../control/caller.ts';
import { ControlError } from '../control/control-error.ts';
import { MERCHANTS_PER_PAGE } from '../control/host.ts';
import { readSandboxJournalQuery } from '../control/journal.ts';
import { readNewMerchant } from '../control/merchants.ts';
import type { MerchantState } from '../types/control-wire.ts';
import type { ConnectOptions, RemoteMerchant, RemoteSandbox } from '../types/public.ts';
import { isSendableKey } from '../world/merchants.ts';
import { parseUrl } from '../world/platform.ts';
import { describeValue, isPlainObject, truncate } from '../world/problem-texts.ts';
import { type ControlClient, type ControlServer, createControlClient } from './control-client.ts';
import { sendOver } from './receive.ts';
import { ofUnknownKey, withAdminToken } from './remote-errors.ts';
import { remoteMerchant } from './remote-merchant.ts';

/**
 * Connects to a sandbox behind a URL. It sends nothing until a method is called.
 *
 * Throws `ControlError` 422 if an option is invalid.
 *
 * @example
 * const remote = connect({ url: 'http://127.0.0.1:4015' });
 * const merchant = await remote.createMerchant({ name: 'Test 7' });
 * await merchant.clock.advance('PT15M');
 */
export const connect: (options: ConnectOptions) => RemoteSandbox = atCallersLine((options) => {
  const { url, key, adminToken } = readOptions(options);
  // Taken now: a program may replace the global fetch with that of this sandbox.
  const send = globalThis.fetch;
  const server: ControlServer = { url, send: sendOver((request) => send(request)) };
  const control = createControlClient({ ...server, token: adminToken });
  const admin: ControlClient = (route, ...input) => withAdminToken(() => control(route, ...input));
  const fetch = fetchAt(url, send);
  const merchantOf = (state: MerchantState): RemoteMerchant =>
    remoteMerchant({ server, admin, fetch }, state);
  return {
    url,
    fetch,
    ...methodsAtCallersLine<Omit<RemoteSandbox, 'url' | 'fetch'>>({
      async createMerchant(wanted) {
        const body = readNewMerchant(wanted);
        return merchantOf(await admin('POST /_sandbox/merchants', { body }));
      },
      async merchant(apiKey: unknown = key) {
        if (typeof apiKey !== 'string' || !isSendableKey(apiKey)) {
          throw new ControlError(
            422,
            `merchant() takes an API key, unless connect() was given one; got ${truncate(apiKey)}.`,
          );
        }
        const call = createControlClient({ ...server, token: apiKey });
        return ofUnknownKey(apiKey, async () => merchantOf(await call('GET /_sandbox/merchant')));
      },
      merchants: async () => (await listMerchants(admin)).map(merchantOf),
      journal: (async (query?: unknown) => {
        const read = readSandboxJournalQuery(query);
        const { data } = await admin('GET /_sandbox/journal/all', { query: read });
        return data;
      }) as RemoteSandbox['journal'],
      async resetAll() {
        await admin('POST /_sandbox/reset_all');
      },
    }),
  };
});

/** All merchants. A sandbox on a cluster lists them by page. */
async function listMerchants(admin: ControlClient): Promise<MerchantState[]> {
  const merchants: MerchantState[] = [];
  for (let page = 1; ; page++) {
    const { data } = await admin('GET /_sandbox/merchants', { query: { page } });
    merchants.push(...data);
    if (data.length < MERCHANTS_PER_PAGE) return merchants;
  }
}

/** `fetch` to this sandbox: relative URLs resolve against its URL, and of absolute ones only path and query matter. */
const fetchAt =
  (url: string, send: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const { pathname, search } = new URL(
      input instanceof Request ? input.url : input,
      'http://sandbox',
    );
    const path = pathname + search;
    const base = new URL(url).pathname;
    // A URL that was made from that of the sandbox has its path already.
    const address = new URL(url).origin + (path.startsWith(base) ? path : base + path);
    return input instanceof Request ? send(new Request(address, input), init) : send(address, init);
  };

function readOptions(options: unknown): ConnectOptions {
  if (!isPlainObject(options)) {
    throw new ControlError(
      422,
      `connect() takes an object with a url; got ${describeValue(options)}.`,
    );
  }
  const { url, key, adminToken } = options as Partial<Record<string, unknown>>;
  const parsed = typeof url === 'string' ? parseUrl(url) : undefined;
  if (typeof url !== 'string' || !/^https?:$/.test(parsed?.protocol ?? '')) {
    throw new ControlError(
      422,
      `url must be one like http://127.0.0.1:4015; got ${truncate(url)}.`,
    );
  }
  if (parsed?.search || parsed?.hash || parsed?.username || parsed?.password) {
    throw new ControlError(422, 'url must not contain a query, a fragment, a user or a password.');
  }
  for (const [name, secret] of Object.entries({ key, adminToken })) {
    if (secret === undefined || (typeof secret === 'string' && isSendableKey(secret))) continue;
    throw new ControlError(422, `${name} must be printable ASCII text without spaces.`);
  }
  return { url: url.replace(/(?<!\/)\/+$/, ''), key, adminToken } as ConnectOptions;
}
