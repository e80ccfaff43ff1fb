import { Hono, type HonoRequest } from 'hono';
import type { ControlEnv } from './control/access.ts';
import { CONTROL_DOCUMENT_PATH, CONTROL_PATH } from './control/app.ts';
import { createContract } from './inspector/contract.ts';
import { assetHeaders, PAGE_HEADERS } from './layout/headers.ts';
import { firstList } from './products/world.ts';
import { VERSION } from './version.ts';

const LINKS = {
  inspector: CONTROL_PATH,
  documents: { openapi: '/openapi.json', 'openapi-3.0': '/openapi-3.0.json', reference: '/docs' },
  control: { base: CONTROL_PATH, openapi: CONTROL_DOCUMENT_PATH, reference: '/docs/control' },
  health: { live: '/livez', ready: '/readyz' },
} as const;

const ABOUT = {
  name: 'micro-insurance-sandbox',
  version: VERSION,
  description: "A local stand-in for a micro-insurance provider's merchant API.",
};

const HEALTHY = { status: 'ok', version: VERSION };

const DEMO_KEY = 'sk_sandbox_demo';

/** What stands around the merchant API: health, documents, the reference pages and the front page. */
export const pages = new Hono<ControlEnv>()
  .get(LINKS.health.live, (c) => c.json(HEALTHY))
  .get(LINKS.health.ready, (c) => {
    const problem = c.env.merchants.log?.problem();
    return problem === undefined
      ? c.json(HEALTHY)
      : c.json({ ...HEALTHY, status: 'failing', problem }, 503);
  })
  .get('/', (c) => {
    if (wantsJson(c.req)) return c.json({ ...ABOUT, ...LINKS });
    return c.html(frontPage(originOf(c.req.url), c.env.merchants.byKey.has(DEMO_KEY)));
  })
  .get(LINKS.inspector, async (c) => {
    if (wantsJson(c.req)) return c.json({ ...ABOUT, ...LINKS });
    const { inspectorPage } = await import('./inspector/index.ts');
    return c.body(inspectorPage(createContract()), 200, PAGE_HEADERS);
  })
  .get(`${CONTROL_PATH}/assets/:name`, async (c, next) => {
    const { inspectorAsset } = await import('./inspector/index.ts');
    const asset = inspectorAsset(c.req.param('name'));
    return asset ? c.body(asset.text, 200, assetHeaders(asset.type)) : next();
  })
  .get(LINKS.documents.openapi, async (c) => {
    const { servedDocument } = await import('./openapi/served.ts');
    return c.json(await servedDocument('3.1', VERSION, c.env.merchants.settings));
  })
  .get(LINKS.documents['openapi-3.0'], async (c) => {
    const { servedDocument } = await import('./openapi/served.ts');
    return c.json(await servedDocument('3.0', VERSION, c.env.merchants.settings));
  })
  .get(LINKS.control.openapi, async (c) => {
    const { controlDocument } = await import('./openapi/documents.ts');
    return c.json(controlDocument);
  })
  .get('/docs/:asset?', async (c, next) => {
    const { referenceAsset } = await import('./openapi/reference.ts');
    const asset = referenceAsset(c.req.param('asset') ?? '');
    // What is no page is a path that the merchant API refuses.
    return asset ? c.body(asset.text, 200, { 'content-type': asset.type }) : next();
  });

const wantsJson = (request: HonoRequest): boolean =>
  /\bapplication\/json\b/i.test(request.header('accept') ?? '');

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
  ${escaped(address)}${firstList?.path}`
    : `curl -X POST ${escaped(address)}/_sandbox/merchants`
}</pre>
<ul>
  <li><a href="/docs">Merchant API</a>, to read and to try: OpenAPI <a href="/openapi.json">3.1</a>, <a href="/openapi-3.0.json">3.0</a></li>
  <li><a href="/docs/control">Control plane</a>, to read and to try: clock, faults, journal, snapshots, merchants; <a href="/_sandbox/openapi.json">OpenAPI</a></li>
  <li><a href="/docs#suppositions">What the sandbox assumes</a> where the contract is silent</li>
  <li>Whether it is there: <a href="/livez">/livez</a> and <a href="/readyz">/readyz</a></li>
</ul>
</main>
</html>
`;
