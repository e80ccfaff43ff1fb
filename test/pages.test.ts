import { describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { createSandbox } from '../src/index.ts';
import { createClient } from './support/client.ts';

const get = (path: string, headers = {}) =>
  createClient().sandbox.fetch(new Request(`http://sandbox${path}`, { headers }));

describe('around the merchant API', () => {
  test.each(['/livez', '/readyz'])(
    '%s says that all is well, and which version this is',
    async (path) => {
      const response = await get(path);
      expect(await response.json()).toEqual({ status: 'ok', version: manifest.version });
    },
  );

  test('the front page links what there is, as a page and as JSON', async () => {
    const page = await (await get('/')).text();
    for (const link of [
      '/docs',
      '/docs/control',
      '/docs#suppositions',
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
      documents: { reference: '/docs' },
    });
  });

  test('the front page shows a call that works as it stands', async () => {
    const { sandbox } = createClient();
    const page = await (await sandbox.fetch(new Request('http://127.0.0.1:4711/'))).text();
    const [, authorization, url] = /curl -H '(.*)' \\\n {2}(\S+)</.exec(page) ?? [];
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4711\//);
    const [name, value] = (authorization as string).split(': ') as [string, string];
    const answer = await sandbox.fetch(new Request(url as string, { headers: { [name]: value } }));
    expect(answer.status).toBe(200);
  });

  test("the front page tells no key but the demo merchant's", async () => {
    const merchants = { merchants: [{ id: 9, name: 'Mine', api_key: 'sk_of_my_own' }] };
    const sandbox = createSandbox({ fixtures: { 'merchants.json': merchants } });
    const page = await (await sandbox.fetch(new Request('http://sandbox/'))).text();
    expect(page).not.toMatch(/\bsk_/);
    expect(page).toContain('curl -X POST http://sandbox/_sandbox/merchants');
  });

  test('the front page shows the address as it was asked, whatever the Host says', async () => {
    const { sandbox } = createClient();
    const elsewhere = await sandbox.fetch(new Request('http://a"b&c:8080/'));
    expect(await elsewhere.text()).toContain('http://a&#34;b&#38;c:8080/api/merchant/');
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
    expect(sources.every((source) => /^\/(?!\/)/.test(source) || source.startsWith('data:'))).toBe(
      true,
    );
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
