import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSandbox, type FaultEffect } from '../../src/index.ts';
import { type SandboxServer, startSandbox } from '../../src/node.ts';
import { clientOf, operationOf, START } from '../support/client.ts';
import { initiate } from '../support/requests.ts';
import { ownTimers } from '../support/timers.ts';

let server: SandboxServer;
beforeAll(async () => {
  server = await startSandbox({ port: 0, now: START, clock: 'frozen', seed: 7 });
});
afterAll(() => server.close());

/** A new merchant with a pending motor purchase, and a rule that matches its verify. */
async function createScene(stage: 'before' | 'after', effect: FaultEffect, over = 'process') {
  const { sandbox, url } = server;
  const merchant = sandbox.createMerchant();
  const body = JSON.stringify({ token: await initiate(clientOf(sandbox, merchant), 'motor') });
  const headers = {
    authorization: `Bearer ${merchant.apiKey}`,
    'content-type': 'application/json',
  };
  merchant.journal.clear();
  merchant.faults.add({ match: { operation: 'verifyMotorPolicy' }, stage, effect });
  const send = over === 'process' ? sandbox.fetch : fetch;
  const address = url + operationOf('verifyMotorPolicy').path;
  return {
    merchant,
    policies: () => merchant.show().counts.motor,
    verify: (init: RequestInit = {}) => send(address, { method: 'POST', headers, body, ...init }),
  };
}

type Scene = Awaited<ReturnType<typeof createScene>>;

