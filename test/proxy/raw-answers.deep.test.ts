import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runsOf } from '../support/depth.ts';
import { expectAlive, failOnUncaught, PATHS, requestOf, scriptedService } from './scripted.ts';
import { speak } from './wire.ts';

failOnUncaught();

type Header = readonly [name: string, value: string];

/** Any bytes but those that end a line. */
const line = fc.string({
  unit: fc
    .integer({ min: 0, max: 255 })
    .map((byte) => String.fromCharCode(byte))
    .filter((character) => !/[\r\n]/.test(character)),
  maxLength: 12,
});

/** Headers that HTTP allows, and that change nothing about where an answer ends. */
const sound = fc.constantFrom<Header>(
  ['X-A', '1'],
  ['x-a', '2\t3'],
  ['X-Latin', 'caf\xe9'],
  ['X-Empty', ''],
  ['__proto__', '1'],
  ['Set-Cookie', 'a=1'],
  ['Set-Cookie', 'b=2'],
  ['Date', 'yesterday'],
  ['Connection', 'close'],
  ['Connection', 'keep-alive, x-a'],
  ['Keep-Alive', 'timeout=5'],
  ['Trailer', 'X-Sum'],
  ['Link', '</a.css>; rel=preload'],
  ['Content-Type', 'application/json'],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'zstd-of-mine'],
  ['Content-Disposition', 'attachment; filename=\xe9.pdf'],
  ['Content-Disposition', 'attachment; filename=\xc3\xa9.pdf'],
);
const odd = fc.oneof(
  fc.tuple(line, line),
  fc.tuple(fc.constantFrom('X-A', 'Link', 'Trailer', 'Connection'), line),
  fc.constantFrom<Header>(
    ['Link', 'nothing'],
    ['Upgrade', 'h2c'],
    ['Connection', 'upgrade'],
    ['Content-Length', '-1'],
    ['Content-Length', '7'],
    ['Transfer-Encoding', 'gzip'],
    ['Transfer-Encoding', 'chunked, gzip'],
    ['X-Folded', 'a\r\n b'],
  ),
);
const headers = fc.record({
  sound: fc.array(sound, { maxLength: 4 }),
  odd: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(odd, { maxLength: 2 })),
});

/** Where an answer ends; `more` is how many bytes it announces that do not come. */
const framing = fc.oneof(
  fc.record({ kind: fc.constant('length' as const), more: fc.constantFrom(0, 0, 0, 1, -1) }),
  fc.record({
    kind: fc.constant('chunked' as const),
    extension: fc.oneof(fc.constantFrom('', '', ';a=b', ';a="b c"'), line),
    trailers: fc.array(fc.oneof(sound, odd), { maxLength: 2 }),
  }),
  fc.constantFrom({ kind: 'none' as const }, { kind: 'both' as const }),
);

const interim = fc.record({
  status: fc.constantFrom(100, 102, 103, 103, 199),
  headers: fc.array(fc.oneof(sound, odd), { maxLength: 2 }),
});

const answer = fc.record({
  interims: fc.array(interim, { maxLength: 2 }),
  status: fc.oneof(
    fc.constantFrom(200, 200, 201, 204, 304, 404, 422, 500, 999, 0, 99, 100, 101, 103),
    fc.integer({ min: 0, max: 999 }),
  ),
  reason: fc.oneof(fc.constantFrom('OK', '', 'Caf\xe9'), line),
  headers,
  framing,
  body: fc.oneof(fc.constant('{"success":true,"data":[]}'), line),
  cut: fc.option(
    fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), reset: fc.boolean() }),
    {
      freq: 3,
    },
  ),
});

const request = fc.record({
  path: fc.constantFrom(...PATHS),
  method: fc.constantFrom('GET', 'GET', 'HEAD'),
  version: fc.constantFrom('1.1', '1.1', '1.0'),
});

type Answer = typeof answer extends fc.Arbitrary<infer T> ? T : never;
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;

const lines = (all: readonly Header[]) =>
  all.map(([name, value]) => `${name}: ${value}\r\n`).join('');

