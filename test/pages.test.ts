import { describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { createSandbox } from '../src/index.ts';
import { createClient } from './support/client.ts';
import { openHosted } from './support/cluster.ts';

const get = (path: string, headers = {}) =>
  createClient().sandbox.fetch(new Request(`http://sandbox${path}`, { headers }));

/** The visible text of a page. */
const wordsOf = (page: string): string =>
  page
    .replace(/<[^>]*>/g, '')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');

const PAGES = ['/', '/_sandbox', '/docs', '/docs/control', '/docs/assumptions'];

describe('around the merchant API', () => {
  test.each([
    ['gzip, deflate, br', 'gzip'],
    ['gzip;q=0, br', null],
    ['', null],
  ])(
    'with Accept-Encoding %j, the largest file of the reference comes as %s',
    async (accepted, encoding) => {
      const response = await get('/docs/assets/scalar.js', { 'accept-encoding': accepted });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      const bytes = await response.arrayBuffer();
      expect(bytes.byteLength > 2_000_000).toBe(encoding === null);
    },
  );

  test.each(['/livez', '/readyz'])(
    '%s says that all is well, and which version this is',
    async (path) => {
      const response = await get(path);
      expect(await response.json()).toEqual({ status: 'ok', version: manifest.version });
    },
  );

  test('the front page has links, as a page and as JSON', async () => {
    const page = await (await get('/')).text();
    for (const link of [
      '/_sandbox',
      '/docs',
      '/docs/control',
      '/docs/assumptions',
      '/openapi.json',
      '/openapi-3.0.json',
      '/_sandbox/openapi.json',
      '/_sandbox/openapi-3.0.json',
      '/llms.txt',
      '/livez',
      '/readyz',
    ]) {
      expect(page).toContain(`href="${link}"`);
    }
    const json = await get('/', { accept: 'Application/JSON' });
    expect(await json.json()).toMatchObject({
      name: manifest.name,
      inspector: '/_sandbox',
      documents: { reference: '/docs', llms: '/llms.txt' },
    });
  });

  test.each(PAGES)(
    '%s loads nothing but files of the sandbox, and runs no script in it',
    async (path) => {
      const response = await get(path);
      expect(response.headers.get('content-security-policy')).toMatch(
        // Scalar writes styles into the reference pages.
        path === '/docs' || path === '/docs/control'
          ? /^default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; /
          : /^default-src 'none'; script-src 'self'; style-src 'self'; /,
      );
      expect(await response.text()).not.toMatch(/<style|<script(?![^>]* src=)| style=| on\w+=/);
    },
  );

  test('the front page shows its address, and has a purchase that the sandbox accepts', async () => {
    const { sandbox } = createClient();
    const page = await (await sandbox.fetch(new Request('http://127.0.0.1:4711/'))).text();
    expect(page).toContain('data-copy="http://127.0.0.1:4711"');
    const [, held] = /data-purchase="([^"]*)"/.exec(page) ?? [];
    const { key, initiatePath, sample } = JSON.parse(held?.replaceAll('&quot;', '"') ?? '');
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(sample) };
    expect((await sandbox.fetch(new Request(`http://s${initiatePath}`, init))).status).toBe(200);
  });

  test('the front page shows no key but that of the demo merchant', async () => {
    const merchants = { merchants: [{ id: 9, name: 'Mine', api_key: 'sk_of_my_own' }] };
    const sandbox = createSandbox({ fixtures: { 'merchants.json': merchants } });
    const page = await (await sandbox.fetch(new Request('http://sandbox/'))).text();
    expect(page).not.toMatch(/\bsk_/);
    for (const path of ['/docs', '/docs/control']) {
      const reference = await (await sandbox.fetch(new Request(`http://sandbox${path}`))).text();
      expect(reference, path).not.toContain('sk_');
    }
  });

  test('the inspector knows whether Worlds are on several machines, and what a hosted sandbox cannot do', async () => {
    const hosted = await openHosted().fetch(new Request('https://sandbox.example/_sandbox'));
    const contracts = [await get('/_sandbox'), hosted].map(async (response) => {
      const [, contract] = /data-contract="([^"]*)"/.exec(await response.text()) ?? [];
      return JSON.parse(contract?.replaceAll('&quot;', '"') ?? '');
    });
    expect(await Promise.all(contracts)).toMatchObject([
      { isSpread: false, breaksConnections: true },
      { isSpread: true, breaksConnections: false, merchantsPerPage: 100 },
    ]);
  });

  test('both versions of both documents are served', async () => {
    const versions = await Promise.all(
      [
        '/openapi.json',
        '/openapi-3.0.json',
        '/_sandbox/openapi.json',
        '/_sandbox/openapi-3.0.json',
      ].map(async (path) => {
        const { openapi } = (await (await get(path)).json()) as { openapi: string };
        return openapi;
      }),
    );
    expect(versions).toEqual(['3.1.0', '3.0.3', '3.1.0', '3.0.3']);
  });

  test.each(['/docs', '/docs/control'])('%s loads only files of this sandbox', async (path) => {
    const page = await (await get(path)).text();
    const sources = [...page.matchAll(/(?:src|href|data-document)="([^"]+)"/g)].map(
      ([, source]) => source as string,
    );
    expect(sources.filter((source) => !/^(\/(?!\/)|#|data:)/.test(source))).toEqual([]);
    for (const source of sources.filter((each) => each.startsWith('/'))) {
      expect((await get(source)).status, source).toBe(200);
    }
  });

  test('the inspector loads only its own files, and has links as JSON', async () => {
    const response = await get('/_sandbox');
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; /,
    );
    const page = await response.text();
    expect(page).not.toMatch(/<style|<script(?![^>]* src=)| style=| on\w+=/);
    const sources = [...page.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)];
    expect(sources).toHaveLength(4);
    for (const [, source] of sources) expect((await get(source as string)).status).toBe(200);

    const json = await get('/_sandbox', { accept: 'application/json' });
    expect(await json.json()).toEqual(
      await (await get('/', { accept: 'application/json' })).json(),
    );
    expect((await get('/_sandbox/assets/nothing.js')).status).toBe(404);
  });

  test.each([...PAGES.slice(1), '/openapi.json', '/openapi-3.0.json', '/llms.txt'])(
    '%s with a trailing slash leads to the page, below any prefix',
    async (path) => {
      const { sandbox } = createClient();
      for (const method of ['GET', 'HEAD']) {
        const request = new Request(`http://sandbox${path}/?merchant=1&x=%2F?`, {
          method,
          redirect: 'manual',
        });
        const response = await sandbox.fetch(request);
        expect(response.status).toBe(308);
        expect(await response.text()).toBe('');
        const location = response.headers.get('location') ?? '';
        expect(new URL(location, `https://a.example/base${path}/`).href).toBe(
          `https://a.example/base${path}?merchant=1&x=%2F?`,
        );
      }
      expect(sandbox.journal()).toEqual([]);
      const post = await sandbox.fetch(`http://sandbox${path}/`, { method: 'POST' });
      expect(post.status).toBeGreaterThanOrEqual(400);
    },
  );

  describe('a browser that asks for a page there is not', () => {
    const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

    test.each(['/nothing', '/docs/nothing', '/_sandbox/nothing', '/apis/<b>'])(
      'gets one with links to all pages: %s',
      async (path) => {
        const { sandbox } = createClient();
        const request = new Request(`http://sandbox${path}`, { headers: BROWSER });
        const response = await sandbox.fetch(request);
        expect(response.status).toBe(404);
        expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
        const page = await response.text();
        expect(wordsOf(page)).toContain('There is no page here');
        expect(wordsOf(page)).toContain(path);
        for (const link of PAGES) expect(page).toContain(`href="${link}"`);
        expect(sandbox.journal()).toEqual([]);
        const head = await sandbox.fetch(new Request(request, { method: 'HEAD' }));
        expect([head.status, await head.text()]).toEqual([404, '']);
      },
    );

    test('gets JSON of the merchant API', async () => {
      const response = await get('/api/merchant/nothing', BROWSER);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect((await get('/_sandbox/clock', BROWSER)).status).toBe(401);
    });
  });

  test.each<[string, Record<string, string>]>([
    ['without an Accept header', {}],
    ['that takes anything', { accept: '*/*' }],
    ['that takes JSON too', { accept: 'text/html, application/json' }],
    // Java's HttpURLConnection sends this by itself.
    ['with a key', { accept: 'text/html, image/gif, *; q=.2', authorization: 'Bearer sk_nobody' }],
  ])('a program %s gets JSON where there is no page', async (_, headers) => {
    for (const path of ['/nothing', '/_sandbox/nothing']) {
      const response = await get(path, headers);
      expect([401, 404]).toContain(response.status);
      expect(response.headers.get('content-type')).toMatch(/json$/);
    }
  });

  test('no response allows pages of other sites', async () => {
    for (const path of [
      '/',
      '/docs',
      '/openapi.json',
      '/_sandbox/merchants',
      '/api/merchant/nothing',
    ]) {
      const response = await get(path, { origin: 'https://elsewhere.example' });
      const names = [...response.headers.keys()];
      expect(
        names.filter((name) => name.startsWith('access-control')),
        path,
      ).toEqual([]);
    }
  });
});
