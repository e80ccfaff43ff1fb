import { describe, expect, test } from 'vitest';
import { newStateFile, openKept, revive } from '../support/state.ts';

/** A control call whose body is complete once `end` is called. */
function slowCall(path: string, key: string, body: object) {
  let end = () => {};
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        end = () => {
          controller.enqueue(new TextEncoder().encode(JSON.stringify(body)));
          controller.close();
        };
        begin();
      },
    },
    { highWaterMark: 0 },
  );
  const request = new Request(`http://sandbox/_sandbox${path}`, {
    method: path === '/snapshot' ? 'PUT' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: stream,
    duplex: 'half',
  } as RequestInit);
  return { request, begun, end: () => end() };
}

describe('a merchant that is removed', () => {
  test.each(['/snapshot', '/reset', '/clock/advance'])(
    'while the body of a call of it is read stays removed, also after a restart: %s',
    async (path) => {
      const file = newStateFile();
      const { sandbox } = await openKept(file);
      const merchant = sandbox.createMerchant();
      const bodies: Record<string, object> = {
        '/snapshot': merchant.snapshot(),
        '/reset': {},
        '/clock/advance': { by: 'PT1M' },
      };
      const { request, begun, end } = slowCall(path, merchant.apiKey, bodies[path] ?? {});
      const answer = sandbox.fetch(request);
      await begun;
      merchant.remove();
      end();
      const response = await answer;
      expect([response.status, await response.json()]).toEqual([
        401,
        expect.objectContaining({ detail: expect.stringMatching(/^No merchant has this key\./) }),
      ]);
      const { sandbox: again } = await revive(file);
      expect(again.merchants().map(({ id }) => id)).toEqual([1, 2]);
    },
  );

  test('while its first policies are bought is not stored', async () => {
    const file = newStateFile();
    const { sandbox } = await openKept(file);
    const creating = sandbox.fetch('/_sandbox/merchants', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ records: { motor: 300 } }),
    });
    await expect.poll(() => sandbox.merchants().length, { interval: 1 }).toBe(3);
    sandbox.merchants()[2]?.remove();
    expect((await creating).status).toBe(201);
    const { sandbox: again } = await revive(file);
    expect(again.merchants().map(({ id }) => id)).toEqual([1, 2]);
  });
});
