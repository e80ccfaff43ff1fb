import { expect, test } from 'vitest';
import type { Activity } from '../../src/api/activity.ts';
import { openSandbox } from '../../src/open-sandbox.ts';
import { BASE, START } from '../support/client.ts';

/** A sandbox that is watched, and what is told of it. */
function createWatched() {
  const { sandbox, store } = openSandbox({ now: START, clock: 'frozen' });
  const told: Activity[] = [];
  store.activity.listeners.add((activity) => told.push(activity));
  const send = (path: string, init: RequestInit = {}) =>
    sandbox.fetch(
      new Request(BASE + path, {
        ...init,
        headers: {
          authorization: 'Bearer sk_sandbox_demo',
          'content-type': 'application/json',
          ...init.headers,
        },
      }),
    );
  return { told, send };
}

test('a control call is told of with its merchant, and with every problem of a refusal', async () => {
  const { told, send } = createWatched();
  await send('/_sandbox/clock');
  await send('/_sandbox/faults?a=1', { method: 'POST', body: '{"stage":"x","effect":{}}' });
  await send('/_sandbox/merchants', { method: 'PATCH' });
  expect(told).toMatchObject([
    { kind: 'control', merchant: { id: 1 }, method: 'GET', path: '/_sandbox/clock', status: 200 },
    { kind: 'control', merchant: { id: 1 }, path: '/_sandbox/faults?a=1', status: 422 },
    { kind: 'control', merchant: undefined, method: 'PATCH', status: 405 },
  ]);
  const problems = told.map((activity) => (activity.kind === 'control' ? activity.problems : []));
  expect(problems.map(({ length }) => length)).toEqual([0, 2, 1]);
});

test("what the sandbox's own pages read is told of nobody; what they change is", async () => {
  const { told, send } = createWatched();
  const headers = { 'sec-fetch-site': 'same-origin' };
  await send('/_sandbox/clock', { headers });
  await send('/_sandbox/clock', { method: 'HEAD', headers });
  await send('/_sandbox/clock/advance', { method: 'POST', body: '{"by":"PT1M"}', headers });
  await send('/_sandbox/clock', { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(told.map((activity) => ('path' in activity ? activity.path : activity.kind))).toEqual([
    'world',
    '/_sandbox/clock/advance',
    '/_sandbox/clock',
  ]);
});

test('neither health, documents, pages nor the stream of events are calls', async () => {
  const { told, send } = createWatched();
  for (const path of ['/livez', '/readyz', '/', '/docs', '/_sandbox', '/_sandbox/openapi.json']) {
    expect((await send(path)).status, path).toBe(200);
  }
  await (await send('/_sandbox/events')).body?.cancel();
  expect(told).toEqual([]);
});
