import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Merchant } from '../../src/index.ts';
import { type SandboxServer, startSandbox } from '../../src/node/index.ts';
import { MIB, memoryUsed } from '../support/memory.ts';

const READERS = 30;
/** The limit for all of them. Separate texts would take at least three times as much. */
const MOST_BYTES = 64 * MIB;

let server: SandboxServer;
let merchant: Merchant;
beforeAll(async () => {
  server = await startSandbox({ port: 0 });
  merchant = server.sandbox.createMerchant();
  await fillJournal();
});
afterAll(() => server.close());

const headers = () => ({
  authorization: `Bearer ${merchant.apiKey}`,
  'content-type': 'application/json',
});

/** Fills the journal with its 16 MiB of bodies. */
async function fillJournal(): Promise<void> {
  const body = JSON.stringify({ token: 'nobody has it', note: 'x'.repeat(MIB - 4096) });
  const init = { method: 'POST', headers: headers(), body };
  for (let call = 0; call < 16; call++) {
    await server.sandbox.fetch('/api/merchant/micro_health/verify', init);
  }
}

/** Sends a request and reads only the beginning of the response. */
async function ask(line: string, body: string) {
  const socket = connect(server.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(
    `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${merchant.apiKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await once(socket, 'readable');
  return String(socket.read()).split(' ', 2)[1];
}

test.each([
  ['GET /_sandbox/journal', '', 200],
  ['POST /_sandbox/journal/await', '{"count":16}', 200],
  ['POST /_sandbox/journal/await', '{"status":418,"timeout":"PT0.01S"}', 408],
])('slow readers of %s %s share one copy of the text', async (line, body, status) => {
  const before = memoryUsed();
  const all = Array.from({ length: READERS }, () => ask(line, body));
  expect(new Set(await Promise.all(all))).toEqual(new Set([String(status)]));
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  expect(memoryUsed() - before).toBeLessThan(MOST_BYTES);
});

test('a slow reader gets complete entries of the journal as it was at the request', async () => {
  const response = await fetch(`${server.url}/_sandbox/journal`, { headers: headers() });
  const before = merchant.journal.list().map(({ id }) => id);
  await fillJournal();
  const { data } = (await response.json()) as { data: { id: string }[] };
  expect(data.map(({ id }) => id)).toEqual(before.slice(0, data.length));
  expect(before).not.toContain(merchant.journal.list()[0]?.id);
});
