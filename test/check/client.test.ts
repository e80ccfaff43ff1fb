import { expect, test } from 'vitest';
import { createClient, type Time } from '../../src/check/client.ts';
import { differencesOf } from '../../src/check/index.ts';
import { runCheck, serve } from './support.ts';

/** Time that passes only while somebody waits; no request takes any. */
function standingTime() {
  let at = 0;
  const waits: number[] = [];
  const time: Time = {
    now: () => at,
    wait: async (ms, signal) => {
      if (signal) return new Promise(() => undefined);
      waits.push(ms);
      at += ms;
    },
  };
  return { time, waits, now: () => at };
}

test('no more requests are sent in a second than are allowed', async () => {
  const { time, waits, now } = standingTime();
  const send = createClient(
    async () => new Response('{}'),
    time,
    { rps: 4, timeout: 1000 },
    (value) => value,
  );
  for (let sent = 0; sent < 9; sent++) await send(new Request('http://server'));
  expect(now()).toBe(2000);
  expect(waits).toEqual(Array(8).fill(250));
});

test('without a rate each request follows the answer before', async () => {
  const { time, waits } = standingTime();
  const send = createClient(
    async () => new Response('{}'),
    time,
    { rps: undefined, timeout: 1000 },
    (value) => value,
  );
  for (let sent = 0; sent < 9; sent++) await send(new Request('http://server'));
  expect(waits).toEqual([]);
});

test('one answer that does not come is a difference, and the check goes on', async () => {
  const fetch = serve();
  const report = await runCheck(async (request) => {
    const { size } = await request.clone().blob();
    if (size > 1_000_000) throw new TypeError('other side closed');
    return fetch(request);
  });
  const differences = differencesOf(report);
  expect(differences.map(({ operation }) => operation)).toEqual([
    'getMicroHealthQuote',
    'getMotorPolicyDetails',
    'getGroupLifePolicyDetails',
  ]);
  expect(differences[0]).toMatchObject({ path: '$', seen: '"the server cut the connection"' });
});
