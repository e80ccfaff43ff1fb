import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient, createDemoClient } from './support/client.ts';
import { readEvents } from './support/events.ts';
import { ownTimers } from './support/timers.ts';

const QUOTE = '/api/merchant/micro_health/get_quote';
const LIST = '/api/merchant/micro_health/all_subscriptions';
const BODY = JSON.stringify({ product_id: 1, no_of_users: 1, subscription_type: 'monthly' });

/** A client whose merchant has the demo population, and what a call of it needs. */
function createCaller() {
  const { sandbox, merchant } = createDemoClient();
  const headers = {
    authorization: `Bearer ${merchant.apiKey}`,
    'content-type': 'application/json',
  };
  return { sandbox, merchant, headers, post: { method: 'POST', headers, body: BODY } };
}

/** A text that comes in pieces. */
const inPieces = (...pieces: readonly string[]) =>
  new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });

describe('fetch takes what the fetch of the platform takes', () => {
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

  test('a Request alone, as it is or of a class of its own', async () => {
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

  test('a body that is a stream', async () => {
    const { sandbox, post } = createCaller();
    const body = inPieces(BODY.slice(0, 9), BODY.slice(9));
    const init = { ...post, body, duplex: 'half' } as RequestInit;
    expect((await sandbox.fetch(QUOTE, init)).status).toBe(200);
  });

  test('what means nothing without a network is passed over', async () => {
    const { sandbox, post } = createCaller();
    const init: RequestInit = {
      ...post,
      redirect: 'error',
      credentials: 'include',
      cache: 'no-store',
      mode: 'cors',
      keepalive: true,
      referrerPolicy: 'no-referrer',
    };
    expect((await sandbox.fetch(QUOTE, init)).status).toBe(200);
  });

  test('in the place of the global one', async () => {
    const { sandbox, post } = createCaller();
    const platform = globalThis.fetch;
    onTestFinished(() => {
      globalThis.fetch = platform;
    });
    globalThis.fetch = sandbox.fetch;
    expect((await fetch(`https://provider.example${QUOTE}`, post)).status).toBe(200);
  });

  test('HEAD, and answers that have no body', async () => {
    const { sandbox, headers } = createCaller();
    const head = await sandbox.fetch(LIST, { method: 'HEAD', headers });
    expect([head.status, head.body]).toEqual([200, null]);
    const none = await sandbox.fetch('/_sandbox/faults', { method: 'DELETE', headers });
    expect([none.status, none.body]).toEqual([204, null]);
    const lost = { ...headers, 'sandbox-fault': 'after; respond; status=304' };
    const unchanged = await sandbox.fetch(LIST, { headers: lost });
    expect([unchanged.status, unchanged.body]).toEqual([304, null]);
  });
});

describe('fetch rejects with a TypeError what is no request', () => {
  test.each<[string, unknown, unknown, RegExp]>([
    ['nothing', undefined, undefined, /^fetch takes a URL, .* or a Request; got undefined$/],
    ['null', null, undefined, /got null$/],
    ['a number', 7, undefined, /got number$/],
    ['a plain object', {}, undefined, /got an object$/],
    ['a symbol', Symbol('x'), undefined, /got symbol$/],
    ['no URL', 'http://[', undefined, /^Failed to parse URL from http:\/\/\[$/],
    ['another scheme', 'data:,x', undefined, /^The sandbox answers http and https, not data:$/],
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

  test('a Request whose body was read already', async () => {
    const { sandbox, post } = createCaller();
    const used = new Request(`http://sandbox${QUOTE}`, post);
    await used.text();
    for (const init of [undefined, {}]) {
      await expect(sandbox.fetch(used, init)).rejects.toThrow(TypeError);
    }
    expect(sandbox.journal()).toEqual([]);
  });

  test.each([QUOTE, '/_sandbox/clock/advance'])(
    'a body that somebody else reads, or that breaks off: %s',
    async (path) => {
      const { sandbox, post } = createCaller();
      const locked = new Request(`http://sandbox${path}`, post);
      locked.body?.getReader();
      const cause = new Error('The disk is gone');
      const broken = new ReadableStream({ pull: (controller) => controller.error(cause) });
      const message = 'The body of the request could not be read';
      await expect(sandbox.fetch(locked)).rejects.toThrow(new TypeError(message));
      const init = { ...post, body: broken, duplex: 'half' } as RequestInit;
      await expect(sandbox.fetch(path, init)).rejects.toMatchObject({ message, cause });
      expect(sandbox.journal()).toEqual([]);
    },
  );
});

describe('the signal of a call is honoured', () => {
  const reason = new Error('The page was left');

  test('before it is made: nothing is done', async () => {
    const { sandbox, post } = createCaller();
    const signal = AbortSignal.abort(reason);
    await expect(sandbox.fetch(QUOTE, { ...post, signal })).rejects.toBe(reason);
    const request = new Request(`http://sandbox${QUOTE}`, { ...post, signal });
    await expect(sandbox.fetch(request)).rejects.toBe(reason);
    expect(sandbox.journal()).toEqual([]);
  });

  test('in the moment it is made', async () => {
    const { sandbox, post } = createCaller();
    const leaving = new AbortController();
    const fetching = sandbox.fetch(QUOTE, { ...post, signal: leaving.signal });
    leaving.abort(reason);
    await expect(fetching).rejects.toBe(reason);
  });

  test.each(['before; hang', 'after; hang', 'before; delay; ms=60000', 'after; delay; ms=60000'])(
    'while a fault keeps it waiting: %s',
    async (fault) => {
      const { sandbox, merchant, headers } = createCaller();
      const leaving = new AbortController();
      const fetching = sandbox.fetch(LIST, {
        headers: { ...headers, 'sandbox-fault': fault },
        signal: leaving.signal,
      });
      setImmediate(() => leaving.abort(reason));
      await expect(fetching).rejects.toBe(reason);
      expect(merchant.journal.list()).toHaveLength(1);
    },
  );

  test('while it waits for calls', async () => {
    const timers = ownTimers();
    const { sandbox, headers } = createCaller();
    const leaving = new AbortController();
    const init = { method: 'POST', headers, body: '{}', signal: leaving.signal };
    const fetching = sandbox.fetch('/_sandbox/journal/await', init);
    await timers.started();
    leaving.abort();
    await expect(fetching).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('while its body is still being sent', async () => {
    const { sandbox, post } = createCaller();
    const leaving = new AbortController();
    const body = new ReadableStream();
    const init = { ...post, body, duplex: 'half', signal: leaving.signal } as RequestInit;
    const fetching = sandbox.fetch(QUOTE, init);
    setImmediate(() => leaving.abort(reason));
    await expect(fetching).rejects.toBe(reason);
  });

  test('while a stream of events is read, which then ends with its reason', async () => {
    const { sandbox } = createClient();
    const leaving = new AbortController();
    const events = await sandbox.fetch('/_sandbox/events', { signal: leaving.signal });
    const reader = (events.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    const next = reader.read();
    leaving.abort(reason);
    await expect(next).rejects.toBe(reason);
  });

  test('but not once it is answered', async () => {
    const { sandbox, post } = createCaller();
    const leaving = new AbortController();
    const response = await sandbox.fetch(QUOTE, { ...post, signal: leaving.signal });
    leaving.abort(reason);
    expect(await response.json()).toMatchObject({ success: true });
  });
});

test('calls that share a signal leave nothing on it', async () => {
  const { sandbox, headers } = createCaller();
  const { signal } = new AbortController();
  const request = new Request(`http://sandbox${LIST}`, { headers, signal });
  const warnings: unknown[] = [];
  const listen = (warning: unknown) => warnings.push(warning);
  process.on('warning', listen);
  onTestFinished(() => void process.off('warning', listen));
  for (let call = 0; call < 2000; call++) await sandbox.fetch(request);
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

describe('a sandbox that is closed', () => {
  test('answers nothing any more, though its Worlds are there to be looked at', async () => {
    const { sandbox, merchant, post } = createCaller();
    await sandbox.fetch(QUOTE, post);
    await Promise.all([sandbox.close(), sandbox.close()]);
    const refused = sandbox.fetch(QUOTE, post);
    await expect(refused).rejects.toThrow(new TypeError('The sandbox is closed.'));
    expect(merchant.journal.list()).toHaveLength(1);
    expect(merchant.clock.advance('PT1M')).toMatchObject({ mode: 'frozen' });
    expect(await merchant.journal.await({ operation: 'getMicroHealthQuote' })).toHaveLength(1);
  });

  test('ends what waits', async () => {
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
    await expect(hanging).rejects.toThrow(new TypeError('The sandbox is closed.'));
    expect((await delayed).status).toBe(200);
    await events.ended;
    await expect(awaited).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(/^The sandbox is closing: of 1 of any operation with status/),
    });
    expect((await overHttp).status).toBe(503);
  });

  test('may be one that a block is done with', async () => {
    const { sandbox, post } = createCaller();
    await sandbox[Symbol.asyncDispose]();
    await expect(sandbox.fetch(QUOTE, post)).rejects.toThrow('The sandbox is closed.');
  });
});
