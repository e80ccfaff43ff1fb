import { once } from 'node:events';
import { expect, test } from 'vitest';
import { operationOf } from '../support/client.ts';
import { exampleOf } from '../support/requests.ts';
import {
  connection,
  fake,
  KEY,
  PATHS,
  proxyTo,
  rawServer,
  requestOf,
  serveSandbox,
  speak,
} from './support.ts';

const QUOTE = JSON.stringify(exampleOf('getMotorQuote'));
const { path: QUOTE_PATH } = operationOf('getMotorQuote');

const quote = (host: string, fault: string) =>
  `POST ${QUOTE_PATH} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nSandbox-Fault: ${fault}\r\nContent-Length: ${QUOTE.length}\r\nConnection: close\r\n\r\n${QUOTE}`;

/** The response of a client, without headers that vary or belong to the connection. */
async function heard(url: string, fault: string) {
  const { host, port } = new URL(url);
  const { text, ended } = await speak(Number(port), quote(host, fault));
  const varying = /^(date|connection|sandbox-request-id|sandbox-differences):.*\r\n/gim;
  return { ended, text: text.replace(varying, '') };
}

test.each([
  ['after; drop', null, /the service cut the connection/],
  ['before; drop', null, /the service cut the connection/],
  ['after; truncate', 200, /the service cut the response off/],
  ['before; respond; status=503', 503, undefined],
  ['after; malformed', 200, undefined],
  ['before; delay; ms=5', 200, undefined],
])('a client sees the fault %s as without the proxy', async (fault, status, why) => {
  const { url } = await serveSandbox();
  const proxy = await proxyTo(url);
  expect(await heard(proxy.url, fault)).toEqual(await heard(url, fault));
  expect(proxy.told).toMatchObject([
    { status, not_judged: why === undefined ? null : expect.stringMatching(why) },
  ]);
});

test('broken JSON is a difference and counts in the header', async () => {
  const { port, told } = await proxyTo((await serveSandbox()).url);
  const { text } = await speak(port, quote('proxy', 'after; malformed'));
  expect(text).toContain('Sandbox-Differences: 1\r\n');
  expect(told[0]?.differences).toMatchObject([{ path: '$', expected: 'a JSON object' }]);
});

test('a hang lasts until the client leaves, and then ends the request to the service', async () => {
  let left: Promise<unknown> | undefined;
  const url = await fake(({ socket }) => {
    left = once(socket, 'close');
  });
  const proxy = await proxyTo(url);
  const { socket } = connection(proxy.port);
  socket.write(quote('proxy', ''));
  await expect.poll(() => left !== undefined).toBe(true);
  expect(proxy.told).toEqual([]);
  socket.destroy();
  await left;
  expect(proxy.told).toMatchObject([
    { status: null, not_judged: 'the client disconnected before the response' },
  ]);
});

test.each([
  ['with its length', 'Content-Length: 100', '{"success":true,'],
  ['in pieces', 'Transfer-Encoding: chunked', '10\r\n{"success":true,\r\n'],
])('a response that is cut off, %s, is cut off for the client too', async (_how, header, part) => {
  for (const path of PATHS) {
    const { url } = await rawServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n${part}`, () => socket.destroy());
    });
    const proxy = await proxyTo(url);
    const { text } = await speak(proxy.port, requestOf(path));
    expect(text).toBe(`HTTP/1.1 200 OK\r\n${header}\r\nConnection: close\r\n\r\n${part}`);
    expect(proxy.told).toMatchObject([{ not_judged: 'the service cut the response off' }]);
  }
});

const SSH = 'SSH-2.0-nothing\r\n';

test.each([
  ['is not there', 'http://127.0.0.1:2', 'refused the connection: nothing is listening there'],
  ['has no address', 'http://no-such-host.invalid', 'has an unknown host name'],
  ['speaks no HTTP', undefined, 'sent a response that is not HTTP'],
])('a service that %s gets 502 with the reason', async (_what, at, why) => {
  const target = at ?? (await rawServer((socket) => socket.end(SSH))).url;
  const { url, told } = await proxyTo(target);
  const answer = await fetch(url + QUOTE_PATH, { method: 'POST', body: QUOTE });
  expect(answer.status).toBe(502);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(await answer.json()).toEqual({
    type: 'about:blank',
    title: 'Bad Gateway',
    status: 502,
    detail: `${target} ${why}.`,
  });
  expect(told).toMatchObject([{ status: 502, not_judged: `the service ${why}` }]);
});
