import { expect, test } from 'vitest';
import { createClient, type Time } from '../../src/contract/client.ts';
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

test('one answer that does not come is told as not asked, and the check goes on', async () => {
  const fetch = serve();
  const report = await runCheck(async (request) => {
    const { size } = await request.clone().blob();
    if (size > 1_000_000) throw new TypeError('other side closed');
    return fetch(request);
  });
  expect(report.differences).toEqual([]);
  expect(report.not_asked).toEqual([
    {
      reason: 'the server cut the connection',
      calls: 3,
      example: 'getMicroHealthQuote with a body of more than 1 MiB',
    },
  ]);
});
