import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startSandbox } from '../src/node.ts';
import { createClient, createDemoClient } from './support/client.ts';
import { readEvents } from './support/events.ts';

const QUOTE = '/api/merchant/micro_health/get_quote';
const LIST = '/api/merchant/micro_health/all_subscriptions';
const BODY = JSON.stringify({ product_id: 1, no_of_users: 1, subscription_type: 'monthly' });

/** A client whose merchant has the demo records, and the parts of a call. */
function createCaller() {
  const { sandbox, merchant } = createDemoClient();
  const headers = {
    authorization: `Bearer ${merchant.apiKey}`,
    'content-type': 'application/json',
  };
  return { sandbox, merchant, headers, post: { method: 'POST', headers, body: BODY } };
}

describe('fetch accepts what the platform fetch accepts', () => {
  test.each([
    ['a path', QUOTE],
    ['a path without its slash', QUOTE.slice(1)],
    ['a whole address', `http://sandbox${QUOTE}`],
    ['an address of the real service', `https://provider.example${QUOTE}`],
    ['a URL', new URL(QUOTE, 'https://provider.example:8443')],
    ['an object that names an address', { href: `http://sandbox${QUOTE}` } as URL],
  ])('%s and an init', async (_, input) => {
    const { sandbox, post, merchant } = createCaller();
    const response = await sandbox.fetch(input, post);
    expect(await response.json()).toMatchObject({ success: true, data: { quote_price: 400 } });
    expect(merchant.journal.list()[0]?.path).toBe(QUOTE);
  });

  test('a Request, of the platform or another class', async () => {
    const { sandbox, post } = createCaller();
    class TracedRequest extends Request {}
    for (const Kind of [Request, TracedRequest]) {
      const request = new Kind(`http://sandbox${QUOTE}`, post);
      expect((await sandbox.fetch(request)).status).toBe(200);
      expect(request.bodyUsed).toBe(true);
    }
  });

  test('a Request and an init that changes it', async () => {
    const { sandbox, post, merchant, headers } = createCaller();
    const request = () => new Request(`http://sandbox${QUOTE}`, post);
    expect((await sandbox.fetch(request(), {})).status).toBe(200);
    expect((await sandbox.fetch(request(), { credentials: 'include' })).status).toBe(200);
    expect((await sandbox.fetch(request(), { headers: {} })).status).toBe(401);
    const changed = { headers: { ...headers, 'x-trace': '7' }, body: '{}' };
    expect((await sandbox.fetch(request(), changed)).status).toBe(422);
    expect(merchant.journal.list()[0]?.request).toMatchObject({
      body: {},
      headers: { 'x-trace': '7' },
    });
  });

  test('as a replacement of the global fetch', async () => {
    const { sandbox, post } = createCaller();
    const platform = globalThis.fetch;
    onTestFinished(() => {
      globalThis.fetch = platform;
    });
    globalThis.fetch = sandbox.fetch;
    expect((await fetch(`https://provider.example${QUOTE}`, post)).status).toBe(200);
  });
});

