import { describe, expect, test } from 'vitest';
import { createCaller, type McpHost } from '../../src/tools/mcp/host.ts';
import { RESOURCES } from '../../src/tools/mcp/resources.ts';
import { TOOLS } from '../../src/tools/mcp/tools.ts';

/* What tools say when something else than a sandbox is behind the URL, or nothing, or a sandbox that refuses. */

const URL_OF_IT = 'http://127.0.0.1:9';

const hostOf = (fetch: McpHost['fetch']): McpHost => ({
  url: URL_OF_IT,
  key: 'sk_any',
  adminToken: undefined,
  fetch,
});

/** What each tool, and each resource that is no document, says about a server. */
async function toldAbout(fetch: McpHost['fetch']): Promise<string[]> {
  const host = hostOf(fetch);
  const told = [
    ...TOOLS.map(({ run }) => run({ id: 'token-boundary', match: {} }, createCaller(host))),
    ...resources('assumptions').map(async ({ read }) => read(host)),
  ].map((said) => said.catch((error: Error) => `${error.name}: ${error.message}`));
  return Promise.all(told);
}

const resources = (...names: readonly string[]) =>
  RESOURCES.filter(({ name }) => names.includes(name));

const json = (body: unknown, status = 200, type = 'application/json') =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': type } });

const cause = (message: string, code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });

describe('a server that is no sandbox', () => {
  test.each<[string, () => Response]>([
    ['HTML', () => new Response('<html>')],
    ['an empty object', () => json({})],
    ['an empty list', () => json([])],
    ['a list of other things', () => json({ data: [{}, null] })],
    ['other things', () => json({ data: [1], clock: 'noon', match: null, effects: {} })],
    ['null', () => json(null)],
    ['a refusal of another kind', () => json({ detail: [{ msg: 'x', loc: ['a'] }] }, 422)],
    ['a short refusal', () => json({ detail: 'Not Found' }, 404)],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: '/login' } })],
    ['an error of a proxy', () => new Response('Bad gateway\n', { status: 502 })],
  ])('that answers with %s is told as such', async (_, respond) => {
    for (const said of await toldAbout(async () => respond())) {
      expect(said).toMatch(
        /^Refused: http:\/\/127\.0\.0\.1:9 responded with status \d{3}\. This does not look like a sandbox; check the URL\.$/,
      );
    }
  });
});

test.each(['llms.txt', 'openapi.json'])('the document %s is no page of HTML', async (name) => {
  const type = { 'content-type': 'text/html' };
  const host = hostOf(async () => new Response('<html>', { headers: type }));
  const [read] = resources(name).map(async ({ read }) => read(host));
  await expect(read).rejects.toThrow('This does not look like a sandbox; check the URL.');
});

test.each<[string, Error, string]>([
  ['nothing listens', cause('connect', 'ECONNREFUSED'), 'refused the connection: nothing is'],
  ['nothing answers in time', cause('Headers Timeout', 'UND_ERR_HEADERS_TIMEOUT'), 'in time'],
  ['the port is one that nobody calls', cause('bad port', ''), 'HTTP clients refuse this port.'],
  ['nobody knows why', new TypeError('fetch failed'), 'could not be called.'],
  ['it is closed', new TypeError('The sandbox is closed.'), 'closed'],
])('there is a sentence when %s', async (_, error, sentence) => {
  const fetch = async () => {
    throw error;
  };
  for (const said of await toldAbout(fetch)) {
    expect(said).toContain(`Refused: ${URL_OF_IT} `);
    expect(said).toContain(sentence);
    expect(said).not.toMatch(/TypeError|fetch failed/);
  }
});

test('there is a sentence when a response ends in the middle', async () => {
  const fetch = async () => {
    const body = new ReadableStream({
      start: (stream) => stream.error(new TypeError('terminated')),
    });
    return new Response(body, { status: 200 });
  };
  for (const said of await toldAbout(fetch)) {
    expect(said).toBe(`Refused: ${URL_OF_IT} cut the connection.`);
  }
});

describe('a refusal of a sandbox', () => {
  const refusing = (status: number, detail: string) => async () =>
    json({ type: 'about:blank', title: 'No', status, detail }, status, 'application/problem+json');
  const said = async (status: number, detail: string) => {
    const caller = createCaller(hostOf(refusing(status, detail)));
    const told = TOOLS.map(({ run }) => run({ id: 'x', match: {} }, caller));
    return Promise.all(told.map((each) => each.catch((error: Error) => error.message)));
  };

  test('that is a sentence is told as it is, on one line', async () => {
    const detail = 'The change could not be saved, so it was not made: ENOSPC\n\u202e';
    for (const told of await said(507, detail)) {
      expect(told).toBe('The change could not be saved, so it was not made: ENOSPC\\n\\u202e');
    }
  });

  test('for a key or a token says where agents set it', async () => {
    const [created, listed] = await said(401, 'Authorization: Bearer <key>.');
    expect(created).toContain('Set SANDBOX_ADMIN_TOKEN for the command');
    expect(listed).toContain('no merchant has the key of this connection');
  });

  test('for too much says so', async () => {
    for (const status of [413, 414, 431]) {
      for (const told of await said(status, 'x')) expect(told).toBe('The arguments are too large.');
    }
  });
});
