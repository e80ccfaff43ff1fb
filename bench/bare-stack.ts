import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import type { Operation } from '../src/api/operation.ts';
import {
  policyDetails as groupLifeDetails,
  initiatePolicy as initiateGroupLife,
  listPolicies as listGroupLife,
  verifyPolicy as verifyGroupLife,
} from '../src/products/group-life/routes.ts';
import {
  allSubscriptions,
  initiate as initiateMicroHealth,
  getQuote as microHealthQuote,
  topUp,
  validatePolicy,
  verify as verifyMicroHealth,
} from '../src/products/micro-health/routes.ts';
import {
  initiatePolicy as initiateMotor,
  listPolicies as listMotor,
  getPolicyDetails as motorDetails,
  getQuote as motorQuote,
  verifyPolicy as verifyMotor,
} from '../src/products/motor/routes.ts';

/** Only the routes, because the product families also load records and fixtures. */
const OPERATIONS: readonly Operation[] = [
  microHealthQuote,
  initiateMicroHealth,
  verifyMicroHealth,
  topUp,
  allSubscriptions,
  validatePolicy,
  initiateMotor,
  verifyMotor,
  listMotor,
  motorDetails,
  motorQuote,
  initiateGroupLife,
  verifyGroupLife,
  listGroupLife,
  groupLifeDetails,
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
