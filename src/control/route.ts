/* Declares the routes of the control plane: who may call, how a body is read, and which refusals follow from both. */

import { createRoute, type RouteConfig, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { endConnectionAfter } from '../api/context.ts';
import { type ControlEnv, requireLocalOrAdmin, requireMerchant, type WorldEnv } from './access.ts';
import { type BodyLimits, readJsonBody } from './json.ts';
import { problems } from './problems.ts';

/** A route without what follows from its place. Its responses are the success and the refusals of its own. */
type Declared<Path extends string> = Omit<RouteConfig, 'path'> & { readonly path: Path };

/** A route on one World. Its handler finds the merchant of the key in `c.var`. */
export const overWorld = <Path extends string, Route extends Declared<Path>>(
  route: Route,
  limitsOf?: (bindings: ControlEnv['Bindings']) => BodyLimits,
) =>
  createRoute({
    ...route,
    tags: ['World'],
    security: [{ merchantKey: [] }],
    middleware: createMiddleware<WorldEnv>(async (c, next) => {
      c.set('merchant', requireMerchant(c));
      await readBodyOf(route, c, limitsOf?.(c.env));
      await next();
      // A client may send its next call to the merchant API over the same connection.
      endConnectionAfter(c.env.connection, c.var.merchant);
    }),
    // The first call with a new key may store a merchant.
    responses: { ...route.responses, ...problems(401, 507), ...refusalsOfInput(route) },
  });

/** An admin route. */
export const overSandbox = <Path extends string, Route extends Declared<Path>>(route: Route) =>
  createRoute({
    ...route,
    tags: ['Sandbox'],
    security: [{ adminToken: [] }, {}],
    middleware: createMiddleware<ControlEnv>(async (c, next) => {
      requireLocalOrAdmin(c);
      await readBodyOf(route, c);
      await next();
    }),
    responses: {
      ...route.responses,
      ...problems(401, 403),
      ...refusalsOfInput(route),
      ...(route.method !== 'get' && problems(507)),
    },
  });

type Requested = Pick<RouteConfig, 'request'>;

async function readBodyOf({ request }: Requested, c: Pick<Context, 'req'>, limits?: BodyLimits) {
  if (!request?.body) return;
  const { required, content } = request.body;
  const json = content['application/json'];
  const schema = json && 'schema' in json ? json.schema : undefined;
  await readJsonBody(c, {
    optional: !required,
    schema: schema instanceof z.ZodType ? schema : undefined,
    ...limits,
  });
}

function refusalsOfInput({ request }: Requested) {
  if (request?.body) return problems(400, 413, 415, 422);
  return request?.query && problems(422);
}
