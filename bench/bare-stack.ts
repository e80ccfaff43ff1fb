import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import type { Operation } from '../src/api/operation.ts';
import { PUBLISHED_STATUSES } from '../src/api/refusals.ts';
import { OPERATIONS as GROUP_LIFE } from '../src/products/group-life/routes.ts';
import { SCHEMAS as GROUP_LIFE_SCHEMAS } from '../src/products/group-life/schemas.ts';
import { OPERATIONS as MICRO_HEALTH } from '../src/products/micro-health/routes.ts';
import { SCHEMAS as MICRO_HEALTH_SCHEMAS } from '../src/products/micro-health/schemas.ts';
import { OPERATIONS as MOTOR } from '../src/products/motor/routes.ts';
import { SCHEMAS as MOTOR_SCHEMAS } from '../src/products/motor/schemas.ts';
import { PUBLISHED } from '../src/world/settings.ts';

/** Only the routes, because the product families also load records and fixtures. */
const OPERATIONS: readonly Operation[] = [
  ...MICRO_HEALTH.map((create) => create(MICRO_HEALTH_SCHEMAS, PUBLISHED, PUBLISHED_STATUSES)),
  ...MOTOR.map((create) => create(MOTOR_SCHEMAS, PUBLISHED, PUBLISHED_STATUSES)),
  ...GROUP_LIFE.map((create) => create(GROUP_LIFE_SCHEMAS, PUBLISHED, PUBLISHED_STATUSES)),
];

/** The fixed response of a bare server. */
export interface FixedResponse {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The same stack without the sandbox: its routes and schemas on `OpenAPIHono` with the usual validation, and handlers
 * that return fixed bytes.
 */
export function createBareStack(responseTo: (path: string) => FixedResponse): OpenAPIHono {
  const app = new OpenAPIHono({
    defaultHook: (result, c) => (result.success ? undefined : c.json(result.error.issues, 422)),
  });
  for (const { operationId, method, path, request, success } of OPERATIONS) {
    const { body, headers } = responseTo(path);
    const route = createRoute({
      operationId,
      method,
      path: path.replace(/:(\w+)/g, '{$1}'),
      request,
      responses: {
        200: { description: 'OK', content: { 'application/json': { schema: success } } },
      },
    });
    // The bytes contain JSON of the right type.
    app.openapi(route, (c) => c.body(body, 200, headers) as never);
  }
  return app;
}