describe('fetch rejects an invalid request with a TypeError', () => {
  test.each<[string, unknown, unknown, RegExp]>([
    ['nothing', undefined, undefined, /^fetch takes a string, a URL or a Request; got undefined$/],
    ['null', null, undefined, /got null$/],
    ['a number', 7, undefined, /got number$/],
    ['a plain object', {}, undefined, /got an object$/],
    ['a symbol', Symbol('x'), undefined, /got symbol$/],
    ['no URL', 'http://[', undefined, /^Failed to parse URL from http:\/\/\[$/],
    [
      'another scheme',
      'ftp://sandbox/',
      undefined,
      /^The sandbox supports http: and https: URLs, not ftp:$/,
    ],
    ['a URL with a password', 'http://me:secret@sandbox/', undefined, /credentials/],
    ['a GET with a body', LIST, { body: '{}' }, /GET/],
    ['a method that is none', LIST, { method: 'G E T' }, /G E T/],
    ['a header that is none', LIST, { headers: { 'a b': 'c' } }, /a b/],
    ['an init that is none', LIST, 5, /./],
    ['a signal that is none', LIST, { signal: {} }, /AbortSignal/],
  ])('%s', async (_, input, init, message) => {
    const { sandbox } = createCaller();
    const fetching = sandbox.fetch(input as string, init as RequestInit);
    const error: Error = await fetching.catch((reason) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(message);
    expect(error.stack?.split('\n')[1]).toContain('fetch.test.ts');
    expect(sandbox.journal()).toEqual([]);
  });
});

describe('a response has the address that was asked for', () => {
  test.each([
    [QUOTE, `http://sandbox${QUOTE}`],
    [`https://provider.example${LIST}?page=1#top`, `https://provider.example${LIST}?page=1`],
    ['/_sandbox/events', 'http://sandbox/_sandbox/events'],
  ])('%s', async (asked, url) => {
    const { sandbox, headers } = createCaller();
    const leaving = new AbortController();
    const response = await sandbox.fetch(asked, { headers, signal: leaving.signal });
    expect(response.url).toBe(url);
    expect(response.clone().clone().url).toBe(url);
    leaving.abort();
  });

  test('even if its body is cut off', async () => {
    const { sandbox, headers } = createCaller();
    const response = await sandbox.fetch(LIST, {
      headers: { ...headers, 'sandbox-fault': 'after; truncate' },
    });
    expect(response.url).toBe(`http://sandbox${LIST}`);
  });
});

describe('a signal aborts a call', () => {
  const reason = new Error('The page was left');

  test('before it is made, so that nothing is done', async () => {
    const { sandbox, post } = createCaller();
    const signal = AbortSignal.abort(reason);
    await expect(sandbox.fetch(QUOTE, { ...post, signal })).rejects.toBe(reason);
    const request = new Request(`http://sandbox${QUOTE}`, { ...post, signal });
    await expect(sandbox.fetch(request)).rejects.toBe(reason);
    expect(sandbox.journal()).toEqual([]);
  });

  test('as it is made', async () => {
    const { sandbox, post } = createCaller();
    const leaving = new AbortController();
    const fetching = sandbox.fetch(QUOTE, { ...post, signal: leaving.signal });
    leaving.abort(reason);
    await expect(fetching).rejects.toBe(reason);
  });

  test.each([
    ['before; hang', 1],
    ['after; hang', 1],
    // It is still to be carried out.
    ['before; delay; ms=60000', 0],
    ['after; delay; ms=60000', 1],
  ] as const)('while a fault keeps it waiting: %s', async (fault, entries) => {
    const { sandbox, merchant, headers } = createCaller();
    const leaving = new AbortController();
    const fetching = sandbox.fetch(LIST, {
      headers: { ...headers, 'sandbox-fault': fault },
      signal: leaving.signal,
    });
    setImmediate(() => leaving.abort(reason));
    await expect(fetching).rejects.toBe(reason);
    expect(merchant.journal.list()).toHaveLength(entries);
  });

  test('while it waits for other calls', async () => {
    const { sandbox, headers } = createCaller();
    // Loads the control plane, so that the next call waits at once.
    await sandbox.fetch('/_sandbox/clock', { headers });
    const leaving = new AbortController();
    const init = { method: 'POST', headers, body: '{}', signal: leaving.signal };
    const fetching = sandbox.fetch('/_sandbox/journal/await', init);
    setImmediate(() => leaving.abort());
    await expect(fetching).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('while its event stream is read, which ends with the reason', async () => {
    const { sandbox } = createClient();
    const leaving = new AbortController();
    const events = await sandbox.fetch('/_sandbox/events', { signal: leaving.signal });
    const reader = (events.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    const next = reader.read();
    leaving.abort(reason);
    await expect(next).rejects.toBe(reason);
  });

  test.each([
    ['before its body is read', LIST],
    ['while it is read', LIST],
  ])('after the headers of its response, %s', async (when, path) => {
    const { sandbox, headers } = createCaller();
    const leaving = new AbortController();
    const response = await sandbox.fetch(path, { headers, signal: leaving.signal });
    if (when.startsWith('before')) {
      leaving.abort(reason);
      await expect(response.json()).rejects.toBe(reason);
      return;
    }
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect((await reader.read()).done).toBe(false);
    leaving.abort(reason);
    await expect(reader.read()).rejects.toBe(reason);
  });

  test('but not once its body has been read', async () => {
    const { sandbox, post } = createCaller();
    const leaving = new AbortController();
    const response = await sandbox.fetch(QUOTE, { ...post, signal: leaving.signal });
    const copy = response.clone();
    expect(await response.json()).toMatchObject({ success: true });
    expect(await copy.json()).toMatchObject({ success: true });
    leaving.abort(reason);
    expect(response.status).toBe(200);
  });
});

describe("fetch is the platform's", () => {
  test('data: and blob: URLs go to it, and are no calls', async () => {
    const { sandbox } = createCaller();
    const blob = URL.createObjectURL(new Blob(['of a blob']));
    expect(await (await sandbox.fetch('data:text/plain,of%20a%20page')).text()).toBe('of a page');
    expect(await (await sandbox.fetch(blob)).text()).toBe('of a blob');
    expect(await (await sandbox.fetch(new Request(blob))).text()).toBe('of a blob');
    expect(sandbox.journal()).toEqual([]);
  });

  test('a response has the text of its status, a status of a fault too', async () => {
    const { sandbox, headers, merchant } = createCaller();
    const server = await startSandbox({ port: 0 });
    onTestFinished(() => server.close());
    const served = server.sandbox.createMerchant();
    const answered = async (fault?: string) => {
      const ofFault = fault === undefined ? {} : { 'sandbox-fault': fault };
      const here = await sandbox.fetch(LIST, { headers: { ...headers, ...ofFault } });
      const there = await fetch(server.url + LIST, {
        headers: { authorization: `Bearer ${served.apiKey}`, ...ofFault },
      });
      expect([here.statusText, here.type]).toEqual([there.statusText, there.type]);
      return `${here.status} ${here.clone().statusText}`;
    };
    expect(await answered()).toBe('200 OK');
    expect(await answered('before; respond; status=503')).toBe('503 Service Unavailable');
    expect(await answered('before; respond; status=418')).toBe("418 I'm a Teapot");
    expect(await answered('before; respond; status=599')).toBe('599 unknown');
    expect(merchant.journal.list()).toHaveLength(4);
  });

  test.each(['/openapi.json', LIST])('integrity is what the body of %s has to be', async (path) => {
    const { sandbox, headers } = createCaller();
    const sending = (integrity: string, fault?: string) =>
      sandbox.fetch(path, {
        integrity,
        headers: { ...headers, ...(fault !== undefined && { 'sandbox-fault': fault }) },
      });
    const bytes = await (await sandbox.fetch(path, { headers })).arrayBuffer();
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('base64');
    const response = await sending(`sha256-${hash}`);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array(bytes));
    const other = `sha256-${Buffer.alloc(32).toString('base64')}`;
    await expect(sending(other)).rejects.toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
      cause: { message: 'integrity mismatch' },
    });
  });

  test('a redirect is followed, or not, as over a socket', async () => {
    const { sandbox } = createCaller();
    const server = await startSandbox({ port: 0 });
    onTestFinished(() => server.close());
    const answerOf = async (call: typeof fetch, base: string, init?: RequestInit) => {
      const { status, redirected, url } = await call(`${base}/llms.txt/?a=1`, init);
      return { status, redirected, url: url.replace(base, '') };
    };
    const page = { status: 200, redirected: true, url: '/llms.txt?a=1' };
    const moved = { status: 308, redirected: false, url: '/llms.txt/?a=1' };
    for (const [call, base] of [
      [sandbox.fetch, 'http://sandbox'],
      [fetch, server.url],
    ] as const) {
      expect(await answerOf(call, base)).toEqual(page);
      expect(await answerOf(call, base, { method: 'HEAD' })).toEqual(page);
      expect(await answerOf(call, base, { redirect: 'manual' })).toEqual(moved);
      await expect(answerOf(call, base, { redirect: 'error' })).rejects.toMatchObject({
        message: 'fetch failed',
        cause: { message: 'unexpected redirect' },
      });
    }
  });

  test('a body that is cut has no integrity, as over a socket', async () => {
    const { sandbox, headers } = createCaller();
    const server = await startSandbox({ port: 0 });
    onTestFinished(() => server.close());
    const key = `Bearer ${server.sandbox.createMerchant().apiKey}`;
    const cut = { integrity: 'sha256-AAAA', headers: { 'sandbox-fault': 'after; truncate' } };
    const here = sandbox.fetch(LIST, { ...cut, headers: { ...headers, ...cut.headers } });
    await expect(here).rejects.toThrow('fetch failed');
    const there = fetch(server.url + LIST, {
      ...cut,
      headers: { ...cut.headers, authorization: key },
    });
    await expect(there).rejects.toThrow('fetch failed');
  });
});

describe('the key of a merchant', () => {
  test('is added by merchant.fetch to a request without Authorization', async () => {
    const { merchant } = createClient();
    expect((await merchant.fetch(LIST)).status).toBe(200);
    const request = new Request(`http://sandbox${LIST}`, { headers: { 'x-trace': '7' } });
    expect((await merchant.fetch(request)).status).toBe(200);
    expect(merchant.journal.list()[0]?.request.headers).toMatchObject({ 'x-trace': '7' });
  });

  test('never replaces what the code sends, so that authentication is tested as it is', async () => {
    const { merchant, sandbox } = createClient();
    const other = sandbox.createMerchant();
    const sending = async (authorization: string) => {
      const headers = { Authorization: authorization };
      const statuses = [
        (await merchant.fetch(LIST, { headers })).status,
        (await merchant.fetch(new Request(`http://sandbox${LIST}`, { headers }))).status,
      ];
      expect(new Set(statuses).size).toBe(1);
      return statuses[0];
    };
    expect(await sending(merchant.apiKey)).toBe(401);
    expect(await sending('Bearer of-nobody')).toBe(401);
    expect(await sending('')).toBe(401);
    expect(await sending(`Bearer ${other.apiKey}`)).toBe(200);
    expect(other.journal.list()).toHaveLength(2);
    expect(merchant.journal.list()).toHaveLength(0);
  });
});

describe('intercept lets a sandbox answer one origin', () => {
  const ORIGIN = 'https://provider.example';

  /** Stands for the platform's fetch, and says what reached it. */
  function elsewhere(): string[] {
    const reached: string[] = [];
    const platform = globalThis.fetch;
    onTestFinished(() => {
      globalThis.fetch = platform;
    });
    globalThis.fetch = async (input) => {
      reached.push(input instanceof Request ? input.url : String(input));
      return new Response('elsewhere');
    };
    return reached;
  }

  test('while everything else goes where it went before', async () => {
    const reached = elsewhere();
    const before = globalThis.fetch;
    const { sandbox, post } = createCaller();
    {
      using _ = sandbox.intercept(ORIGIN);
      for (const input of [ORIGIN + QUOTE, new URL(ORIGIN + QUOTE), `${ORIGIN}:443${QUOTE}`]) {
        expect((await fetch(input, post)).status).toBe(200);
      }
      expect((await fetch(new Request(ORIGIN + QUOTE, post))).status).toBe(200);
      expect(await (await fetch('https://provider.example.org/')).text()).toBe('elsewhere');
      expect(await (await fetch(new Request('http://provider.example/'))).text()).toBe('elsewhere');
    }
    expect(globalThis.fetch).toBe(before);
    expect(await (await fetch(`${ORIGIN}/after`)).text()).toBe('elsewhere');
    expect(reached).toEqual([
      'https://provider.example.org/',
      'http://provider.example/',
      `${ORIGIN}/after`,
    ]);
  });

  test('of several sandboxes each has its own, in whatever order they are restored', async () => {
    elsewhere();
    const before = globalThis.fetch;
    const [one, two] = [createCaller(), createCaller()];
    const first = one.sandbox.intercept('https://one.example');
    const second = two.sandbox.intercept('https://two.example');
    await fetch(`https://one.example${QUOTE}`, one.post);
    await fetch(`https://two.example${QUOTE}`, two.post);
    expect([one, two].map(({ sandbox }) => sandbox.journal().length)).toEqual([1, 1]);
    first.restore();
    first.restore();
    expect(await (await fetch(`https://one.example${QUOTE}`, one.post)).text()).toBe('elsewhere');
    expect((await fetch(`https://two.example${QUOTE}`, two.post)).status).toBe(200);
    second.restore();
    expect(globalThis.fetch).toBe(before);
  });

  test('and a fetch that somebody put over it stays', async () => {
    elsewhere();
    const { sandbox } = createCaller();
    const interception = sandbox.intercept(ORIGIN);
    const inner = globalThis.fetch;
    const outer: typeof fetch = (...call) => inner(...call);
    globalThis.fetch = outer;
    interception.restore();
    expect(globalThis.fetch).toBe(outer);
    expect(await (await fetch(ORIGIN)).text()).toBe('elsewhere');
  });

  test.each([
    ['a path', `${ORIGIN}/api`, ` Did you mean "${ORIGIN}"?`],
    ['a slash', `${ORIGIN}/`, ` Did you mean "${ORIGIN}"?`],
    ['a host', 'provider.example', 'Did you mean "http://provider.example"?'],
    ['another scheme', 'file:///tmp', 'got "file:///tmp".'],
    ['a port that is the default', `${ORIGIN}:443`, ` Did you mean "${ORIGIN}"?`],
    ['nothing', undefined, 'got nothing.'],
  ])('%s is no origin', (_, origin, hint) => {
    const { sandbox } = createCaller();
    const before = globalThis.fetch;
    const intercept = () => sandbox.intercept(origin as string);
    expect(intercept).toThrow(`intercept() takes an origin such as ${ORIGIN}; got `);
    expect(intercept).toThrow(hint);
    expect(globalThis.fetch).toBe(before);
  });

  test('only once at a time', () => {
    const { sandbox } = createCaller();
    using _ = sandbox.intercept(ORIGIN);
    expect(() => createCaller().sandbox.intercept(ORIGIN)).toThrow(
      `${ORIGIN} is intercepted already. Restore it first.`,
    );
  });

  test.each(['in process', 'over a socket'])(
    'closing says what was never restored, %s',
    async (place) => {
      const { sandbox } = place === 'in process' ? createCaller() : await startSandbox({ port: 0 });
      const before = globalThis.fetch;
      const warn = vi.spyOn(console, 'warn').mockReturnValue();
      onTestFinished(() => warn.mockRestore());
      sandbox.intercept(ORIGIN);
      await sandbox.close();
      expect(warn.mock.calls).toEqual([
        [
          `micro-insurance-sandbox: ${ORIGIN} was still intercepted when the sandbox closed. Write "using _ = sandbox.intercept('${ORIGIN}')", or call its restore().`,
        ],
      ]);
      expect(globalThis.fetch).toBe(before);
    },
  );
});

/** The error of the platform's fetch with this cause. */
const failed = (message: string, code: string) =>
  expect.objectContaining({
    name: 'TypeError',
    message: 'fetch failed',
    cause: expect.objectContaining({ message, code }),
  });

describe('a closed sandbox', () => {
  test('refuses requests, but its methods still work', async () => {
    const { sandbox, merchant, post } = createCaller();
    await sandbox.fetch(QUOTE, post);
    await Promise.all([sandbox.close(), sandbox.close()]);
    await expect(sandbox.fetch(QUOTE, post)).rejects.toThrow(
      failed('connect ECONNREFUSED (The sandbox is closed.)', 'ECONNREFUSED'),
    );
    expect(merchant.journal.list()).toHaveLength(1);
    expect(merchant.clock.advance('PT1M')).toMatchObject({ mode: 'frozen' });
    expect(await merchant.journal.await({ operation: 'getMicroHealthQuote' })).toHaveLength(1);
  });

  test('ends everything that waits', async () => {
    const { sandbox, merchant, headers } = createCaller();
    const withFault = (fault: string) =>
      sandbox.fetch(LIST, { headers: { ...headers, 'sandbox-fault': fault } });
    const hanging = withFault('before; hang');
    const delayed = withFault('before; delay; ms=60000');
    const events = readEvents(await sandbox.fetch('/_sandbox/events'));
    const awaited = merchant.journal.await({ status: 599 });
    const init = { method: 'POST', headers, body: '{"status":599}' };
    const overHttp = sandbox.fetch('/_sandbox/journal/await', init);
    setImmediate(() => void sandbox.close());
    await expect(hanging).rejects.toThrow(
      failed('read ECONNRESET (The sandbox is closed.)', 'ECONNRESET'),
    );
    expect((await delayed).status).toBe(200);
    await events.ended;
    await expect(awaited).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(
        /^The sandbox is closing\. Waited for 1 of any operation with status/,
      ),
    });
    expect((await overHttp).status).toBe(503);
  });

  test('can be closed by await using', async () => {
    const { sandbox, post } = createCaller();
    await sandbox[Symbol.asyncDispose]();
    await expect(sandbox.fetch(QUOTE, post)).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
  });
});
