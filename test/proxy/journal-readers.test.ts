import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { ProxyEntry } from '../../src/contract/proxy/index.ts';
import { createJudge } from '../../src/contract/proxy/index.ts';
import { startProxy } from '../../src/node/proxy/server.ts';
import { fake } from './support.ts';
import { speak } from './wire.ts';

const JOURNAL = '/_sandbox/journal';
const COUNT = 1000;
const SIZE = 30_000;

/** A proxy whose journal is larger than any socket holds, and how much of it was made into text. */
async function largeJournal() {
  const target = await fake((_request, response) => response.end('fine'));
  let made = 0;
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const entry = {
    toJSON() {
      made += 1;
      begin();
      return { id: `call-${made}`, path: 'x'.repeat(SIZE) };
    },
  } as unknown as ProxyEntry;
  const proxy = await startProxy({
    target,
    port: 0,
    host: '127.0.0.1',
    judge: {
      ...createJudge({ target }),
      entries: () => Array.from({ length: COUNT }, () => entry),
    },
    told: () => undefined,
  });
  onTestFinished(() => proxy.close());
  return { proxy, begun, target, made: () => made };
}

test('the journal is made as its reader takes it', async () => {
  const { proxy, begun, target, made } = await largeJournal();
  const reader = connect(proxy.port, '127.0.0.1');
  reader.write(`GET ${JOURNAL} HTTP/1.0\r\nHost: localhost\r\n\r\n`);
  await begun;
  expect(await (await fetch(`${proxy.url}/livez`)).text()).toBe('fine');
  expect(made()).toBeLessThan(COUNT);

  const [, body = ''] = (await text(reader)).split('\r\n\r\n');
  expect(made()).toBe(COUNT);
  const journal = JSON.parse(body);
  expect(journal.target).toBe(target);
  expect(journal.data.map(({ id }: ProxyEntry) => id)).toEqual(
    Array.from({ length: COUNT }, (_entry, place) => `call-${place + 1}`),
  );
});

test('a reader that leaves before the end ends nothing else', async () => {
  const { proxy, begun } = await largeJournal();
  const reader = connect(proxy.port, '127.0.0.1');
  reader.write(`GET ${JOURNAL} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await begun;
  reader.resetAndDestroy();
  const { text: heard } = await speak(
    proxy.port,
    'GET /livez HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n',
  );
  expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});
