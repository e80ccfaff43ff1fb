import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Merchant } from '../../src/index.ts';
import { type SandboxServer, startSandbox } from '../../src/node.ts';
import { MIB, memoryUsed } from '../support/memory.ts';

const READERS = 20;
/** The limit for all of them: a list is bounded by the budget of a journal, 8 MiB. */
const MOST_BYTES = 20 * 2 * 8 * MIB;

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

/** Fills the journal with its 8 MiB of bodies. */
async function fillJournal(): Promise<void> {
  const body = JSON.stringify({ token: 'nobody has it', note: 'x'.repeat(MIB - 4096) });
  const init = { method: 'POST', headers: headers(), body };
  for (let call = 0; call < 8; call++) {
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
  ['POST /_sandbox/journal/await', '{"count":7}', 200],
  ['POST /_sandbox/journal/await', '{"status":418,"timeout":"PT0.01S"}', 408],
])(
  'readers of %s %s that do not read take a bounded part of the memory',
  async (line, body, status) => {
    const before = memoryUsed();
    const all = Array.from({ length: READERS }, () => ask(line, body));
    expect(new Set(await Promise.all(all))).toEqual(new Set([String(status)]));
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    expect(memoryUsed() - before).toBeLessThan(MOST_BYTES);
  },
);
