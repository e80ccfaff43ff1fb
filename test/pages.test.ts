import { describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { createSandbox } from '../src/index.ts';
import { createClient, createDemoClient, fetchOver } from './support/client.ts';
import { openHosted } from './support/cluster.ts';

const get = (path: string, headers = {}) =>
  createClient().sandbox.fetch(new Request(`http://sandbox${path}`, { headers }));

/** What a person reads of a page. */
const wordsOf = (page: string): string =>
  page
    .replace(/<[^>]*>/g, '')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&');

/** Fixtures without a merchant. */
const NOBODY = { 'merchants.json': { merchants: [] } };

const PAGES = ['/', '/_sandbox', '/docs', '/docs/control', '/docs/assumptions'];

describe('around the merchant API', () => {
  test.each(['/livez', '/readyz'])(
    '%s says that all is well, and which version this is',
    async (path) => {
      const response = await get(path);
      expect(await response.json()).toEqual({ status: 'ok', version: manifest.version });
    },
  );

  test.each(['/livez', '/readyz'])(
    'HEAD %s is answered as GET is, without a body',
    async (path) => {
      const { sandbox } = createClient();
      const response = await sandbox.fetch(
        new Request(`http://sandbox${path}`, { method: 'HEAD' }),
      );
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.text()).toBe('');
      expect(sandbox.journal()).toEqual([]);
    },
  );

  test('the front page links what there is, as a page and as JSON', async () => {
    const page = await (await get('/')).text();
    for (const link of [
      '/_sandbox',
      '/docs',
      '/docs/control',
      '/docs/assumptions',
      '/openapi.json',
      '/openapi-3.0.json',
      '/_sandbox/openapi.json',
      '/livez',
      '/readyz',
    ]) {
      expect(page).toContain(`href="${link}"`);
    }
    const json = await get('/', { accept: 'Application/JSON' });
    expect(await json.json()).toMatchObject({
      name: manifest.name,
      inspector: '/_sandbox',
      documents: { reference: '/docs' },
    });
  });

  test.each(PAGES)(
    '%s loads nothing but files of the sandbox, and runs no script in it',
    async (path) => {
      const response = await get(path);
      expect(response.headers.get('content-security-policy')).toMatch(
        // Scalar, which draws the reference pages, writes its style sheets into them.
        path === '/docs' || path === '/docs/control'
          ? /^default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; /
          : /^default-src 'none'; script-src 'self'; style-src 'self'; /,
      );
      expect(await response.text()).not.toMatch(/<style|<script(?![^>]* src=)| style=| on\w+=/);
    },
  );

  test('the front page shows a call that works as it stands', async () => {
    const { sandbox } = createClient();
    const page = await (await sandbox.fetch(new Request('http://127.0.0.1:4711/'))).text();
    const [, authorization, url] = /curl -H '(.*)' \\\n {2}(\S+?)Copy/.exec(wordsOf(page)) ?? [];
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4711\//);
    const [name, value] = (authorization as string).split(': ') as [string, string];
    const answer = await sandbox.fetch(new Request(url as string, { headers: { [name]: value } }));
    expect(answer.status).toBe(200);
  });

  test('the front page shows how fifteen minutes pass at once', async () => {
    const { sandbox, merchant } = createClient();
    const page = await (await sandbox.fetch(new Request('http://127.0.0.1:4711/'))).text();
    const [, authorization, type, body, url] =
      /curl -X POST -H '(.*)' \\\n {2}-H '(.*)' \\\n {2}-d '(.*)' \\\n {2}(\S+?)Copy/.exec(
        wordsOf(page),
      ) ?? [];
    const headers = [authorization, type].map((header) => header?.split(': ') as [string, string]);
    const request = new Request(url as string, { method: 'POST', headers, body: body as string });
    expect((await sandbox.fetch(request)).status).toBe(200);
    expect(sandbox.merchant('sk_sandbox_demo').clock.show().now).toBe('2026-01-31T10:15:00.000Z');
    expect(merchant.clock.show().now).toBe('2026-01-31T10:00:00.000Z');
  });

  test("the front page tells no key but the demo merchant's", async () => {
    const merchants = { merchants: [{ id: 9, name: 'Mine', api_key: 'sk_of_my_own' }] };
    const sandbox = createSandbox({ fixtures: { 'merchants.json': merchants } });
    const page = await (await sandbox.fetch(new Request('http://sandbox/'))).text();
    expect(page).not.toMatch(/\bsk_/);
    expect(page).toContain('curl -X POST http://sandbox/_sandbox/merchants');
    for (const path of ['/docs', '/docs/control']) {
      const reference = await (await sandbox.fetch(new Request(`http://sandbox${path}`))).text();
      expect(reference, path).not.toContain('sk_');
    }
  });

  test('the front page shows the address as it was asked, whatever the Host says', async () => {
    const { sandbox } = createClient();
    const elsewhere = await sandbox.fetch(new Request('http://a"b&c:8080/'));
    expect(await elsewhere.text()).toContain('http://a&quot;b&amp;c:8080/api/merchant/');
  });

  test('what the sandbox holds is shown on the front page and told as JSON', async () => {
    const { sandbox, call } = createDemoClient();
    await call('getMicroHealthQuote', {
      product_id: 1,
      no_of_users: 2,
      subscription_type: 'monthly',
    });
    const page = await (await sandbox.fetch(new Request('http://sandbox/'))).text();
    const shown = [...page.matchAll(/<dt>(\w+)<\/dt><dd[^>]*>([\d,]+)</g)].map(
      ([, name, number]) => [name, Number(number)],
    );
    const headers = { accept: 'application/json' };
    const json = await (await sandbox.fetch(new Request('http://sandbox/', { headers }))).json();
    expect(json).toMatchObject({ live: { merchants: 2, policies: 54, calls: 1 } });
    expect(Object.fromEntries(shown)).toEqual((json as { live: object }).live);
  });

  test.each([
    ['from another machine', { remoteAddress: '10.0.0.7' }, { host: 'localhost:4015' }],
    [
      'of a name that was made to point here',
      { remoteAddress: '127.0.0.1' },
      { host: 'rebound.example' },
    ],
    [
      'of a page elsewhere',
      { remoteAddress: '127.0.0.1' },
      { host: 'localhost', origin: 'https://elsewhere.example' },
    ],
  ])('what the sandbox holds is not told to a caller %s', async (_who, connection, headers) => {
    const { sandbox } = createClient();
    for (const accept of ['application/json', 'text/html']) {
      const request = new Request('http://localhost:4015/', { headers: { ...headers, accept } });
      const text = await (await fetchOver(sandbox, connection, request)).text();
      expect(text).toContain('micro-insurance-sandbox');
      expect(text).not.toMatch(/"live":\{|policies<\/dt>/);
    }
  });

  test('with an admin token, what the sandbox holds is told to whoever sends it', async () => {
    const { sandbox } = createClient({ adminToken: 'hush' });
    const ask = async (authorization?: string) => {
      const headers = { accept: 'application/json', ...(authorization && { authorization }) };
      const response = await sandbox.fetch(new Request('http://sandbox/', { headers }));
      return ((await response.json()) as { live?: { merchants: number } }).live?.merchants;
    };
    expect(await ask()).toBeUndefined();
    expect(await ask('Bearer guess')).toBeUndefined();
    expect(await ask('Bearer hush')).toBe(3);
    const page = await (await sandbox.fetch(new Request('http://sandbox/'))).text();
    expect(page).not.toContain('policies</dt>');
  });

  test('where Worlds are spread, nobody is told what the sandbox holds: no part of it knows', async () => {
    const { worlds, fetch } = openHosted({ adminToken: 'hush' });
    worlds.sandbox.createMerchant({ records: 'demo' });
    for (const accept of ['application/json', 'text/html']) {
      const headers = { accept, authorization: 'Bearer hush' };
      const text = await (await fetch(new Request('https://sandbox.example/', { headers }))).text();
      expect(text).toContain('micro-insurance-sandbox');
      expect(text).not.toMatch(/"live":\{|policies<\/dt>/);
    }
  });

  test('the inspector is told whether Worlds are spread, and what a hosted sandbox can not do', async () => {
    const hosted = await openHosted().fetch(new Request('https://sandbox.example/_sandbox'));
    const contracts = [await get('/_sandbox'), hosted].map(async (response) => {
      const [, contract] = /data-contract="([^"]*)"/.exec(await response.text()) ?? [];
      return JSON.parse(contract?.replaceAll('&quot;', '"') ?? '');
    });
    expect(await Promise.all(contracts)).toMatchObject([
      { isSpread: false, isHosted: false, breaksConnections: true },
      { isSpread: true, isHosted: true, breaksConnections: false, merchantsPerPage: 100 },
    ]);
  });

  test('the first call of a sandbox without the demo merchant has the admin token in it, if there is one', async () => {
    for (const { fetch } of [
      openHosted(),
      createSandbox({ adminToken: 'hush', fixtures: NOBODY }),
    ]) {
      const page = await (await fetch(new Request('https://sandbox.example/'))).text();
      expect(wordsOf(page)).toContain(
        "curl -X POST -H 'Authorization: Bearer YOUR_ADMIN_TOKEN' \\\n  https://sandbox.example/_sandbox/merchants",
      );
      expect(page).not.toContain('hush');
    }
  });

  test('the documents are served, each in its version', async () => {
    const versions = await Promise.all(
      ['/openapi.json', '/openapi-3.0.json', '/_sandbox/openapi.json'].map(async (path) => {
        const { openapi } = (await (await get(path)).json()) as { openapi: string };
        return openapi;
      }),
    );
    expect(versions).toEqual(['3.1.0', '3.0.3', '3.1.0']);
  });

  test.each(['/docs', '/docs/control'])('%s takes nothing from anywhere else', async (path) => {
    const page = await (await get(path)).text();
    const sources = [...page.matchAll(/(?:src|href|data-document)="([^"]+)"/g)].map(
      ([, source]) => source as string,
    );
    expect(sources.filter((source) => !/^(\/(?!\/)|#|data:)/.test(source))).toEqual([]);
    for (const source of sources.filter((each) => each.startsWith('/'))) {
      expect((await get(source)).status, source).toBe(200);
    }
  });

  test('the inspector is a page that loads its own files alone, and links as JSON', async () => {
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

  test('the icon that browsers ask for beside a document is there, and is no call', async () => {
    const sandbox = createSandbox();
    const response = await sandbox.fetch(new Request('http://sandbox/favicon.ico'));
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'image/svg+xml; charset=utf-8',
    ]);
    expect(sandbox.journal()).toEqual([]);
  });

  test('no answer invites pages of other sites', async () => {
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