describe.each(['before', 'after'] as const)('a fault %s the service', (stage) => {
  const done = stage === 'after' ? 1 : 0;

  /** Checks whether the policy exists, and whether it can still be bought. */
  const expectOutcome = async ({ merchant, policies, verify }: Scene) => {
    expect(policies()).toBe(done);
    expect(merchant.faults.list()).toEqual([]);
    const retried = await verify();
    expect(retried.status).toBe(done ? 400 : 200);
    expect(retried.headers.has('sandbox-fault')).toBe(false);
    expect(policies()).toBe(1);
  };

  test('that responds sends its status, body and headers', async () => {
    const headers = { 'Retry-After': '3', 'Content-Type': 'text/html', 'X-Upstream': 'gateway' };
    const body = { upstream: 'gone' };
    const effect = { kind: 'respond', status: 502, headers, body } as const;
    const scene = await createScene(stage, effect);
    const response = await scene.verify();
    expect([response.status, await response.json()]).toEqual([502, body]);
    const sent = Object.fromEntries(response.headers);
    expect(sent).toMatchObject({
      'retry-after': '3',
      'content-type': 'text/html',
      'x-upstream': 'gateway',
      'sandbox-fault': `${stage}; respond; status=502`,
      'sandbox-request-id': expect.stringMatching(/^req-/),
    });
    const [entry] = scene.merchant.journal.list();
    expect(entry).toMatchObject({ fault: { effect }, response: { headers: sent } });
    await expectOutcome(scene);
  });

  test.each([
    ['text/html; charset=utf-8', '<h1>502 Bad Gateway é</h1>', '<h1>502 Bad Gateway é</h1>'],
    ['text/plain', 'null', 'null'],
    ['text/html', '', ''],
    ['text/html', { upstream: 'gone' }, '{"upstream":"gone"}'],
    ['application/problem+json', 'gone', '"gone"'],
    ['application/json; charset=utf-8', 'gone', '"gone"'],
    [undefined, 'gone', '"gone"'],
  ])('that responds %s with %j sends %s', async (type, body, sent) => {
    const headers = type === undefined ? {} : { 'Content-Type': type };
    const scene = await createScene(stage, { kind: 'respond', status: 502, headers, body });
    const response = await scene.verify();
    expect([response.status, await response.text()]).toEqual([502, sent]);
    expect(response.headers.get('content-type')).toBe(type ?? 'application/json');
    const { merchant } = scene;
    const shown = sent.startsWith('"') ? body : sent;
    expect(merchant.journal.list()[0]?.response?.body).toBe(shown);
    merchant.restore(merchant.snapshot());
    expect(merchant.journal.list()[0]?.response?.body).toBe(shown);
  });

  test('that responds with a text sends a HEAD request the headers alone', async () => {
    const { sandbox, url } = server;
    const merchant = sandbox.createMerchant();
    const headers = { 'Content-Type': 'text/html' };
    merchant.faults.add({
      stage,
      effect: { kind: 'respond', status: 502, headers, body: '<h1>502</h1>' },
      times: 2,
    });
    for (const send of [sandbox.fetch, fetch]) {
      const response = await send(url + operationOf('listMotorPolicies').path, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${merchant.apiKey}` },
      });
      expect([response.status, await response.text()]).toEqual([502, '']);
      expect(response.headers.get('content-type')).toBe('text/html');
      expect(merchant.journal.list()[0]?.response?.body).toBeNull();
    }
  });

  test('that responds without a body sends a failure in the envelope of the call', async () => {
    const scene = await createScene(stage, { kind: 'respond', status: 503 });
    const answer = await (await scene.verify()).json();
    expect(answer).toMatchObject({ success: false, response_code: '503' });
    await expectOutcome(scene);
  });

  test.each([204, 205, 304])('that responds %i sends no body', async (status) => {
    const scene = await createScene(stage, { kind: 'respond', status, body: { not: 'sent' } });
    const response = await scene.verify();
    expect([response.status, await response.text()]).toEqual([status, '']);
    expect(scene.merchant.journal.list()[0]?.response?.body).toBeNull();
  });

  test('that delays waits in real time, even while the clock is frozen', async () => {
    const scene = await createScene(stage, { kind: 'delay', ms: 40 });
    const timers = ownTimers();
    const answer = scene.verify();
    await timers.started();
    await timers.pass(39);
    expect(scene.merchant.journal.list()).toEqual([]);
    await timers.pass(1);
    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.headers.get('sandbox-fault')).toBe(`${stage}; delay; ms=40`);
    expect(scene.policies()).toBe(1);
    expect(scene.merchant.journal.list()).toMatchObject([
      { status: 200, duration_ms: 0, fault: { id: 'fault-1', stage, effect: { kind: 'delay' } } },
    ]);
  });

  describe.each(['process', 'socket'])('over a %s', (over) => {
    const waits: FaultEffect[] = [{ kind: 'hang' }];
    if (stage === 'after') waits.push({ kind: 'delay', ms: 60_000 });
    test.each(waits)('that has a client wait which gives up: $kind', async (effect) => {
      const scene = await createScene(stage, effect, over);
      const giveUp = new AbortController();
      const waiting = scene.verify({ signal: giveUp.signal });
      await expect.poll(() => scene.merchant.faults.list(), { interval: 1 }).toEqual([]);
      giveUp.abort();
      await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
      await scene.merchant.journal.await();
      expect(scene.merchant.journal.list()).toMatchObject([
        { status: done ? 200 : null, fault: { effect } },
      ]);
      await expectOutcome(scene);
    });

    test('that drops resets the connection without a byte', async () => {
      const scene = await createScene(stage, { kind: 'drop' }, over);
      const dropped = await scene.verify().catch((error) => error);
      expect(dropped).toBeInstanceOf(TypeError);
      expect(dropped).toMatchObject({ cause: { code: 'ECONNRESET' } });
      await expectOutcome(scene);
    });

    test('that truncates sends half the body and closes the connection', async () => {
      const scene = await createScene(stage, { kind: 'truncate' }, over);
      const response = await scene.verify();
      expect(response.status).toBe(200);
      expect(response.headers.get('sandbox-fault')).toBe(`${stage}; truncate`);
      const pieces: Uint8Array[] = [];
      const read = async () => {
        for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
          pieces.push(piece);
        }
      };
      await expect(read()).rejects.toBeInstanceOf(TypeError);
      const bytes = Buffer.concat(pieces);
      expect(bytes.length).toBe(Number(response.headers.get('content-length')) >> 1);
      const [entry] = scene.merchant.journal.list();
      expect(JSON.stringify(entry?.response?.body).startsWith(String(bytes))).toBe(true);
      await expectOutcome(scene);
    });
  });

  test('that makes a response malformed sends 200 with broken JSON', async () => {
    const scene = await createScene(stage, { kind: 'malformed' });
    const response = await scene.verify();
    expect(response.status).toBe(200);
    expect(response.headers.get('sandbox-fault')).toBe(`${stage}; malformed`);
    const text = await response.text();
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(text.length).toBeGreaterThan(50);
    await expectOutcome(scene);
  });

  test('that makes a refusal malformed sends 200 too', async () => {
    const scene = await createScene(stage, { kind: 'malformed' });
    expect((await scene.verify({ body: '{}' })).status).toBe(200);
  });
});

describe('a call under a delay before the service', () => {
  test.each(['process', 'socket'])(
    'over a %s is carried out late after its client gave up, once and at the time it then is',
    async (over) => {
      const scene = await createScene('before', { kind: 'delay', ms: 5_000 }, over);
      const { merchant } = scene;
      const giveUp = new AbortController();
      const timers = ownTimers();
      const waiting = scene.verify({ signal: giveUp.signal });
      waiting.catch(() => {});
      await timers.started();
      giveUp.abort();
      await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
      expect([scene.policies(), merchant.journal.list()]).toEqual([0, []]);
      merchant.clock.advance('PT2M');
      const entries = merchant.journal.await();
      await timers.pass(5_000);
      expect(await entries).toMatchObject([
        {
          status: 200,
          duration_ms: 120_000,
          fault: { stage: 'before', effect: { kind: 'delay' } },
        },
      ]);
      const [entry] = merchant.journal.list();
      expect(entry?.response?.body).toMatchObject({ success: true });
      expect(scene.policies()).toBe(1);
      expect((await scene.verify()).status, 'it was verified once').toBe(400);
    },
  );

  async function createWaitingVerify() {
    const onCall = vi.fn();
    const sandbox = createSandbox({ now: START, clock: 'frozen', onCall });
    const client = clientOf(sandbox, sandbox.createMerchant());
    const token = await initiate(client, 'motor');
    const giveUp = new AbortController();
    const { path } = operationOf('verifyMotorPolicy');
    const timers = ownTimers();
    const waiting = client.merchant.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sandbox-fault': 'before; delay; ms=600000' },
      body: JSON.stringify({ token }),
      signal: giveUp.signal,
    });
    waiting.catch(() => {});
    await timers.started();
    giveUp.abort();
    await expect(waiting).rejects.toThrow();
    return { sandbox, merchant: client.merchant, onCall, timers };
  }

  test('is carried out when the sandbox closes, even if its client is gone', async () => {
    const { sandbox, merchant } = await createWaitingVerify();
    void sandbox.close();
    expect(merchant.show().counts.motor).toBe(1);
    expect(merchant.journal.list()[0]).toMatchObject({ status: 200 });
  });

  test('is carried out before its merchant is removed, and only once', async () => {
    const { merchant, onCall, timers } = await createWaitingVerify();
    merchant.remove();
    await timers.pass(600_000);
    expect(onCall.mock.calls.map(([{ operation, status }]) => [operation, status])).toEqual([
      ['initiateMotorPolicy', 200],
      ['verifyMotorPolicy', 200],
    ]);
  });
});
