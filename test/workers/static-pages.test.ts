import type { Fetcher } from 'cloudflare:workers';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../src/index.ts';
import type { Bindings } from '../../src/workers/deployment.ts';
import { answerRequest } from '../../src/workers/worker.ts';

/** The built files, with the engine's own headers. */
const built: Fetcher = {
  async fetch({ url, method }) {
    const bytes = await readFile(join('dist/workers-assets', new URL(url).pathname));
    const headers = { etag: '"1"', 'content-type': 'application/octet-stream' };
    return new Response(method === 'HEAD' ? null : new Uint8Array(bytes), { headers });
  },
};

/** The response of a Worker with these variables and static assets. */
const answerOf = (request: Request, vars: object, assets: Fetcher | undefined = built) =>
  answerRequest(request, { ...vars, ASSETS: assets } as unknown as Bindings, {
    waitUntil: () => {},
  });

const SHOP = 'https://shop.example';

const ask = (path: string, method = 'GET') =>
  new Request(`https://sandbox.example${path}`, {
    method,
    headers: { origin: SHOP },
    redirect: 'manual',
  });

async function seen(response: Response) {
  // The id of a request without a merchant has a running number.
  response.headers.delete('sandbox-request-id');
  const bytes = Buffer.from(await response.arrayBuffer()).toString('latin1');
  return { status: response.status, headers: Object.fromEntries(response.headers), bytes };
}

describe('the documents and reference pages of a Worker', () => {
  test.each<[string, object, SandboxOptions]>([
    ['with the demo merchant', { SANDBOX_DEMO: '1' }, {}],
    ['without the demo merchant', {}, { fixtures: { 'merchants.json': { merchants: [] } } }],
    [
      'with another assumption',
      { SANDBOX_DEMO: '1', SANDBOX_AMOUNT_CHECK: 'ignore' },
      { amountCheck: 'ignore' },
    ],
    [
      'with CORS',
      { SANDBOX_DEMO: '1', SANDBOX_CORS: `http://a,${SHOP}` },
      { cors: ['http://a', SHOP] },
    ],
    ['with CORS for others', { SANDBOX_DEMO: '1', SANDBOX_CORS: 'http://a' }, { cors: 'http://a' }],
  ])('equal those of a sandbox %s', async (_, vars, options) => {
    const sandbox = createSandbox(options);
    for (const path of [
      ...[
        '/openapi.json',
        '/openapi-3.0.json',
        '/_sandbox/openapi.json',
        '/_sandbox/openapi-3.0.json',
        '/docs',
        '/docs/control',
      ],
      ...['/docs/assumptions', '/docs/assets/reference.css', '/docs/assets/reference.js'],
      ...['/docs/assets/scalar.js', '/docs/assets/nothing.js', '/docs/', '/%64ocs?page=2'],
    ]) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const expected = await seen(await sandbox.fetch(ask(path, method)));
        const answered = await seen(await answerOf(ask(path, method), vars));
        expect(answered, `${method} ${path}`).toEqual(expected);
      }
    }
  });

  test('are read whole from the static assets, without the headers of the request', async () => {
    const asked: Request[] = [];
    const watched: Fetcher = {
      fetch(request) {
        asked.push(request);
        return built.fetch(request);
      },
    };
    const headers = { 'if-none-match': '"1"', range: 'bytes=0-9', authorization: 'Bearer sk_mine' };
    const request = new Request(ask('/openapi.json'), { headers });
    // The default value.
    const vars = { SANDBOX_AMOUNT_CHECK: 'exact' };
    expect((await answerOf(request, vars, watched)).status).toBe(200);
    expect(asked.map(({ url, headers }) => [new URL(url).pathname, ...headers])).toEqual([
      ['/static/merchant-api.js'],
    ]);
  });

  const strange: Fetcher = { fetch: async () => new Response('Not there', { status: 404 }) };
  test.each([
    [
      'no assets are bound',
      null,
      /^This Worker has no static assets\. Bind the package's folder dist/,
    ],
    [
      'other assets are bound',
      strange,
      /^The static assets have no static\/docs\.htm \(404\)\. Bind the package's folder/,
    ],
  ])('say what to bind if %s', async (_, bound, detail) => {
    const page = await answerOf(ask('/docs'), {}, bound as Fetcher);
    expect(page.headers.get('content-type')).toBe('application/problem+json');
    expect(await page.json()).toMatchObject({ status: 404, detail: expect.stringMatching(detail) });
    const head = await answerOf(ask('/docs', 'HEAD'), {}, bound as Fetcher);
    expect([head.status, head.body]).toEqual([404, null]);
  });
});
