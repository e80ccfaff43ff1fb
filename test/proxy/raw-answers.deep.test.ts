import type { Socket } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runsOf } from '../support/depth.ts';
import { PATHS, proxyTo, rawServer, requestOf, speak } from './support.ts';

type Header = readonly [name: string, value: string];

/** Any bytes except line ends. */
const line = fc.string({
  unit: fc
    .integer({ min: 0, max: 255 })
    .map((byte) => String.fromCharCode(byte))
    .filter((character) => !/[\r\n]/.test(character)),
  maxLength: 12,
});

/** Headers that HTTP allows and that do not change the length of a response. */
const sound = fc.constantFrom<Header>(
  ['X-A', '1'],
  ['x-a', '2\t3'],
  ['X-Latin', 'caf\xe9'],
  ['__proto__', '1'],
  ['Set-Cookie', 'a=1'],
  ['Connection', 'close'],
  ['Connection', 'keep-alive, x-a'],
  ['Trailer', 'X-Sum'],
  ['Link', '</a.css>; rel=preload'],
  ['Content-Encoding', 'zstd-of-mine'],
  ['Content-Disposition', 'attachment; filename=\xc3\xa9.pdf'],
);
const odd = fc.oneof(
  fc.tuple(line, line),
  fc.tuple(fc.constantFrom('X-A', 'Link', 'Trailer', 'Connection'), line),
  fc.constantFrom<Header>(
    ['Link', 'nothing'],
    ['Upgrade', 'h2c'],
    ['Content-Length', '-1'],
    ['Transfer-Encoding', 'chunked, gzip'],
    ['X-Folded', 'a\r\n b'],
  ),
);

const answer = fc.record({
  interims: fc.array(
    fc.tuple(fc.constantFrom(100, 102, 103, 103, 199), fc.array(fc.oneof(sound, odd))),
    { maxLength: 2 },
  ),
  status: fc.oneof(
    fc.constantFrom(200, 200, 201, 204, 304, 404, 422, 500, 999, 0, 99, 100, 101, 103),
    fc.integer({ min: 0, max: 999 }),
  ),
  reason: fc.oneof(fc.constantFrom('OK', '', 'Caf\xe9'), line),
  sound: fc.array(sound, { maxLength: 4 }),
  odd: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(odd, { maxLength: 2 })),
  framing: fc.constantFrom('length', 'length', 'chunked', 'chunked', 'none', 'both'),
  /** The number of announced bytes that are missing. */
  more: fc.constantFrom(0, 0, 0, 1, -1),
  extension: fc.oneof(fc.constantFrom('', '', ';a=b', ';a="b c"'), line),
  trailers: fc.array(fc.oneof(sound, odd), { maxLength: 2 }),
  body: fc.oneof(fc.constant('{"success":true,"data":[]}'), line),
  /** The part after which the service ends the connection. */
  cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 3 }),
  isReset: fc.boolean(),
});
type Answer = typeof answer extends fc.Arbitrary<infer T> ? T : never;

const lines = (all: readonly Header[]) =>
  all.map(([name, value]) => `${name}: ${value}\r\n`).join('');

/** The bytes of a response, one character each. */
function bytesOf(given: Answer): string {
  const { interims, status, reason, framing, more, extension, trailers, body, cut } = given;
  const isChunked = framing === 'chunked' || framing === 'both';
  const hasLength = framing === 'length' || framing === 'both';
  const chunk = body === '' ? '' : `${body.length.toString(16)}${extension}\r\n${body}\r\n`;
  const all = [
    ...interims.map(([code, headers]) => `HTTP/1.1 ${code} X\r\n${lines(headers)}\r\n`),
    `HTTP/1.1 ${String(status).padStart(3, '0')} ${reason}\r\n`,
    hasLength ? `Content-Length: ${Math.max(0, body.length + more)}\r\n` : '',
    lines([...given.sound, ...given.odd]),
    isChunked ? 'Transfer-Encoding: chunked\r\n' : '',
    '\r\n',
    isChunked ? `${chunk}0\r\n${lines(trailers)}\r\n` : body,
  ].join('');
  return cut === null ? all : all.slice(0, Math.floor(all.length * cut));
}

/** Whether the final response may be missing or incomplete. */
const isCut = ({ cut, status, framing, more }: Answer): boolean =>
  cut !== null || (status >= 100 && status < 200) || (framing === 'length' && more > 0);

/** Whether a client gets the response as it was sent. */
const isSound = (given: Answer): boolean =>
  !isCut(given) &&
  given.interims.length === 0 &&
  given.status >= 200 &&
  given.odd.length === 0 &&
  (given.framing === 'none' ||
    (given.framing === 'length' && given.more === 0) ||
    (given.framing === 'chunked' &&
      given.trailers.length === 0 &&
      /^(;a=(b|"b c"))?$/.test(given.extension)));

/** The final response that a client received; undefined if the connection ended within its head. */
function finalOf(heard: string) {
  const text = heard.replace(/^(?:HTTP\/1\.1 1\d\d [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)*/, '');
  const found = /^HTTP\/1\.1 (\d{3}) [\s\S]*?\r\n\r\n([\s\S]*)$/.exec(text);
  return found ? { status: Number(found[1]), body: found[2] } : undefined;
}

test('for any bytes from a service, the client gets a response and the proxy keeps running', async () => {
  let say: (socket: Socket) => void;
  const { url } = await rawServer((socket, heard) => {
    if (heard.includes('/livez')) {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine');
    } else say(socket);
  });
  const { port, told } = await proxyTo(url);
  const request = fc.record({
    path: fc.constantFrom(...PATHS),
    method: fc.constantFrom('GET', 'GET', 'HEAD'),
    version: fc.constantFrom('1.1', '1.1', '1.0'),
  });
  await fc.assert(
    fc.asyncProperty(request, answer, async (asked, given) => {
      say = (socket) => {
        const bytes = Buffer.from(bytesOf(given), 'latin1');
        if (given.cut !== null && given.isReset) {
          socket.write(bytes, () => socket.resetAndDestroy());
        } else socket.end(bytes);
      };
      const before = told.length;
      const { text } = await speak(port, requestOf(asked.path, asked));
      const final = finalOf(text);
      if (isSound(given)) {
        const hasBody = asked.method !== 'HEAD' && given.status !== 204 && given.status !== 304;
        expect(final?.status).toBe(given.status);
        // Chunked or whole.
        if (hasBody) expect(final?.body).toContain(given.body);
        else expect(final?.body).toBe('');
      } else if (final) expect([given.status, 502]).toContain(final.status);
      else expect(isCut(given)).toBe(true);
      const next = await speak(port, requestOf('/livez'));
      expect(next.text).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nfine$/);
      expect(told.slice(before)).toMatchObject([{ path: asked.path }, { path: '/livez' }]);
    }),
    runsOf({ sample: 60, ci: 300, all: 10_000 }),
  );
});
