import type { Hono } from 'hono';
import type { SandboxEnv } from './http/exchange.ts';
import { VERSION } from './version.ts';

const LINKS = {
  documents: { openapi: '/openapi.json', 'openapi-3.0': '/openapi-3.0.json', reference: '/docs' },
  control: { base: '/_sandbox', openapi: '/_sandbox/openapi.json' },
  health: { live: '/livez', ready: '/readyz' },
} as const;

const ABOUT = {
  name: 'micro-insurance-sandbox',
  version: VERSION,
  description: "A local stand-in for a micro-insurance provider's merchant API.",
};

/** Adds what stands around the merchant API: health, documents, the reference page and the front page. */
export function mountPages(app: Hono<SandboxEnv>): void {
  for (const path of Object.values(LINKS.health)) {
    app.get(path, (c) => c.json({ status: 'ok', version: VERSION }));
  }
  app.get('/', (c) => {
    const wantsJson = /\bapplication\/json\b/i.test(c.req.header('accept') ?? '');
    return wantsJson ? c.json({ ...ABOUT, ...LINKS }) : c.html(frontPage(originOf(c.req.url)));
  });
  app.get(LINKS.documents.openapi, async (c) =>
    c.json((await import('./openapi/documents.ts')).merchantDocument),
  );
  app.get(LINKS.documents['openapi-3.0'], async (c) =>
    c.json((await import('./openapi/documents.ts')).merchantDocument30),
  );
  app.get('/docs/:asset?', async (c) => {
    const { referenceAsset } = await import('./openapi/reference.ts');
    const asset = referenceAsset(c.req.param('asset') ?? '');
    if (!asset) return c.notFound();
    return c.body(asset.text, 200, { 'content-type': asset.type });
  });
}

/** Cut out, not parsed: a Host may say what no URL can, a port of 99999. */
const originOf = (url: string): string => /^\w+:\/\/[^/?#]*/.exec(url)?.[0] ?? '';

/** It may also hold what HTML gives a meaning to. */
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** @param address where this sandbox was asked */
const frontPage = (address: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${ABOUT.name}</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem }
  code, pre { background: #f3f3f0; padding: .1rem .3rem; border-radius: .2rem }
  pre { padding: .8rem; overflow-x: auto }
</style>
<h1>${ABOUT.name} ${VERSION}</h1>
<p>${ABOUT.description} Everything is in memory; the key of the demo merchant is <code>sk_sandbox_demo</code>.</p>
<pre>curl -H 'Authorization: Bearer sk_sandbox_demo' \\
  ${escaped(address)}/api/merchant/micro_health/all_subscriptions</pre>
<ul>
  <li><a href="/docs">Reference of the merchant API</a>, to read and to try</li>
  <li><a href="/openapi.json">OpenAPI 3.1</a> and <a href="/openapi-3.0.json">3.0</a></li>
  <li><a href="/_sandbox/openapi.json">Control plane</a>: clock, faults, journal, snapshots, merchants</li>
  <li>Whether it is there: <a href="/livez">/livez</a> and <a href="/readyz">/readyz</a></li>
</ul>
</html>
`;
