import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Merchant } from '../../src/index.ts';
import { type SandboxServer, startSandbox } from '../../src/node/index.ts';
import { MIB, memoryUsed } from '../support/memory.ts';

const READERS = 30;
/** What all of them may take: a text of its own for each takes three times as much at the least. */
const MOST_BYTES = 64 * MIB;

/** A merchant of a server that many forget to read from. */
async function openMerchant(): Promise<{ server: SandboxServer; merchant: Merchant }> {
  const server = await startSandbox({ port: 0, now: '2026-01-31T10:00:00Z', clock: 'frozen' });
  onTestFinished(() => server.close());
  return { server, merchant: server.sandbox.createMerchant() };
}

/** Sends a request over a connection that reads no more of the answer than its beginning. */
async function ask({ port }: SandboxServer, { apiKey }: Merchant, line: string, body = '') {
  const socket: Socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(
    `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await once(socket, 'readable');
  return String(socket.read()).split(' ', 2)[1];
}

/** Fills the journal with its 16 MiB of bodies, and answers the id of the last of these calls. */
async function fillJournal({ sandbox }: SandboxServer, { apiKey }: Merchant): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ token: 'nobody has it', note: 'x'.repeat(MIB - 4096) });
  const url = '/api/merchant/micro_health/verify';
  let last = '';
  for (let call = 0; call < 16; call++) {
    const response = await sandbox.fetch(url, { method: 'POST', headers, body });
    last = response.headers.get('sandbox-request-id') as string;
  }
  return last;
}

describe('readers that forget to read share what they are sent', () => {
  test.each([
    ['the journal', 200, 'GET /_sandbox/journal', ''],
    ['calls that were waited for', 200, 'POST /_sandbox/journal/await', '{"count":16}'],
    [
      'calls that came instead of others',
      408,
      'POST /_sandbox/journal/await',
      '{"status":418,"timeout":"PT0.01S"}',
    ],
  ])('%s', async (_, status, line, body) => {
    const { server, merchant } = await openMerchant();
    await fillJournal(server, merchant);
    const before = memoryUsed();
    const all = Array.from({ length: READERS }, () => ask(server, merchant, line, body));
    expect(new Set(await Promise.all(all))).toEqual(new Set([String(status)]));
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    expect(memoryUsed() - before).toBeLessThan(MOST_BYTES);
  });
});

test('who reads late is sent what the journal has by then, and in whole entries', async () => {
  const { server, merchant } = await openMerchant();
  await fillJournal(server, merchant);
  const headers = { authorization: `Bearer ${merchant.apiKey}` };
  const response = await fetch(`${server.url}/_sandbox/journal`, { headers });
  const before = merchant.journal.list().map(({ id }) => id);
  const added = await fillJournal(server, merchant);
  const { data } = (await response.json()) as { data: { id: string }[] };
  expect(data.map(({ id }) => id)).toEqual(before.slice(0, data.length));
  expect(merchant.journal.list()[0]?.id).toBe(added);
});
