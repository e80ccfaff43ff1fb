import { Hono } from 'hono';
import type { SandboxEnv } from '../http/exchange.ts';
import type { Tenants } from './merchants.ts';
import { ControlError } from './problems.ts';
import { mountRoute } from './route.ts';
import { controlRoutes } from './routes.ts';

/** Where the control plane stands in a sandbox. */
export const CONTROL_PATH = '/_sandbox';

/** The app of the control plane. */
export function createControlApi(
  tenants: Tenants,
  adminToken: string | undefined,
): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  for (const route of controlRoutes) mountRoute(app, route, tenants, adminToken);
  app.get('/openapi.json', async (c) => {
    const { controlDocument } = await import('../openapi/documents.ts');
    return c.json(controlDocument);
  });
  app.all('*', (c) => {
    const path = c.req.path.slice(CONTROL_PATH.length);
    const methods = methodsOf(path);
    if (methods.length === 0) {
      throw new ControlError(404, `There is no ${c.req.path}; see ${CONTROL_PATH}/openapi.json.`);
    }
    c.header('Allow', methods.join(', '));
    throw new ControlError(405, `${c.req.path} takes ${methods.join(', ')}.`);
  });
  app.onError((error, c) => {
    if (!(error instanceof ControlError)) throw error;
    const { problem } = error;
    if (problem.status === 401) c.header('WWW-Authenticate', 'Bearer');
    return c.body(JSON.stringify(problem), error.status, {
      'content-type': 'application/problem+json',
    });
  });
  return app;
}

const methodsOf = (path: string): string[] =>
  controlRoutes
    .filter((route) => new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(path))
    .map((route) => route.method.toUpperCase());
