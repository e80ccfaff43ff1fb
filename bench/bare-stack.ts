import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import type { Operation } from '../src/api/operation.ts';
import { initiatePolicy as initiateGroupLife } from '../src/products/group-life/routes/initiate-policy.ts';
import { listPolicies as listGroupLife } from '../src/products/group-life/routes/list-policies.ts';
import { policyDetails as groupLifeDetails } from '../src/products/group-life/routes/policy-details.ts';
import { verifyPolicy as verifyGroupLife } from '../src/products/group-life/routes/verify-policy.ts';
import { allSubscriptions } from '../src/products/micro-health/routes/all-subscriptions.ts';
import { getQuote as microHealthQuote } from '../src/products/micro-health/routes/get-quote.ts';
import { initiate as initiateMicroHealth } from '../src/products/micro-health/routes/initiate.ts';
import { topUp } from '../src/products/micro-health/routes/top-up.ts';
import { validatePolicy } from '../src/products/micro-health/routes/validate-policy.ts';
import { verify as verifyMicroHealth } from '../src/products/micro-health/routes/verify.ts';
import { getPolicyDetails as motorDetails } from '../src/products/motor/routes/get-policy-details.ts';
import { getQuote as motorQuote } from '../src/products/motor/routes/get-quote.ts';
import { initiatePolicy as initiateMotor } from '../src/products/motor/routes/initiate-policy.ts';
import { listPolicies as listMotor } from '../src/products/motor/routes/list-policies.ts';
import { verifyPolicy as verifyMotor } from '../src/products/motor/routes/verify-policy.ts';

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
