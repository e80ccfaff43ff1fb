import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../src/node.ts';
import { isNetworkError } from './support/network-errors.ts';

const QUOTE = '/api/merchant/micro_health/get_quote';
const LIST = '/api/merchant/micro_health/all_subscriptions';

/** A sandbox, and a fetch of it in process or over new connections. */
async function reach(over: string) {
  const { sandbox, url, close } = await startSandbox({ port: 0 });
  onTestFinished(close);
  return { send: over === 'process' ? sandbox.fetch : fetch, url, close };
}

async function callWith(fault: string, over: string): Promise<Response> {
  const { send, url } = await reach(over);
  const headers = { authorization: 'Bearer sk_sandbox_demo', 'sandbox-fault': fault };
  return send(url + LIST, { headers });
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('It was answered'),
    (error: unknown) => error,
  );

describe.each(['process', 'socket'])('over a %s', (over) => {
  test.each(['before; drop', 'after; drop'])('"%s" fails the fetch', async (fault) => {
    const error = await rejection(callWith(fault, over));
    expect(isNetworkError(error)).toBe(true);
    expect(error).toMatchObject({
      constructor: TypeError,
      message: 'fetch failed',
      cause: { code: 'ECONNRESET', syscall: 'read', name: 'Error' },
    });
  });

  test('"after; truncate" sends the head, and fails the body', async () => {
    const response = await callWith('after; truncate', over);
    expect(response.ok).toBe(true);
    const error = await rejection(response.text());
    expect(isNetworkError(error)).toBe(true);
    expect(error).toMatchObject({
      constructor: TypeError,
      message: 'terminated',
      cause: { code: 'UND_ERR_SOCKET', message: expect.stringContaining('other side closed') },
    });
  });

  test('a body that fails while it is sent fails the fetch with its error', async () => {
    const mine = new Error('The disk is gone');
    const body = new ReadableStream({ pull: (controller) => controller.error(mine) });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    const headers = { authorization: 'Bearer sk_sandbox_demo', 'content-type': 'application/json' };
    const { send, url } = await reach(over);
    const error = await rejection(send(url + QUOTE, { ...init, headers }));
    expect(error).toMatchObject({ message: 'fetch failed', cause: mine });
  });

  test('a closed sandbox fails the fetch', async () => {
    const { send, url, close } = await reach(over);
    await close();
    const error = await rejection(send(`${url}/livez`));
    expect(isNetworkError(error)).toBe(true);
    expect(error).toMatchObject({
      message: 'fetch failed',
      cause: { code: 'ECONNREFUSED', syscall: 'connect' },
    });
  });
});

test('in process the cause says which fault it was', async () => {
  expect(await rejection(callWith('before; drop', 'process'))).toMatchObject({
    cause: { message: 'read ECONNRESET (fault: before; drop)' },
  });
  const cut = await callWith('after; truncate', 'process');
  expect(await rejection(cut.json())).toMatchObject({
    cause: { message: 'other side closed (fault: after; truncate)' },
  });
});
