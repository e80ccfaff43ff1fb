import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import { announce } from '../api/activity.ts';
import { ConnectionLost } from '../api/context.ts';
import { pathAndQuery } from '../api/journal.ts';
import { NOT_JSON } from '../api/request.ts';
import { stopwatch, TimeSourceError } from '../world/clock.ts';
import { CONTROL_DOCUMENT_PATH, CONTROL_PATH, type ControlEnv } from './access.ts';
import { assumptions } from './assumptions.ts';
import { clock } from './clock.ts';
import { ControlError, type ProblemDocument, problemOf } from './control-error.ts';
import { events } from './events.ts';
import { faults } from './faults.ts';
import { journal } from './journal.ts';
import { journalAll } from './journal-all.ts';
import { journalWait } from './journal-wait.ts';
import { validationHook } from './json.ts';
import { merchants } from './merchants.ts';
import { products } from './products.ts';
import { purchases, records } from './records.ts';
import { snapshot } from './snapshot.ts';

/** The stream of events. */
const EVENTS_PATH = `${CONTROL_PATH}/events`;
/** Every route of the control plane, typed for clients. */
export type ControlApp = ReturnType<typeof documentedControlApp>;

/** In its own app, because Hono's RegExpRouter supports no static path next to a parameter. */
const SANDBOX_JOURNAL_PATH = `${CONTROL_PATH}/journal/all`;

let apps: { readonly control: Fetcher; readonly journal: Fetcher } | undefined;
type Fetcher = Pick<Hono<ControlEnv>, 'fetch'>;

/** Returns the app of a control-plane path. All sandboxes of the process share it. */
export function controlApp(path: string): Fetcher {
  apps ??= { control: createControlApp(), journal: createSandboxJournalApp() };
  return path === SANDBOX_JOURNAL_PATH ? apps.journal : apps.control;
}

/** Every route in one app, for its document. */
export const documentedControlApp = () => createControlApp().route('/', journalAll());

const createControlApp = () =>
  finish(
    start()
      .route('/', clock())
      .route('/', snapshot())
      .route('/', faults())
      .route('/', journal())
      .route('/', journalWait())
      .route('/', records())
      .route('/', purchases())
      .route('/', products())
      .route('/', assumptions())
      .route('/', merchants())
      .route('/', events()),
  );

const createSandboxJournalApp = () => finish(start().route('/', journalAll()));

function start() {
  const app = new OpenAPIHono<ControlEnv>({ defaultHook: validationHook }).basePath(CONTROL_PATH);
  app.use(announceCall);
  app.use(refuseOtherMethods);
  return app;
}

function finish<App extends Pick<OpenAPIHono<ControlEnv>, 'notFound' | 'onError'>>(app: App): App {
  app.notFound((c) => {
    throw new ControlError(404, `Unknown path ${c.req.path}; see ${CONTROL_DOCUMENT_PATH}.`);
  });
  app.onError(renderError);
  return app;
}

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
  });
});

/** Refuses a wrong method with 405. */
const refuseOtherMethods = createMiddleware<ControlEnv>(async (c, next) => {
  methods ??= methodsByPath();
  const { path, method } = c.req;
  const allow = methods.find(({ pattern }) => pattern.test(path))?.allow;
  if (!allow || allow.includes(method)) return next();
  const list = allow.join(', ');
  const refusal = new ControlError(405, `${path} supports ${list}, not ${method}.`);
  return respondProblem(c, refusal.problem, { Allow: list });
});

interface PathMethods {
  readonly pattern: RegExp;
  /** As `Allow` lists them. */
  readonly allow: readonly string[];
}

let methods: readonly PathMethods[] | undefined;

/** The methods of each path; paths without parameters come first. */
function methodsByPath(): PathMethods[] {
  // These two paths belong to other apps.
  const byPath = new Map(
    [CONTROL_PATH, CONTROL_DOCUMENT_PATH].map((path) => [path, ['GET', 'HEAD']]),
  );
  for (const { path, method } of documentedControlApp().routes) {
    const known = byPath.get(path) ?? [];
    // Middlewares are listed as ALL.
    if (method === 'ALL' || known.includes(method)) continue;
    byPath.set(path, [...known, ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]);
  }
  return [...byPath]
    .toSorted(([a], [b]) => Number(a.includes(':')) - Number(b.includes(':')))
    .map(([path, allow]) => ({
      pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
      allow,
    }));
}

/** Renders an error as a problem document. */
export function renderError(error: Error, c: Context<ControlEnv>): Response {
  // The owner of the connection handles its loss.
  if (error instanceof ConnectionLost) throw error;
  if (error instanceof TimeSourceError) c.env.connection.throwAtCaller?.(error);
  // The validator itself refuses text that is not JSON.
  const problem = problemOf(
    error instanceof HTTPException ? new ControlError(400, NOT_JSON) : error,
  );
  return respondProblem(c, problem, problem.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {});
}

export function respondProblem(
  c: Context<ControlEnv>,
  problem: ProblemDocument,
  headers: Record<string, string>,
): Response {
  const { status, detail, errors } = problem;
  c.set('problems', Array.isArray(errors) ? errors : [detail]);
  return c.json(problem, status, { 'Content-Type': 'application/problem+json', ...headers });
}
