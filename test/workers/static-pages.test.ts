import type { Fetcher } from 'cloudflare:workers';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../src/index.ts';
import type { Bindings } from '../../src/workers/deployment.ts';
import { answerRequest } from '../../src/workers/worker.ts';

/** What the build wrote, with headers of the engine's own. */
const built: Fetcher = {
  async fetch({ url, method }) {
    const bytes = await readFile(join('dist/workers-assets', new URL(url).pathname));
    const headers = { etag: '"1"', 'content-type': 'application/octet-stream' };
    return new Response(method === 'HEAD' ? null : new Uint8Array(bytes), { headers });
  },
};

/** What a Worker answers that has these variables and static assets. */
const answerOf = (request: Request, vars: object, assets: Fetcher | undefined = built) =>
  answerRequest(request, { ...vars, ASSETS: assets } as unknown as Bindings, {
    waitUntil: () => {},
  });

const ask = (path: string, method = 'GET') =>
  new Request(`https://sandbox.example${path}`, { method });

async function seen(response: Response) {
  // Each call of nobody has the next number.
  response.headers.delete('sandbox-request-id');
  const bytes = Buffer.from(await response.arrayBuffer()).toString('latin1');
  return { status: response.status, headers: Object.fromEntries(response.headers), bytes };
}

describe('documents and reference pages of a Worker', () => {
  test.each<[string, object, SandboxOptions]>([
    ['with the demo merchant', { SANDBOX_DEMO: '1' }, {}],
    ['without it', {}, { fixtures: { 'merchants.json': { merchants: [] } } }],
    [
      'that decides otherwise',
      { SANDBOX_DEMO: '1', SANDBOX_AMOUNT_CHECK: 'ignore' },
      { amountCheck: 'ignore' },
    ],
  ])('are those of a sandbox %s', async (_, vars, options) => {
    const sandbox = createSandbox(options);
    for (const path of [
      ...['/openapi.json', '/openapi-3.0.json', '/_sandbox/openapi.json', '/docs', '/docs/control'],
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

  test('come whole from the static assets, which hear nothing of the request', async () => {
    const asked: Request[] = [];
    const watched: Fetcher = {
      fetch(request) {
        asked.push(request);
        return built.fetch(request);
      },
    };
    const headers = { 'if-none-match': '"1"', range: 'bytes=0-9', authorization: 'Bearer sk_mine' };
    const request = new Request(ask('/openapi.json'), { headers });
    // Says what goes without saying.
    const vars = { SANDBOX_AMOUNT_CHECK: 'exact' };
    expect((await answerOf(request, vars, watched)).status).toBe(200);
    expect(asked.map(({ url, headers }) => [new URL(url).pathname, ...headers])).toEqual([
      ['/static/merchant-api.json'],
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
      'others are',
      strange,
      /^The static assets have no static\/docs\.htm \(404\)\. Bind the package's folder/,
    ],
  ])('say what to bind where %s', async (_, bound, detail) => {
    const page = await answerOf(ask('/docs'), {}, bound as Fetcher);
    expect(page.headers.get('content-type')).toBe('application/problem+json');
    expect(await page.json()).toMatchObject({ status: 404, detail: expect.stringMatching(detail) });
    const head = await answerOf(ask('/docs', 'HEAD'), {}, bound as Fetcher);
    expect([head.status, head.body]).toEqual([404, null]);
  });
});
