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

/** Each route by itself: the families bring records and fixtures along, which no bare server has. */
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

/** What a bare server answers to a call. */
export interface FixedResponse {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The same stack bare: the sandbox's routes and schemas on `OpenAPIHono`, validated by its validator as
 * its users would have it, with handlers that answer fixed bytes.
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
    // Its type is that of the JSON in the bytes.
    app.openapi(route, (c) => c.body(body, 200, headers) as never);
  }
  return app;
}
