import { Hono } from 'hono';
import type { SandboxContext, SandboxEnv } from '../http/context.ts';
import type { Tenants } from './merchants.ts';
import { ControlError, type Problem, problemOf } from './problems.ts';
import { mountRoute } from './route.ts';
import { controlRoutes } from './routes/index.ts';

/** Where the control plane stands in a sandbox. */
export const CONTROL_PATH = '/_sandbox';
const DOCUMENT_PATH = '/openapi.json';

/** The app of the control plane. */
export function createControlApi(
  tenants: Tenants,
  adminToken: string | undefined,
): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  for (const route of controlRoutes) mountRoute(app, route, tenants, adminToken);
  app.get(DOCUMENT_PATH, async (c) => {
    const { controlDocument } = await import('../openapi/documents.ts');
    return c.json(controlDocument);
  });
  app.all('*', (c) => {
    const allow = allowedAt(c.req.path.slice(CONTROL_PATH.length));
    if (allow === '') {
      throw new ControlError(404, `There is no ${c.req.path}; see ${CONTROL_PATH}/openapi.json.`);
    }
    const refusal = new ControlError(405, `${c.req.path} takes ${allow}, not ${c.req.method}.`);
    return answerProblem(c, refusal.problem, { allow });
  });
  app.onError((error, c) => {
    const problem = problemOf(error);
    return answerProblem(
      c,
      problem,
      problem.status === 401 ? { 'www-authenticate': 'Bearer' } : {},
    );
  });
  return app;
}

const answerProblem = (c: SandboxContext, problem: Problem, headers: Record<string, string>) =>
  c.body(JSON.stringify(problem), problem.status, {
    'content-type': 'application/problem+json',
    ...headers,
  });

const known = [{ method: 'get', path: DOCUMENT_PATH }, ...controlRoutes].map(
  ({ method, path }) => ({
    allow: method === 'get' ? 'GET, HEAD' : method.toUpperCase(),
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  }),
);

/** The methods a path takes, as `Allow` lists them; none if there is no such path. */
const allowedAt = (path: string): string =>
  known
    .filter(({ pattern }) => pattern.test(path))
    .map(({ allow }) => allow)
    .join(', ');
