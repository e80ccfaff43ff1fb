import { getPath } from 'hono/utils/url';
import { ControlError } from '../control/control-error.ts';
import { assetHeaders, PAGE_HEADERS } from '../ui/layout/headers.ts';
import type { Fetcher } from './engine.ts';

/** What a sandbox shows on its pages. */
interface Shown {
  /** Whether there is the demo merchant, whose key the reference pages try calls with. */
  readonly hasDemo: boolean;
  /** Whether something is decided otherwise than published: the merchant API is described by the app then. */
  readonly isProfiled: boolean;
}

/** A document, a page or what a page loads, as the build wrote it. */
interface StaticPage {
  /** Its name in `dist/workers-assets`. No path of a sandbox has it: no engine answers that with the bare file. */
  readonly file: (shown: Shown) => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly describesMerchantApi: boolean;
}

const JSON_HEADERS = { 'content-type': 'application/json' };

const document = (name: string, describesMerchantApi: boolean): StaticPage => ({
  file: () => `static/${name}.json`,
  headers: JSON_HEADERS,
  describesMerchantApi,
});

/** Not `.html`: engines take that ending off, and send a redirect. */
const reference = (name: string, describesMerchantApi: boolean): StaticPage => ({
  file: ({ hasDemo }) => `static/${name}${hasDemo ? '-demo' : ''}.htm`,
  headers: PAGE_HEADERS,
  describesMerchantApi,
});

const asset = (name: string, type: string): StaticPage => ({
  file: () => `static/${name}`,
  headers: assetHeaders(type),
  describesMerchantApi: false,
});

/** By path: what is large, and so no part of the Worker's code. */
const STATIC_PAGES: ReadonlyMap<string, StaticPage> = new Map([
  ['/openapi.json', document('merchant-api', true)],
  ['/openapi-3.0.json', document('merchant-api-3.0', true)],
  ['/_sandbox/openapi.json', document('control-plane', false)],
  ['/docs', reference('docs', true)],
  ['/docs/control', reference('docs-control', false)],
  ['/docs/reference.js', asset('reference.js', 'text/javascript')],
  ['/docs/reference.css', asset('reference.css', 'text/css')],
]);

/**
 * Answers from static assets what the app has of the documents and the reference pages, as it would. Undefined where
 * it is asked for something else.
 *
 * @param assets has the files of `dist/workers-assets`
 */
export async function servePage(
  request: Request,
  assets: Fetcher | undefined,
  shown: Shown,
): Promise<Response | undefined> {
  const { method, url } = request;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const page = STATIC_PAGES.get(getPath(request));
  if (!page || (page.describesMerchantApi && shown.isProfiled)) return undefined;
  // Nothing of the request is sent on: each answer is whole, and stored by nobody.
  const found = await assets?.fetch(new Request(new URL(`/${page.file(shown)}`, url), { method }));
  if (found?.ok) return new Response(found.body, { headers: page.headers });
  await found?.body?.cancel();
  return refuse(method, new ControlError(404, whyMissing(page.file(shown), found)));
}

const whyMissing = (file: string, found: Response | undefined): string =>
  found
    ? `The static assets have no ${file} (${found.status}): bind the folder dist/workers-assets of the package to this Worker as ASSETS.`
    : 'This Worker has no static assets: bind the folder dist/workers-assets of the package to it as ASSETS.';

const refuse = (method: string, { status, problem }: ControlError): Response =>
  new Response(method === 'HEAD' ? null : JSON.stringify(problem), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  });
