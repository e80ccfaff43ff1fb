import type { Hono } from 'hono';
import type { SandboxEnv } from './http/context.ts';
import { VERSION } from './version.ts';

const LINKS = {
  documents: { openapi: '/openapi.json', 'openapi-3.0': '/openapi-3.0.json', reference: '/docs' },
  control: {
    base: '/_sandbox',
    openapi: '/_sandbox/openapi.json',
    reference: '/docs/control',
  },
  health: { live: '/livez', ready: '/readyz' },
} as const;

const ABOUT = {
  name: 'micro-insurance-sandbox',
  version: VERSION,
  description: "A local stand-in for a micro-insurance provider's merchant API.",
};

const DEMO_KEY = 'sk_sandbox_demo';

/** Adds what stands around the merchant API: health, documents, the reference pages and the front page. */
export function mountPages(app: Hono<SandboxEnv>, isKey: (key: string) => boolean): void {
  for (const path of Object.values(LINKS.health)) {
    app.get(path, (c) => c.json({ status: 'ok', version: VERSION }));
  }
  app.get('/', (c) => {
    const wantsJson = /\bapplication\/json\b/i.test(c.req.header('accept') ?? '');
    if (wantsJson) return c.json({ ...ABOUT, ...LINKS });
    return c.html(frontPage(originOf(c.req.url), isKey(DEMO_KEY)));
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

/**
 * The demo merchant's key is everybody's to know; that of another merchant is not told here.
 *
 * @param address where this sandbox was asked
 */
const frontPage = (address: string, withDemo: boolean): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${ABOUT.name}</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem }
  h1 { overflow-wrap: anywhere }
  code, pre { background: #8882; padding: .1rem .3rem; border-radius: .2rem }
  pre { padding: .8rem; overflow-x: auto }
</style>
<main>
<h1>${ABOUT.name} ${VERSION}</h1>
<p>${ABOUT.description} Everything is in memory${withDemo ? `; the key of the demo merchant is <code>${DEMO_KEY}</code>` : ''}.</p>
<pre tabindex="0" aria-label="A first call">${
  withDemo
    ? `curl -H 'Authorization: Bearer ${DEMO_KEY}' \\
  ${escaped(address)}/api/merchant/micro_health/all_subscriptions`
    : `curl -X POST ${escaped(address)}/_sandbox/merchants`
}</pre>
<ul>
  <li><a href="/docs">Merchant API</a>, to read and to try: OpenAPI <a href="/openapi.json">3.1</a>, <a href="/openapi-3.0.json">3.0</a></li>
  <li><a href="/docs/control">Control plane</a>, to read and to try: clock, faults, journal, snapshots, merchants; <a href="/_sandbox/openapi.json">OpenAPI</a></li>
  <li><a href="/docs#suppositions">What the sandbox supposes</a> where the contract is silent</li>
  <li>Whether it is there: <a href="/livez">/livez</a> and <a href="/readyz">/readyz</a></li>
</ul>
</main>
</html>
`;
