import type { OpenAPIHono } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { TimeSourceError } from '../world/clock.ts';
import { DomainError } from '../world/errors.ts';
import type { Settings } from '../world/settings.ts';
import { NotStoredError } from '../world/tables.ts';
import { ConnectionLost } from './connection-lost.ts';
import type { MerchantContext, MerchantEnv } from './context.ts';
import type { Endpoint } from './endpoint.ts';
import { authenticate } from './middleware/authenticate.ts';
import { cors } from './middleware/cors.ts';
import { faults } from './middleware/faults.ts';
import { journal } from './middleware/journal.ts';
import { type ExpirePending, now } from './middleware/now.ts';
import { readBody } from './middleware/read-body.ts';
import { allowOf, respondError, respondInternalError, respondNotServed } from './respond.ts';

/**
 * Adds the merchant API to an app. A request passes the middlewares from top to bottom, then its route;
 * what any of them throws is rendered in the envelope of the call.
 */
export function mountMerchantApi(
  app: OpenAPIHono<MerchantEnv>,
  endpoints: readonly Endpoint[],
  expirePending: ExpirePending,
  settings: Settings,
): void {
  app.options('/api/*', cors);
  app.use(journal(endpoints));
  app.use(authenticate);
  app.use(readBody);
  app.use(faults);
  app.use(now(expirePending));
  for (const endpoint of endpoints) {
    endpoint.mount(app, settings);
    app.all(endpoint.path, refuseMethod);
  }
  app.notFound(refuseRoute);
  app.onError(renderError);
}

function refuseMethod(c: MerchantContext): never {
  const { operation } = c.get('call');
  const allow = operation ? allowOf(operation) : '';
  throw new DomainError(
    'method_not_allowed',
    [`The ${c.req.method} method is not supported here; use ${allow}.`],
    ['unknown-route'],
  );
}

function refuseRoute(): never {
  throw new DomainError('route_unknown', ['The route was not found.'], ['unknown-route']);
}

function renderError(error: Error, c: MerchantContext): Response {
  // A lost connection is for whoever holds the connection.
  if (error instanceof ConnectionLost) throw error;
  if (error instanceof DomainError) return respondError(c, error);
  if (error instanceof NotStoredError) return respondNotServed(c, 507, error);
  if (error instanceof TimeSourceError) {
    c.env.connection.throwAtCaller?.(error);
    return respondNotServed(c, 500, error);
  }
  if (error instanceof HTTPException) return respondError(c, fromHttpException(error));
  return respondInternalError(c, error);
}

const fromHttpException = ({ status, message }: HTTPException): DomainError =>
  new DomainError(status === 415 ? 'unsupported_media_type' : 'malformed', [message]);
