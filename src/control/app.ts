import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ControlEnv } from './access.ts';
import { assumptions } from './assumptions.ts';
import { clock } from './clock.ts';
import { ControlError, type ProblemDocument, problemOf } from './control-error.ts';
import { faults } from './faults.ts';
import { journal } from './journal.ts';
import { journalWait } from './journal-wait.ts';
import { merchants } from './merchants.ts';
import { validationHook } from './request.ts';
import { snapshot } from './snapshot.ts';

/** Where the control plane stands in a sandbox. */
export const CONTROL_PATH = '/_sandbox';
/** Where its document stands; it is served with the other documents. */
export const CONTROL_DOCUMENT_PATH = `${CONTROL_PATH}/openapi.json` as const;

export type ControlApp = ReturnType<typeof createControlApp>;

let shared: ControlApp | undefined;

/** The app of the control plane, one for all sandboxes of the process. */
export function controlApp(): ControlApp {
  shared ??= createControlApp();
  return shared;
}

/** A request passes the access its route names, then the route; what is thrown is answered as a problem document. */
export function createControlApp() {
  const app = new OpenAPIHono<ControlEnv>({ defaultHook: validationHook })
    .basePath(CONTROL_PATH)
    .route('/', clock())
    .route('/', snapshot())
    .route('/', faults())
    .route('/', journal())
    .route('/', journalWait())
    .route('/', assumptions())
    .route('/', merchants());
  for (const [path, methods] of methodsByPath(app)) {
    const allow = methods.join(', ');
    app.all(path.slice(CONTROL_PATH.length), (c) => {
      const refusal = new ControlError(405, `${c.req.path} takes ${allow}, not ${c.req.method}.`);
      return respondProblem(c, refusal.problem, { Allow: allow });
    });
  }
  app.notFound((c) => {
    throw new ControlError(404, `There is no ${c.req.path}; see ${CONTROL_DOCUMENT_PATH}.`);
  });
  app.onError(renderError);
  return app;
}

/** The methods of each path, as `Allow` lists them. */
function methodsByPath({ routes }: Pick<Hono, 'routes'>): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>([[CONTROL_DOCUMENT_PATH, ['GET', 'HEAD']]]);
  for (const { path, method } of routes) {
    const known = methods.get(path) ?? [];
    if (known.includes(method)) continue;
    methods.set(path, [...known, ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]);
  }
  return methods;
}

function renderError(error: Error, c: Context): Response {
  const problem = problemOf(error instanceof HTTPException ? fromHttpException(error) : error);
  return respondProblem(c, problem, problem.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {});
}

const fromHttpException = ({ status, message }: HTTPException): ControlError =>
  new ControlError(status === 415 ? 415 : 400, message);

const respondProblem = (c: Context, problem: ProblemDocument, headers: Record<string, string>) =>
  c.json(problem, problem.status, { 'Content-Type': 'application/problem+json', ...headers });
