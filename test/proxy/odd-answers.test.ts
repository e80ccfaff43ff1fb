import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { connection, PATHS, proxyTo, rawServer, requestOf, through } from './support.ts';

describe.each(PATHS)('to a call of %s the service', (path) => {
  const OTHER_PROTOCOL = 'switched to another protocol, which the request did not ask for';

  test.each([
    ['000 Nope', 'returned status 000, which is not valid HTTP'],
    ['099 Nope', 'returned status 099, which is not valid HTTP'],
    ['101 Switching Protocols', OTHER_PROTOCOL],
    ['101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c', OTHER_PROTOCOL],
  ])('can send %j: the client gets 502 with the reason', async (answer, why) => {
    const { head, body, url, told } = await through(
      `HTTP/1.1 ${answer}\r\n\r\n{}`,
      requestOf(path),
    );
    expect(head).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\ncontent-type: application\/problem\+json/);
    expect(JSON.parse(body).detail).toBe(`${url} ${why}.`);
    expect(told).toMatchObject([{ status: 502, not_judged: `the service ${why}` }]);
  });

  test('can use any byte in its reason phrase: invalid ones become spaces', async () => {
    const answer = 'HTTP/1.1 200 \x00a\x01b\x7fc\t\xe9\r\nContent-Length: 2\r\n\r\n{}';
    const { head } = await through(answer, requestOf(path));
    expect(head).toMatch(/^HTTP\/1\.1 200 {2}a b c\t\xe9\r\n/);
  });

  test('can name a file with any bytes', async () => {
    const disposition = 'Content-Disposition: attachment; filename=\xe9\xc3\xa9.pdf\r\n';
    const answer = `HTTP/1.1 200 OK\r\n${disposition}Content-Length: 2\r\n\r\n{}`;
    expect((await through(answer, requestOf(path))).head).toContain(
      `\r\n${disposition}Content-Length: 2\r\n`,
    );
  });
});

test.each([
  'HTTP/1.1 099 Nope\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
  'SSH-2.0-nothing\r\n',
])('after an invalid response only the connection to the service is closed: %j', async (answer) => {
  let closed: Promise<unknown> | undefined;
  const { url } = await rawServer((socket, heard) => {
    if (heard.includes('/livez')) {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine');
      return;
    }
    closed = once(socket, 'close');
    socket.write(answer);
  });
  const { socket, until } = connection((await proxyTo(url)).port);
  socket.write(`POST /x HTTP/1.1\r\nHost: p\r\nContent-Length: 100\r\n\r\nx`);
  expect(await until('"detail"')).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
  await closed;
  socket.write(`${'x'.repeat(99)}${requestOf('/livez')}`);
  expect(await until('fine')).toMatch(/\}HTTP\/1\.1 200 OK\r\n/);
});
