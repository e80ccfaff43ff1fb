import { describe, expect, test } from 'vitest';
import type { FaultEffect } from '../../src/index.ts';
import { type Client, createClient } from '../support/client.ts';
import { initiate } from '../support/requests.ts';
import { ownTimers } from '../support/timers.ts';
import { sendVerify } from './verify.ts';

const stages = ['before', 'after'] as const;
const BROKEN = /^The connection was lost/;

/** A pending motor purchase, and a rule that meets its verify. */
async function createScene(stage: 'before' | 'after', effect: FaultEffect) {
  const client = createClient();
  const token = await initiate(client, 'motor');
  client.merchant.journal.clear();
  const match = { operation: 'verifyMotorPolicy' } as const;
  client.merchant.faults.add({ match, stage, effect });
  const policies = () => client.merchant.show().counts.motor;
  return { client, token, policies };
}

describe.each(stages)('a fault %s the service', (stage) => {
  const done = stage === 'after' ? 1 : 0;

  /** The policy exists or not, and can or can not be bought after all. */
  const expectOutcome = async ({
    client,
    token,
    policies,
  }: Awaited<ReturnType<typeof createScene>>) => {
    expect(policies()).toBe(done);
    expect(client.merchant.faults.list()).toEqual([]);
    const retried = await client.call('verifyMotorPolicy', { token });
    expect(retried.status).toBe(done ? 400 : 200);
    expect(retried.headers.has('sandbox-fault')).toBe(false);
    expect(policies()).toBe(1);
  };

  test('that responds answers its status and body', async () => {
    const body = { upstream: 'gone' };
    const scene = await createScene(stage, { kind: 'respond', status: 502, body });
    const response = await sendVerify(scene.client, { token: scene.token });
    expect([response.status, await response.json()]).toEqual([502, body]);
    expect(response.headers.get('sandbox-fault')).toBe(`${stage}; respond; status=502`);
    expect(response.headers.get('sandbox-request-id')).toMatch(/^req-/);
    await expectOutcome(scene);
  });

  test('that responds with headers sends them, in the place of its own of the same name', async () => {
    const headers = { 'Retry-After': '3', 'Content-Type': 'text/html', 'X-Latin': 'caf\u00e9' };
    const effect = { kind: 'respond', status: 503, headers } as const;
    const scene = await createScene(stage, effect);
    const response = await sendVerify(scene.client, { token: scene.token });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('3');
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(response.headers.get('x-latin')).toBe('caf\u00e9');
    expect(response.headers.get('sandbox-fault')).toBe(`${stage}; respond; status=503`);
    const [entry] = scene.client.merchant.journal.list();
    expect(entry?.fault?.effect).toEqual(effect);
    expect(entry?.response?.headers).toEqual(Object.fromEntries(response.headers));
    await expectOutcome(scene);
  });

  test('that responds without a body answers a failure in the envelope of the call', async () => {
    const scene = await createScene(stage, { kind: 'respond', status: 503 });
    const answer = await scene.client.call('verifyMotorPolicy', { token: scene.token });
    expect(answer.body).toMatchObject({ success: false, response_code: '503' });
    await expectOutcome(scene);
  });

  test.each([204, 205, 304])('that responds %i sends no body', async (status) => {
    const scene = await createScene(stage, { kind: 'respond', status, body: { not: 'sent' } });
    const response = await sendVerify(scene.client, { token: scene.token });
    expect([response.status, await response.text()]).toEqual([status, '']);
    const [, entry] = await after(scene.client, scene.token);
    expect(entry?.response?.body).toBeNull();
  });

  test('that delays answers later, in real time, also while the clock is frozen', async () => {
    const scene = await createScene(stage, { kind: 'delay', ms: 40 });
    const timers = ownTimers();
    const answer = sendVerify(scene.client, { token: scene.token });
    await timers.started();
    await timers.pass(39);
    expect(scene.client.merchant.journal.list()).toEqual([]);
    await timers.pass(1);
    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.headers.get('sandbox-fault')).toBe(`${stage}; delay; ms=40`);
    expect(scene.policies()).toBe(1);
    expect(scene.client.merchant.journal.list()).toMatchObject([
      { status: 200, duration_ms: 0, fault: { id: 'fault-1', stage, effect: { kind: 'delay' } } },
    ]);
  });

  test('that delays loses a client that does not wait so long', async () => {
    const scene = await createScene(stage, { kind: 'delay', ms: 5000 });
    const timers = ownTimers();
    const client = new AbortController();
    const lost = sendVerify(scene.client, { token: scene.token }, { signal: client.signal });
    await timers.started();
    client.abort();
    await expect(lost).rejects.toMatchObject({ name: 'AbortError' });
    await expectOutcome(scene);
  });

  test('that drops rejects as a lost connection does', async () => {
    const scene = await createScene(stage, { kind: 'drop' });
    const lost = sendVerify(scene.client, { token: scene.token });
    await expect(lost).rejects.toBeInstanceOf(TypeError);
    await expect(lost).rejects.toThrow(BROKEN);
    await expectOutcome(scene);
  });

  test('that hangs answers nothing until the client gives up', async () => {
    const scene = await createScene(stage, { kind: 'hang' });
    const giveUp = new AbortController();
    const hanging = sendVerify(scene.client, { token: scene.token }, { signal: giveUp.signal });
    const [entry] = await scene.client.merchant.journal.await({ operation: 'verifyMotorPolicy' });
    expect(entry).toMatchObject({ status: done ? 200 : null, fault: { effect: { kind: 'hang' } } });
    expect(scene.policies()).toBe(done);
    giveUp.abort();
    await expect(hanging).rejects.toMatchObject({ name: 'AbortError' });
    expect(scene.client.merchant.journal.list()).toHaveLength(1);
    await expectOutcome(scene);
  });

  test('that truncates sends half the bytes of the body, then the connection ends', async () => {
    const scene = await createScene(stage, { kind: 'truncate' });
    const response = await sendVerify(scene.client, { token: scene.token });
    expect(response.status).toBe(200);
    expect(response.headers.get('sandbox-fault')).toBe(`${stage}; truncate`);
    const { text, error } = await readUntilLost(response);
    expect(error).toBeInstanceOf(TypeError);
    const announced = Number(response.headers.get('content-length'));
    expect(new TextEncoder().encode(text).byteLength).toBe(announced >> 1);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    const [entry] = scene.client.merchant.journal.list();
    expect(JSON.stringify(entry?.response?.body).startsWith(text)).toBe(true);
    await expectOutcome(scene);
  });

  test('that makes an answer malformed answers 200 with broken JSON', async () => {
    const scene = await createScene(stage, { kind: 'malformed' });
    const response = await sendVerify(scene.client, { token: scene.token });
    expect(response.status).toBe(200);
    expect(response.headers.get('sandbox-fault')).toBe(`${stage}; malformed`);
    const text = await response.text();
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(text.length).toBeGreaterThan(50);
    await expectOutcome(scene);
  });
});

test('a refusal that a fault makes malformed is 200 too', async () => {
  const client = createClient();
  const response = await sendVerify(client, {}, { fault: 'after; malformed' });
  expect(response.status).toBe(200);
});

/** What arrives of a body, and how it ends. */
async function readUntilLost(response: Response): Promise<{ text: string; error?: unknown }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    return { text, error };
  }
  return { text };
}

/** The journal after one more verify, newest first. */
async function after(client: Client, token: string) {
  await client.call('verifyMotorPolicy', { token });
  return client.merchant.journal.list();
}
