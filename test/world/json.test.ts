import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connect, createSandbox } from '../../src/index.ts';
import { MAX_READ_DEPTH, parseJson } from '../../src/world/json.ts';
import { exampleOf } from '../support/requests.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

test('JSON is read to 150 levels, and is no JSON beyond', () => {
  expect(JSON.stringify(parseJson(nested(MAX_READ_DEPTH)))).toBe(nested(MAX_READ_DEPTH));
  expect(parseJson(nested(MAX_READ_DEPTH + 1))).toBe(undefined);
  for (const text of ['['.repeat(200_000), '{"a":'.repeat(200_000), nested(200_000)]) {
    expect(parseJson(text)).toBe(undefined);
  }
});

test('brackets in a text do not nest', () => {
  expect(parseJson(`["${'['.repeat(1000)}", "\\"${'{'.repeat(1000)}"]`)).toHaveLength(2);
});

test('connect says of an answer that nests without end that no sandbox answers there', async () => {
  const server = createServer((_, response) => response.end(nested(200_000))).listen(0);
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const remote = connect({ url: `http://127.0.0.1:${port}` });
  await expect(remote.merchants()).rejects.toThrow(/sandbox/);
});

test('merchant.call gives a body that nests too deeply as text', async () => {
  const merchant = createSandbox().createMerchant();
  merchant.faults.add({
    stage: 'before',
    effect: {
      kind: 'respond',
      status: 200,
      headers: { 'Content-Type': 'text/plain' },
      body: nested(200_000),
    },
  });
  const { body } = await merchant.call('getMotorQuote', exampleOf('getMotorQuote'));
  expect(body).toBe(nested(200_000));
});
