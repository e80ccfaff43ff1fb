import { expect, test } from 'vitest';
import { logLine } from '../../src/node/commands/proxy.ts';
import { proxyTo, rawServer, speak } from './support.ts';

/** What the service and the client receive for a request line. */
async function send(line: string) {
  const { url, heard } = await rawServer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
  const { port, told } = await proxyTo(`${url}/base`);
  const { text } = await speak(port, `${line} HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n`);
  return { heard, text, told };
}

test.each([
  ['GET /a?b', 'GET /base/a?b'],
  ['GET //a', 'GET /base//a'],
  ['GET http://other.example/path?x=1', 'GET /base/path?x=1'],
  ['GET HTTPS://user:word@other.example:8443/', 'GET /base/'],
  ['OPTIONS *', 'OPTIONS *'],
])('a request target is forwarded without its authority: %s', async (line, expected) => {
  const { heard } = await send(line);
  expect(heard[0]?.startsWith(`${expected} HTTP/1.1\r\n`)).toBe(true);
});

test.each([
  'GET http://other.example?x=1',
  'GET http://other.example',
  'GET ftp://other.example/path',
  'GET ws://other.example/path',
  'GET *',
  'POST *',
])('a request target without a path is refused: %s', async (line) => {
  const { heard, text, told } = await send(line);
  expect(heard).toEqual([]);
  const [head, body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\ncontent-type: application\/problem\+json/);
  expect(JSON.parse(body)).toEqual({
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    detail: 'The request target must be a path, or an http or https URL with a path.',
  });
  expect(told).toMatchObject([
    { operation: null, status: 400, not_judged: 'refused: the request target is not a path' },
  ]);
});

test('the password and the query of a request target are not reported', async () => {
  const { told } = await send('GET ftp://user:pass@other.example/path?key=secret');
  expect(told.map((entry) => logLine(entry, false))).toEqual([
    expect.stringContaining('GET ftp://other.example/path?key=[redacted] 400 '),
  ]);
});

test('CONNECT closes the connection', async () => {
  expect(await send('CONNECT other.example:443')).toMatchObject({ heard: [], text: '' });
});
