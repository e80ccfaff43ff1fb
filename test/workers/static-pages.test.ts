import type { Fetcher } from 'cloudflare:workers';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import type { Bindings } from '../../src/workers/deployment.ts';
import { answerRequest, servePage } from '../../src/workers/worker.ts';

const PATHS = [
  ...['/openapi.json', '/openapi-3.0.json', '/_sandbox/openapi.json', '/docs', '/docs/control'],
  ...['/docs/assumptions', '/docs/assets/reference.css', '/docs/assets/reference.js'],
  '/docs/assets/scalar.js',
];
const OF_MERCHANT_API = ['/openapi.json', '/openapi-3.0.json', '/docs/assumptions'];
const PUBLISHED = { hasDemo: true, isProfiled: false };

/** What the build wrote, with headers of the engine's own. */
const assets: Fetcher = {
  async fetch({ url, method }) {
    try {
      const bytes = await readFile(join('dist/workers-assets', new URL(url).pathname));
      const headers = { etag: '"1"', 'content-type': 'application/octet-stream' };
      return new Response(method === 'HEAD' ? null : new Uint8Array(bytes), { headers });
    } catch {
      return new Response('Not there', { status: 404 });
    }
  },
};

const ask = (path: string, method = 'GET') =>
  new Request(`https://sandbox.example${path}`, { method });

async function seen(response: Response | undefined) {
  if (!response) return undefined;
  const bytes = Buffer.from(await response.arrayBuffer()).toString('latin1');
  return { status: response.status, headers: Object.fromEntries(response.headers), bytes };
}

describe('a Worker answers from static assets', () => {
  const sandboxes = {
    'with the demo merchant': { hasDemo: true, sandbox: createSandbox() },
    'without it': {
      hasDemo: false,
      sandbox: createSandbox({ fixtures: { 'merchants.json': { merchants: [] } } }),
    },
  };

  for (const [who, { hasDemo, sandbox }] of Object.entries(sandboxes)) {
    test.each(PATHS)(`GET and HEAD %s as a sandbox ${who} does`, async (path) => {
      for (const method of ['GET', 'HEAD']) {
        const request = ask(path, method);
        const page = await servePage(request, assets, { hasDemo, isProfiled: false });
        expect(await seen(page)).toEqual(await seen(await sandbox.fetch(request)));
      }
    });
  }

  test('a path that is written otherwise, as a sandbox understands it', async () => {
    const request = ask('/%64ocs?page=2#tag/motor');
    const page = await servePage(request, assets, PUBLISHED);
    expect(await seen(page)).toEqual(await seen(await createSandbox().fetch(request)));
  });

  test.each([
    ['GET', '/'],
    ['GET', '/docs/'],
    ['GET', '/docs/assets/nothing.js'],
    ['GET', '/static/docs.htm'],
    ['GET', '/api/merchant/motor/all_policies'],
    ['POST', '/openapi.json'],
    ['OPTIONS', '/docs'],
  ])('but not %s %s, which the app answers', async (method, path) => {
    expect(await servePage(ask(path, method), assets, PUBLISHED)).toBeUndefined();
  });

  test('under a profile, what describes the merchant API no more: the app makes that', async () => {
    const profiled = { hasDemo: true, isProfiled: true };
    for (const path of PATHS) {
      const page = await servePage(ask(path), assets, profiled);
      expect(page?.status, path).toBe(OF_MERCHANT_API.includes(path) ? undefined : 200);
      await page?.body?.cancel();
    }
  });

  test('nothing of the request reaches the assets, so that each answer is whole', async () => {
    const asked: Request[] = [];
    const watched: Fetcher = {
      fetch(request) {
        asked.push(request);
        return assets.fetch(request);
      },
    };
    const headers = { 'if-none-match': '"1"', range: 'bytes=0-9', authorization: 'Bearer sk_mine' };
    const request = new Request('https://sandbox.example/openapi.json', { headers });
    expect((await servePage(request, watched, PUBLISHED))?.status).toBe(200);
    expect(asked.map((each) => [...each.headers])).toEqual([[]]);
  });

  test.each([
    ['no assets are bound', undefined, 'This Worker has no static assets: '],
    [
      'those of something else are',
      { fetch: async () => new Response('Not there', { status: 404 }) },
      'The static assets have no static/docs-demo.htm (404): ',
    ],
  ])('and says what to bind where %s', async (_, bound, beginning) => {
    const page = await servePage(ask('/docs'), bound, PUBLISHED);
    expect(page?.headers.get('content-type')).toBe('application/problem+json');
    expect(await page?.json()).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: expect.stringMatching(
        new RegExp(
          `^${beginning.replaceAll(/[()]/g, '\\$&')}bind the folder dist/workers-assets of the package`,
        ),
      ),
    });
    const head = await servePage(ask('/docs', 'HEAD'), bound, PUBLISHED);
    expect([head?.status, head?.body]).toEqual([404, null]);
  });
});

describe('the Worker', () => {
  test.each([
    ['says nothing', {}, true],
    ['says what goes without saying', { SANDBOX_AMOUNT_CHECK: 'exact' }, true],
    ['decides otherwise', { SANDBOX_AMOUNT_CHECK: 'ignore' }, false],
  ])(
    'serves the documents that are published where a variable %s: %j',
    async (_, vars, isStatic) => {
      const asked: string[] = [];
      const watched: Fetcher = {
        fetch(request) {
          asked.push(new URL(request.url).pathname);
          return assets.fetch(request);
        },
      };
      const env = { ...vars, SANDBOX_DEMO: '1', ASSETS: watched } as unknown as Bindings;
      for (const path of OF_MERCHANT_API) {
        const response = await answerRequest(ask(path), env, { waitUntil: () => {} });
        const sandbox = createSandbox(isStatic ? {} : { amountCheck: 'ignore' });
        expect(await seen(response), path).toEqual(await seen(await sandbox.fetch(ask(path))));
      }
      const files = ['merchant-api.json', 'merchant-api-3.0.json', 'assumptions.htm'];
      expect(asked).toEqual(isStatic ? files.map((file) => `/static/${file}`) : []);
    },
  );
});
