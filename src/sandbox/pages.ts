/* Every page and document that a sandbox serves, each loaded on its first request. */

import { type Context, Hono, type HonoRequest } from 'hono';
import { preflight, readableByPages } from '../api/cors.ts';
import {
  CONTROL_DOCUMENT_30_PATH,
  CONTROL_DOCUMENT_PATH,
  CONTROL_PATH,
  type ControlEnv,
  DEMO_KEY,
} from '../control/access.ts';
import { VERSION } from '../types/version.ts';
import type { Contract } from '../ui/inspector/contract.ts';
import { assetHeaders, PAGE_HEADERS, REFERENCE_HEADERS } from '../ui/layout/headers.ts';
import { readTime } from '../world/clock.ts';
import type { Merchants } from '../world/merchants.ts';
import { day } from '../world/time.ts';

const LINKS = {
  inspector: CONTROL_PATH,
  documents: {
    openapi: '/openapi.json',
    'openapi-3.0': '/openapi-3.0.json',
    reference: '/docs',
    llms: '/llms.txt',
    assumptions: '/docs/assumptions',
  },
  control: {
    base: CONTROL_PATH,
    openapi: CONTROL_DOCUMENT_PATH,
    'openapi-3.0': CONTROL_DOCUMENT_30_PATH,
    reference: '/docs/control',
  },
  health: { live: '/livez', ready: '/readyz' },
} as const;

/** Every page and document, with a trailing slash. */
const WITH_SLASH = [
  LINKS.inspector,
  ...Object.values(LINKS.documents),
  LINKS.control.openapi,
  LINKS.control['openapi-3.0'],
  LINKS.control.reference,
].map((path) => `${path}/`);

/** The documents that pages of the allowed origins can read. */
const SHARED = [LINKS.documents.openapi, LINKS.documents['openapi-3.0'], LINKS.documents.llms];

const ABOUT = {
  name: 'micro-insurance-sandbox',
  version: VERSION,
  description: "A local stand-in for a micro-insurance provider's merchant API.",
};

const HEALTHY = { status: 'ok', version: VERSION };

/** Everything besides the merchant API and the control plane: health, documents, reference pages, inspector, front page. */
export const pages = new Hono<ControlEnv>()
  .on('GET', WITH_SLASH, redirectToPage)
  .on('OPTIONS', SHARED, preflight)
  .on('GET', SHARED, readableByPages)
  .get(LINKS.health.live, (c) => c.json(HEALTHY))
  .get(LINKS.health.ready, (c) => {
    const problem = c.env.merchants.storage?.problem();
    return problem === undefined
      ? c.json(HEALTHY)
      : c.json({ ...HEALTHY, status: 'failing', problem }, 503);
  })
  .get('/', async (c) => {
    if (wantsJson(c.req)) return c.json({ ...ABOUT, ...LINKS });
    const { frontPage } = await import('../ui/front-page/page.tsx');
    const page = frontPage({
      version: VERSION,
      address: originOf(c.req.url),
      demo: demoOf(c),
      contract: await contractOf(c),
    });
    return c.body(page, 200, PAGE_HEADERS);
  })
  .get(LINKS.inspector, async (c) => {
    if (wantsJson(c.req)) return c.json({ ...ABOUT, ...LINKS });
    const { inspectorPage } = await import('../ui/inspector/page.tsx');
    return c.body(inspectorPage(await contractOf(c)), 200, PAGE_HEADERS);
  })
  .get(`${CONTROL_PATH}/assets/:name`, async (c, next) => {
    const { pageAsset } = await import('../ui/assets.ts');
    const asset = pageAsset(c.req.param('name'));
    return asset ? c.body(asset.text, 200, assetHeaders(asset.type)) : next();
  })
  .get('/favicon.ico', async (c) => {
    // Browsers request it for documents without an icon. Otherwise it would be logged as a request without a key.
    const { ICON } = await import('../ui/assets.ts');
    return c.body(ICON.text, 200, assetHeaders(ICON.type));
  })
  .get(LINKS.documents.openapi, async (c) => serveDocument(c, await merchantDocument(c)))
  .get(LINKS.documents['openapi-3.0'], async (c) =>
    serveDocument(c, await merchantDocument(c, '3.0')),
  )
  .get(LINKS.documents.llms, async (c) => {
    const { llmsText } = await import('../openapi/llms.ts');
    const { merchants } = c.env;
    const text = llmsText({
      address: addressOf(c),
      demoKey: demoOf(c)?.key,
      families: merchants.defaults.families,
      prices: merchants.defaults.fixtures,
      today: todayOf(merchants),
      opensWorlds: merchants.defaults.autoMerchants,
      breaksConnections: merchants.breaksConnections,
    });
    return c.body(text, 200, assetHeaders('text/plain'));
  })
  .get(LINKS.control.openapi, async (c) => {
    const { controlDocument } = await import('../openapi/documents.ts');
    return serveDocument(c, controlDocument);
  })
  .get(CONTROL_DOCUMENT_30_PATH, async (c) => {
    const { controlDocument30 } = await import('../openapi/documents.ts');
    return serveDocument(c, controlDocument30);
  })
  .get(LINKS.documents.reference, (c) =>
    serveReference(c, { current: 'Merchant API', path: LINKS.documents.openapi }),
  )
  .get(LINKS.control.reference, (c) =>
    serveReference(c, { current: 'Control plane', path: LINKS.control.openapi }),
  )
  .get(LINKS.documents.assumptions, async (c) => {
    const { assumptionsPage } = await import('../ui/reference/reference.ts');
    return c.body(assumptionsPage(await merchantDocument(c)), 200, PAGE_HEADERS);
  })
  .get('/docs/assets/:name', async (c, next) => {
    const { referenceAsset } = await import('../ui/reference/reference.ts');
    return referenceAsset(c.req.param('name'), c.req.header('accept-encoding')) ?? next();
  });

