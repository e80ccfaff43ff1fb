import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { serveStdio } from '../../src/tools/mcp/library.ts';
import { createLineTransport } from '../../src/tools/mcp/lines.ts';
import { createMcpServer } from '../../src/tools/mcp/server.ts';
import { createDemoClient } from '../support/client.ts';

/* What the MCP server answers to lines on its standard input, without a process around it. */

type Answer = Record<string, unknown> & { readonly id?: unknown };

/** Sends lines, closes the input once this many answers came, and returns the answers. */
async function answersTo(count: number, ...lines: readonly (string | Uint8Array)[]) {
  const { sandbox } = createDemoClient();
  const written: (Answer | Answer[])[] = [];
  let isDone = () => {};
  const done = new Promise<void>((resolve) => {
    isDone = resolve;
  });
  async function* input() {
    for (const line of lines) {
      yield typeof line === 'string' ? new TextEncoder().encode(`${line}\n`) : line;
      // Answers of the protocol come after a few turns.
      await setTimeout(0);
    }
    if (count > 0) await done;
  }
  const transport = createLineTransport({
    input: input(),
    async write(text) {
      written.push(JSON.parse(text));
      if (written.length === count) isDone();
    },
  });
  const host = {
    url: 'http://sandbox',
    key: 'sk_sandbox_demo',
    adminToken: undefined,
    fetch: (request: Request) => sandbox.fetch(request),
  };
  const connection = serveStdio(() => createMcpServer(host), { transport });
  const problem = await transport.ended;
  await connection.close();
  return { written, problem };
}

const initialize = (protocolVersion: string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'agent', version: '1' } },
  });
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const ping = (id: number | string) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"ping"}`;

describe('a line that is no message gets the error of JSON-RPC', () => {
  test.each<[string, string, number, unknown]>([
    ['broken JSON', '{bad', -32700, null],
    ['a text of JSON', '"hello"', -32600, null],
    ['JSON that is nested too deeply', '['.repeat(200_000), -32700, null],
    ['a method that is no text', '{"jsonrpc":"2.0","id":8,"method":5}', -32600, 8],
    ['a request without jsonrpc', '{"id":"a","method":"ping"}', -32600, 'a'],
    ['another version', '{"jsonrpc":"1.0","id":3,"method":"ping"}', -32600, 3],
    ['no method', '{"jsonrpc":"2.0","id":4}', -32600, 4],
    ['an id of another type', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
    [
      'parameters that are a list',
      '{"jsonrpc":"2.0","id":5,"method":"ping","params":[]}',
      -32600,
      5,
    ],
    ['an empty batch', '[]', -32600, null],
  ])('%s', async (_, line, code, id) => {
    const { written } = await answersTo(2, line, ping('after'));
    expect(written).toEqual([
      { jsonrpc: '2.0', id, error: { code, message: expect.any(String) } },
      { jsonrpc: '2.0', id: 'after', result: {} },
    ]);
  });
});

test('a byte order mark, empty lines and parameters that are null are no errors', async () => {
  const { written } = await answersTo(
    2,
    `\uFEFF${ping(1)}`,
    '',
    '\r',
    '{"jsonrpc":"2.0","id":2,"method":"ping","params":null}\r',
  );
  expect(written.map((answer) => (answer as Answer).result)).toEqual([{}, {}]);
});

test('a line may come in pieces, cut within a character', async () => {
  const bytes = new TextEncoder().encode(`${ping('é')}\n`);
  const cut = bytes.indexOf(0xc3) + 1;
  const { written } = await answersTo(1, bytes.slice(0, cut), bytes.slice(cut));
  expect(written).toEqual([{ jsonrpc: '2.0', id: 'é', result: {} }]);
});

describe('a batch', () => {
  test('is answered by a batch in the revision that has them', async () => {
    const batch = `[${ping(2)},${INITIALIZED},1,{"jsonrpc":"2.0","id":3,"method":"none"}]`;
    const { written } = await answersTo(2, initialize('2025-03-26'), INITIALIZED, batch);
    const answers = written[1] as Answer[];
    expect(answers).toHaveLength(3);
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: 2, result: {} });
    const codes = answers.map(({ error }) => (error as { code: number } | undefined)?.code);
    expect(codes.toSorted()).toEqual([-32600, -32601, undefined]);
  });

  test('of notifications alone is not answered', async () => {
    const { written } = await answersTo(
      2,
      initialize('2025-03-26'),
      `[${INITIALIZED}]`,
      ping('after'),
    );
    expect(written.map((answer) => (answer as Answer).id)).toEqual([1, 'after']);
  });

  test('is refused in every other revision', async () => {
    const { written } = await answersTo(2, initialize('2025-06-18'), INITIALIZED, `[${ping(2)}]`);
    expect(written[1]).toMatchObject({
      id: null,
      error: { code: -32600, message: 'Invalid request: revision 2025-06-18 has no batches' },
    });
  });
});

test('a message beyond 10 MB ends the connection, and says so', async () => {
  const { written, problem } = await answersTo(0, 'x'.repeat(11 * 1024 * 1024));
  expect(written).toEqual([]);
  expect(problem).toMatch(/\b10485760\b/);
});

test.each(['__proto__', 'constructor', 'advance_clok'])(
  'the tool %s is unknown, with the nearest if there is one',
  async (name) => {
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name } };
    const { written } = await answersTo(
      2,
      initialize('2025-06-18'),
      INITIALIZED,
      JSON.stringify(call),
    );
    const message = name.startsWith('adv')
      ? 'Unknown tool "advance_clok"; did you mean "advance_clock"?'
      : expect.stringContaining(`Unknown tool "${name}"; known: create_merchant, list_calls`);
    expect(written[1]).toMatchObject({ id: 2, error: { code: -32602, message } });
  },
);

const request = (method: string, params?: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 2, method, params });

test.each<[string, object | undefined, string]>([
  ['initialize', undefined, 'params: expected an object, got nothing'],
  ['initialize', { protocolVersion: 7 }, 'params.protocolVersion: expected a string, got 7'],
  ['resources/read', {}, 'params.uri: expected a string, got nothing'],
  ['tools/list', { cursor: 7 }, 'params.cursor: expected a string, got 7'],
  ['tools/call', { arguments: {} }, 'params.name: expected a string, got nothing'],
])('%s with the parameters %j is refused, and says why', async (method, params, why) => {
  const before = method === 'initialize' ? [] : [initialize('2025-06-18'), INITIALIZED];
  const { written } = await answersTo(
    before.length === 0 ? 1 : 2,
    ...before,
    request(method, params),
  );
  const message = expect.stringContaining(`Invalid params: ${why}`);
  expect(written.at(-1)).toMatchObject({ id: 2, error: { code: -32602, message } });
});

test('a parameter that is null counts as left out', async () => {
  const { written } = await answersTo(
    2,
    initialize('2025-06-18'),
    INITIALIZED,
    request('tools/list', { cursor: null }),
  );
  expect(written[1]).toMatchObject({ id: 2, result: { tools: expect.any(Array) } });
});
