/* The Worker: sends each request to the object that has its World, and serves the pages. */

import type { Fetcher, Lifetime } from 'cloudflare:workers';
import { getPath } from 'hono/utils/url';
import { corsHeaders } from '../api/cors.ts';
import { bearerKey } from '../api/request.ts';
import { isAdmin } from '../control/access.ts';
import { ControlError } from '../control/control-error.ts';
import { changedSettings, servedAt } from '../openapi/document.ts';
import { allowedOrigins, publicUrlOf } from '../sandbox/options.ts';
import { MCP_PATH } from '../tools/mcp/path.ts';
import { assetHeaders, PAGE_HEADERS, REFERENCE_HEADERS } from '../ui/layout/headers.ts';
import { packedScript } from '../ui/reference/packed.ts';
import { answer, answerProblem } from './answer.ts';
import {
  type Bindings,
  deploymentOf,
  emptySandboxOf,
  merchantsOf,
  objectOf,
} from './deployment.ts';

/** Requests about all merchants. */
const OVER_SANDBOX = /^\/_sandbox\/(merchants|reset_all|journal\/all|events)(\/|$)/;
/** Its tools call Worlds and the list of merchants, which are in different objects. */
const NO_MCP =
  'This deployment does not serve the Model Context Protocol. Run "npx micro-insurance-sandbox mcp --url" with its URL instead.';
/** Public pages, for GET and HEAD with any key. */
const PAGE =
  /^\/(|(livez|readyz|favicon\.ico|docs(\/(control|assumptions|assets\/.*))?|llms\.txt|openapi(-3\.0)?\.json|_sandbox|_sandbox\/openapi\.json|_sandbox\/assets\/.*)\/?)$/;

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** Sends each request to its object. Requests without a World are handled here. */
export async function answerRequest(
  request: Request,
  env: Bindings,
  lifetime: Lifetime,
): Promise<Response> {
  try {
    const { options, hasDemo } = deploymentOf(env);
    const page = await servePage(request, env.ASSETS, {
      hasDemo,
      cors: allowedOrigins(options),
      get address() {
        return publicUrlOf(options) ?? new URL(request.url).origin;
      },
      get isProfiled() {
        return changedSettings(emptySandboxOf(env).store.settings).size > 0;
      },
    });
    if (page) return page;
    // Decoded like in the app, so that both see the same path.
    const path = getPath(request);
    const authorization = request.headers.get('authorization') ?? undefined;
    const key = bearerKey(authorization);
    if (path === MCP_PATH) throw new ControlError(404, NO_MCP);
    if (OVER_SANDBOX.test(path)) {
      const { adminToken } = options;
      // Callers without the admin token do not reach the list.
      const isAllowed = adminToken !== undefined && isAdmin(adminToken, authorization);
      return await (isAllowed
        ? merchantsOf(env).fetch(request)
        : answer(emptySandboxOf(env), request, lifetime));
    }
    const isPage = isRead(request) && PAGE.test(path);
    if (key === undefined || key === options.adminToken || isPage) {
      return await answer(emptySandboxOf(env), request, lifetime);
    }
    return await objectOf(env, key).fetch(request);
  } catch (error) {
    return answerProblem(error);
  }
}

/** Settings that decide which page is shown. */
interface Shown {
  /** Whether the demo merchant exists, whose key the reference pages use. */
  readonly hasDemo: boolean;
  /** The allowed CORS origins. */
  readonly cors: readonly string[];
  /** The address of this sandbox, which documents name. */
  readonly address: string;
  /** Whether a profile changes anything. If so, the app generates the documents. */
  readonly isProfiled: boolean;
}

/** A document, page or asset that the build wrote. */
interface StaticPage {
  /** Its name in `dist/workers-assets`. No sandbox path has this name, so the engine never serves the file itself. */
  readonly file: (shown: Shown) => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly describesMerchantApi: boolean;
  /** Whether pages of the allowed origins can read it. */
  readonly isShared?: boolean;
  /**
   * What the file has as its value, if it is a module of the package, which has each value only once: a document, or a
   * script as gzip in base64.
   */
  readonly value?: 'document' | 'packed';
}

const document = (name: string, describesMerchantApi: boolean): StaticPage => ({
  file: () => `static/${name}.js`,
  headers: { 'content-type': 'application/json' },
  describesMerchantApi,
  isShared: describesMerchantApi,
  value: 'document',
});

/** Not `.html`, because engines redirect to the name without that ending. */
const reference = (name: string): StaticPage => ({
  file: ({ hasDemo }) => `static/${name}${hasDemo ? '-demo' : ''}.htm`,
  headers: REFERENCE_HEADERS,
  // The browser requests the document separately.
  describesMerchantApi: false,
});

const asset = (name: string, type: string): StaticPage => ({
  file: () => `static/${name}`,
  headers: assetHeaders(type),
  describesMerchantApi: false,
});

/** Files that are too large for the Worker's code, by path. */
const STATIC_PAGES: ReadonlyMap<string, StaticPage> = new Map([
  ['/openapi.json', document('merchant-api', true)],
  ['/openapi-3.0.json', document('merchant-api-3.0', true)],
  ['/_sandbox/openapi.json', document('control-plane', false)],
  ['/_sandbox/openapi-3.0.json', document('control-plane-3.0', false)],
  ['/docs', reference('docs')],
  ['/docs/control', reference('docs-control')],
  [
    '/docs/assumptions',
    { file: () => 'static/assumptions.htm', headers: PAGE_HEADERS, describesMerchantApi: true },
  ],
  ['/docs/assets/reference.css', asset('reference.css', 'text/css')],
  ['/docs/assets/reference.js', asset('reference.js', 'text/javascript')],
  ['/docs/assets/scalar.js', { ...asset('scalar.gzip.js', 'text/javascript'), value: 'packed' }],
]);

/** The value of a module that the build wrote: its default export, as JSON. */
const valueIn = (code: string) =>
  JSON.parse(code.slice('export default '.length, code.lastIndexOf(';')));

/**
 * Serves the documents and the reference pages from static assets. Returns undefined for other requests.
 *
 * @param assets the files in `dist/workers-assets`
 */
async function servePage(
  request: Request,
  assets: Fetcher | undefined,
  shown: Shown,
): Promise<Response | undefined> {
  if (!isRead(request)) return undefined;
  const { method, url } = request;
  const page = STATIC_PAGES.get(getPath(request));
  if (!page || (page.describesMerchantApi && shown.isProfiled)) return undefined;
  const file = page.file(shown);
  // Without the request's headers, so that every response is complete and uncached.
  const asked = { method: page.value ? 'GET' : method };
  const found = await assets?.fetch(new Request(new URL(`/${file}`, url), asked));
  if (found?.ok && page.value === 'packed') {
    const accepted = request.headers.get('accept-encoding');
    const script = packedScript(valueIn(await found.text()), accepted);
    return method === 'HEAD' ? new Response(null, script) : script;
  }
  if (found?.ok) {
    const body =
      page.value === 'document' ? servedAt(valueIn(await found.text()), shown.address) : found.body;
    const shared = page.isShared && corsHeaders(shown.cors, request.headers.get('origin'));
    const headers = { ...page.headers, ...shared };
    return new Response(method === 'HEAD' ? null : body, { headers });
  }
  await found?.body?.cancel();
  const reason = found
    ? `The static assets have no ${file} (${found.status}). Bind the package's folder dist/workers-assets to this Worker as ASSETS.`
    : "This Worker has no static assets. Bind the package's folder dist/workers-assets to it as ASSETS.";
  return answerProblem(new ControlError(404, reason), method);
}
