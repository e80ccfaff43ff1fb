/* The app of the control plane: how each call is served, and how refusals are rendered. */

import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { ConnectionLost } from '../api/context.ts';
import { endConnectionAfter } from '../api/faults.ts';
import { pathAndQuery } from '../api/journal.ts';
import { toResponse } from '../api/respond.ts';
import { type Activity, announce } from '../world/activity.ts';
import { stopwatch, TimeSourceError } from '../world/clock.ts';
import {
  CONTROL_DOCUMENT_PATH,
  CONTROL_PATH,
  type ControlEnv,
  requireLocalOrAdmin,
  requireMerchant,
} from './access.ts';
import { type AnyInput, type Call, routeNameOf, type SandboxCall, type WorldCall } from './call.ts';
import { SANDBOX_CALLS, WORLD_CALLS } from './calls.ts';
import { ControlError, type ControlStatus, problemOf } from './control-error.ts';
import { readBody, readQuery } from './json.ts';
import { eventWords } from './world-event.ts';

const EVENTS_PATH = `${CONTROL_PATH}/events`;
/** The methods of routes. */
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** Reports every call to listeners, except the event stream itself and what the inspector reads. */
export const announceCall = createMiddleware<ControlEnv>(async (c, next) => {
  const { activity } = c.env.merchants;
  const isRead = ['GET', 'HEAD'].includes(c.req.method);
  const isOfPage = isRead && c.req.header('sec-fetch-site') === 'same-origin';
  if (activity.listeners.size === 0 || isOfPage || c.req.path === EVENTS_PATH) return next();
  const since = stopwatch();
  await next();
  announce(activity, {
    kind: 'control',
    merchant: c.get('merchant'),
    method: c.req.method,
    path: pathAndQuery(c.req.url),
    status: c.res.status,
    problems: c.get('problems') ?? [],
    elapsedMs: stopwatch() - since,
    did: c.get('did') ?? [],
  });
});

/** Has every route of the control plane. Refusals are problem documents, and listeners are told of each call. */
function createControlApp() {
  const app = new Hono<ControlEnv>().basePath(CONTROL_PATH);
  app.use(announceCall);
  // Returned, because an error of the only handler after `announceCall` would pass it by.
  app.notFound((c) => {
    const { path } = c.req;
    const methods = METHODS.filter((method) =>
      // Middlewares are routes of ALL methods.
      app.router.match(method, path)[0].some(([[, route]]) => route.method !== 'ALL'),
    );
    if (methods.length > 0) return refuseMethod(c, methods);
    const message = `Unknown path ${path}; see ${CONTROL_DOCUMENT_PATH}.`;
    return renderError(new ControlError(404, message), c);
  });
  app.onError(renderError);
  // First, because /journal/all is a /journal/{id} too.
  for (const call of SANDBOX_CALLS) app.on(...placeOf(call), sandboxHandler(call));
  for (const call of Object.values(WORLD_CALLS)) {
    if (!call.isVariant) app.on(...placeOf(call), worldHandler(call));
  }
  return app;
}

/** The method, and the path in the syntax of the router: `/faults/:id`. */
const placeOf = ({ route }: Call) =>
  route.replaceAll(/\{(\w+)\}/g, ':$1').split(' ') as [method: string, path: string];

type ControlHandler = (c: Context<ControlEnv>) => Promise<Response>;

const worldHandler =
  (call: WorldCall): ControlHandler =>
  async (c) => {
    let merchant = requireMerchant(c);
    c.set('merchant', merchant);
    try {
      const input = await readInput(c, call);
      // Another call may have removed it while the body was read.
      if (merchant.removed) merchant = requireMerchant(c);
      const serve = call.serve ?? call.run;
      return await respond(c, call, () =>
        serve(input, merchant, c.env.merchants, c.req.raw.signal),
      );
    } finally {
      // A client may send its next call to the merchant API over the same connection.
      endConnectionAfter(c.env.connection, merchant);
    }
  };

type ClusterCall = ((input: never, request: Request) => unknown) | undefined;

const sandboxHandler =
  (call: SandboxCall): ControlHandler =>
  async (c) => {
    requireLocalOrAdmin(c);
    const input = await readInput(c, call);
    const { merchants } = c.env;
    const inCluster: ClusterCall = merchants.host.cluster?.calls?.[routeNameOf(call)];
    return respond(c, call, () =>
      inCluster ? inCluster(input as never, c.req.raw) : call.run(input, merchants, c),
    );
  };

/**
 * Runs a call, and notes for the request log what happened meanwhile: events of Worlds, changes of merchants. Nothing of
 * another call is noted, because only what happens at once is.
 */
function runNoted(c: Context<ControlEnv>, run: () => unknown): unknown {
  const { listeners } = c.env.merchants.activity;
  const did = new Set<string>();
  const note = (happened: Activity) => {
    if (happened.kind === 'world') did.add(eventWords(happened.event));
    if (happened.kind === 'cleared') did.add('journal cleared');
    if (happened.kind !== 'merchants') return;
    const { merchant, change } = happened;
    did.add(`merchant ${merchant.id} ${change === 'key' ? 'has a new key' : change}`);
  };
  listeners.add(note);
  try {
    return run();
  } finally {
    listeners.delete(note);
    c.set('did', [...did]);
  }
}

async function readInput(c: Context<ControlEnv>, call: Call): Promise<AnyInput> {
  const { params, query, body, isOptional, maxBytes, maxDepth } = call;
  const limits = { maxBytes: maxBytes?.(c.env.merchants), maxDepth };
  return {
    params: params && c.req.param(),
    query: query && readQuery(query(), c.req.queries()),
    body: body && (await readBody(c.req.raw, body(), isOptional, limits)),
  } as AnyInput;
}

/** Runs a call, and responds with its result. */
async function respond(c: Context<ControlEnv>, call: Call, run: () => unknown): Promise<Response> {
  const { connection, merchants } = c.env;
  const result = await (merchants.activity.listeners.size === 0 ? run() : runNoted(c, run));
  if (result instanceof Response) return result;
  if (!call.output) return toResponse({ status: 204, headers: {}, body: null }, connection);
  if (typeof result === 'string') return c.text(result);
  const body = JSON.stringify(call.list === undefined ? result : { data: result });
  const headers = { 'content-type': 'application/json' };
  return toResponse({ status: call.status ?? 200, headers, body }, connection);
}

/** The control plane of every sandbox in this process. Each request brings its own sandbox. */
export const controlApp = createControlApp();

/** Refuses a wrong method with 405. */
function refuseMethod(c: Context<ControlEnv>, methods: readonly string[]): Response {
  const { path, method } = c.req;
  const allow = methods.join(', ').replace('GET', 'GET, HEAD');
  const refusal = new ControlError(405, `${path} supports ${allow}, not ${method}.`);
  return respondProblem(c, refusal, { Allow: allow });
}

/** Renders an error as a problem document. */
export function renderError(error: Error, c: Context<ControlEnv>): Response {
  // The owner of the connection handles its loss.
  if (error instanceof ConnectionLost) throw error;
  if (error instanceof TimeSourceError) c.env.connection.throwAtCaller?.(error);
  return respondProblem(c, error);
}

export function respondProblem(
  c: Context<ControlEnv>,
  error: Error,
  headers: Record<string, string> = {},
): Response {
  const problem = problemOf(error);
  const { status, detail, errors } = problem;
  c.set('problems', errors ?? [detail]);
  return c.json(problem, status as ControlStatus, {
    'Content-Type': 'application/problem+json',
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...headers,
  });
}
