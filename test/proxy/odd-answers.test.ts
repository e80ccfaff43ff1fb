import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { expectAlive, failOnUncaught, PATHS, requestOf, scriptedService } from './scripted.ts';
import { connection, speak } from './wire.ts';

failOnUncaught();

/** What a client hears where the service answers those bytes and ends the connection. */
async function through(answer: string, path: string, sent: Parameters<typeof requestOf>[1] = {}) {
  const { proxy, url, say } = await scriptedService();
  say((socket) => socket.end(Buffer.from(answer, 'latin1')));
  const { text } = await speak(proxy.port, requestOf(path, sent));
  await expectAlive(proxy);
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return { text, head, body: rest.join('\r\n\r\n'), url, told: proxy.told[0] };
}

describe.each(PATHS)('to a call of %s, the service', (path) => {
  test.each([
    ['000 Nope', 'answered with status 000, which HTTP does not have'],
    ['099 Nope', 'answered with status 099, which HTTP does not have'],
    ['101 Switching Protocols', 'switched to another protocol, which the request did not ask for'],
    [
      '101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c',
      'switched to another protocol, which the request did not ask for',
    ],
  ])('may answer %j: the client gets 502 with the reason', async (answer, why) => {
    const { head, body, url, told } = await through(`HTTP/1.1 ${answer}\r\n\r\n{}`, path);
    expect(head).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\ncontent-type: application\/problem\+json/);
    expect(JSON.parse(body)).toEqual({
      type: 'about:blank',
      title: 'Bad Gateway',
      status: 502,
      detail: `${url} ${why}.`,
    });
    expect(told).toMatchObject({ status: 502, not_judged: `the service ${why}` });
  });

  test('may use any byte in its reason: those that HTTP does not allow are blanks', async () => {
    const { head } = await through(
      'HTTP/1.1 200 \x00a\x01b\x7fc\t\xe9\r\nContent-Length: 2\r\n\r\n{}',
      path,
    );
    expect(head).toMatch(/^HTTP\/1\.1 200 {2}a b c\t\xe9\r\n/);
  });

  test.each(['\xe9.pdf', '\xc3\xa9.pdf'])('may name a file %j', async (name) => {
    const { head } = await through(
      `HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Disposition: attachment; filename=${name}\r\n\r\n{}`,
      path,
    );
    expect(head).toContain(`\r\nContent-Disposition: attachment; filename=${name}\r\n`);
    expect(head).toContain('\r\nContent-Length: 2\r\n');
  });
});

describe('after an answer that can not be passed on', () => {
  test.each([
    'HTTP/1.1 099 Nope\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    'SSH-2.0-nothing\r\n',
  ])(
    'the connection to the service is closed, and that to the client is not: %j',
    async (answer) => {
      const { proxy, say } = await scriptedService();
      let closed: Promise<unknown> | undefined;
      say((socket) => {
        closed = once(socket, 'close');
        socket.write(answer);
      });
      const { socket, until } = connection(proxy.port);
      socket.write(`POST /x HTTP/1.1\r\nHost: p\r\nContent-Length: 100\r\n\r\nx`);
      expect(await until('"detail"')).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
      await closed;
      socket.write(`${'x'.repeat(99)}${requestOf('/livez')}`);
      expect(await until('fine')).toMatch(/\}HTTP\/1\.1 200 OK\r\n/);
    },
  );
});
