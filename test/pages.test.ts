import { describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
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

  test('the front page shows a call to the address it was asked at', async () => {
    expect(await (await get('/')).text()).toContain('http://sandbox/api/merchant/micro_health/');
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

  test('the reference page takes nothing from anywhere else', async () => {
    const page = await (await get('/docs')).text();
    const sources = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, source]) => source as string,
    );
    expect(
      sources.every((source) => source.startsWith('/docs/') || source.startsWith('data:')),
    ).toBe(true);
    for (const source of sources.filter((each) => each.startsWith('/'))) {
      expect((await get(source)).status, source).toBe(200);
    }
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