/** The address is relative, so that it also works behind the path of a public URL. */
function redirectToPage(c: Context<ControlEnv>): Response {
  const name = c.req.path.split('/').at(-2);
  const [, query = ''] = /(\?.*)/s.exec(c.req.url) ?? [];
  const headers = { location: `../${name}${query}`, 'cache-control': 'no-cache' };
  return c.body(null, 308, headers);
}

/**
 * The response to a browser that asks for a page that does not exist: links to all pages. Undefined for programs, which
 * ask without `text/html` or with a key.
 */
export async function missingPage(c: Received): Promise<Response | undefined> {
  if (!asksForPage(c.req)) return undefined;
  const { missingPage } = await import('../ui/front-page/page.tsx');
  return new Response(missingPage(c.req.path), { status: 404, headers: PAGE_HEADERS });
}

type Received = Pick<Context, 'req'>;

/** Whether a browser asks for a page outside the merchant API. */
const asksForPage = (request: HonoRequest): boolean =>
  ['GET', 'HEAD'].includes(request.method) &&
  !/^\/api(\/|$)/.test(request.path) &&
  /\btext\/html\b/i.test(request.header('accept') ?? '') &&
  !wantsJson(request) &&
  request.header('authorization') === undefined;

const wantsJson = (request: HonoRequest): boolean =>
  /\bapplication\/json\b/i.test(request.header('accept') ?? '');

/** The document of the merchant API, as this sandbox serves it. */
async function merchantDocument({ env }: Context<ControlEnv>, edition: '3.1' | '3.0' = '3.1') {
  const { servedDocument } = await import('../openapi/documents.ts');
  return servedDocument(edition, VERSION, env.merchants.defaults.families);
}

/** Serves the reference page of a document. */
async function serveReference(
  c: Context<ControlEnv>,
  document: { readonly current: 'Merchant API' | 'Control plane'; readonly path: string },
): Promise<Response> {
  const { referencePage } = await import('../ui/reference/reference.ts');
  const page = referencePage({ ...document, demoKey: demoOf(c)?.key });
  return c.body(page, 200, REFERENCE_HEADERS);
}

/** Serves a document whose server is this sandbox. */
async function serveDocument(c: Context<ControlEnv>, document: object): Promise<Response> {
  const { servedAt } = await import('../openapi/document.ts');
  const text = servedAt(document, addressOf(c));
  return c.body(text, 200, { 'content-type': 'application/json' });
}

/** The public URL of this sandbox, else the address of the request. */
const addressOf = (c: Context<ControlEnv>): string => c.env.publicUrl ?? originOf(c.req.url);

/** Cut out instead of parsed, because a Host may be invalid in a URL, such as port 99999. */
const originOf = (url: string): string => /^\w+:\/\/[^/?#]*/.exec(url)?.[0] ?? '';

/** The day at which a new World starts. */
const todayOf = ({ defaults, time }: Pick<Merchants, 'defaults' | 'time'>): string =>
  day(defaults.clock.now ?? readTime(time));

/** What the pages know of the merchant API, loaded with the first of them. */
async function contractOf({ env }: Context<ControlEnv>): Promise<Contract> {
  const { createContract } = await import('../ui/inspector/contract.ts');
  return createContract(env.merchants, todayOf(env.merchants));
}

/** The demo merchant's key is public. Pages never show the key of another merchant. */
function demoOf({ env }: Context<ControlEnv>): { name: string; key: string } | undefined {
  const { byKey, defaults, host } = env.merchants;
  const elsewhere = host.cluster?.hasDemo ? defaults.fixtures.merchants : [];
  const demo = byKey.get(DEMO_KEY) ?? elsewhere.find(({ api_key }) => api_key === DEMO_KEY);
  return demo && { name: demo.name, key: DEMO_KEY };
}