/** The bytes of an answer, one character each. */
function bytesOf({ interims, status, reason, headers, framing, body, cut }: Answer): string {
  const heads = interims.map((each) => `HTTP/1.1 ${each.status} X\r\n${lines(each.headers)}\r\n`);
  const start = `HTTP/1.1 ${String(status).padStart(3, '0')} ${reason}\r\n`;
  const length = `Content-Length: ${Math.max(0, body.length + ('more' in framing ? framing.more : 0))}\r\n`;
  const { kind } = framing;
  const { extension = '', trailers = [] } = kind === 'chunked' ? framing : {};
  const isChunked = kind === 'chunked' || kind === 'both';
  const all = [
    ...heads,
    start,
    ...(kind === 'length' || kind === 'both' ? [length] : []),
    lines([...headers.sound, ...headers.odd]),
    ...(isChunked ? ['Transfer-Encoding: chunked\r\n'] : []),
    '\r\n',
    isChunked
      ? `${body === '' ? '' : `${body.length.toString(16)}${extension}\r\n${body}\r\n`}0\r\n${lines(trailers)}\r\n`
      : body,
  ].join('');
  return cut ? all.slice(0, Math.floor(all.length * cut.at)) : all;
}

/** Whether there is no final answer, or only a part of it. */
const isCut = ({ cut, status, framing }: Answer): boolean =>
  cut !== null || (status >= 100 && status < 200) || ('more' in framing && framing.more > 0);

/** Whether a client gets the answer as it was sent. */
const isSound = (given: Answer): boolean =>
  !isCut(given) &&
  given.interims.length === 0 &&
  given.status >= 200 &&
  given.headers.odd.length === 0 &&
  (given.framing.kind === 'none' ||
    ('more' in given.framing && given.framing.more === 0) ||
    ('trailers' in given.framing &&
      given.framing.trailers.length === 0 &&
      /^(;a=(b|"b c"))?$/.test(given.framing.extension)));

/** The final answer that a client heard; undefined where the connection ended before its head did. */
function finalOf(heard: string): { status: number; head: string; body: string } | undefined {
  const text = heard.replace(/^(?:HTTP\/1\.1 1\d\d [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)*/, '');
  const [, head, status, body] =
    /^(HTTP\/1\.1 (\d{3}) [\s\S]*?\r\n)\r\n([\s\S]*)$/.exec(text) ?? [];
  if (head === undefined) return undefined;
  const isChunked = /\r\nTransfer-Encoding: chunked\r\n/.test(head);
  return { status: Number(status), head, body: isChunked ? unchunked(body ?? '') : (body ?? '') };
}

/** A body in chunks, as far as it came. */
function unchunked(chunks: string): string {
  const [size = ''] = chunks.split('\r\n', 1);
  const length = Number.parseInt(size, 16);
  if (!length) return '';
  const start = size.length + 2;
  return chunks.slice(start, start + length) + unchunked(chunks.slice(start + length + 2));
}

const bodyFor = ({ method }: Request, { status, body }: Answer): string =>
  method === 'HEAD' || status === 204 || status === 304 ? '' : body;

const RUNS = runsOf({ sample: 60, ci: 1_000, all: 10_000 });

test('whatever bytes a service answers, its client gets an answer and the proxy goes on', async () => {
  const { proxy, say } = await scriptedService();
  await fc.assert(
    fc.asyncProperty(request, answer, async (asked, given) => {
      say((socket) => {
        const bytes = Buffer.from(bytesOf(given), 'latin1');
        if (given.cut?.reset) socket.write(bytes, () => socket.resetAndDestroy());
        else socket.end(bytes);
      });
      const toldBefore = proxy.told.length;
      const { text } = await speak(proxy.port, requestOf(asked.path, asked));
      const final = finalOf(text);
      if (isSound(given)) {
        expect(final).toMatchObject({ status: given.status, body: bodyFor(asked, given) });
      } else if (final) expect([given.status, 502]).toContain(final.status);
      else expect(isCut(given)).toBe(true);
      await expectAlive(proxy);
      expect(proxy.told).toHaveLength(toldBefore + 2);
    }),
    RUNS,
  );
});
