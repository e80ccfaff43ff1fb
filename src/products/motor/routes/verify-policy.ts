import { createRoute } from '@hono/zod-openapi';
import { dataLastEnvelope } from '../../../api/envelope.ts';
import { failures } from '../../../api/failures.ts';
import { jsonBody } from '../../../api/request.ts';
import { respond } from '../../../api/respond.ts';
import { success } from '../../../api/responses.ts';
import { presentVerified } from '../policies.ts';
import { verifyPurchase } from '../purchase.ts';
import { MotorVerifyRequest } from '../requests.ts';
import { MotorVerifiedPolicy } from '../schemas.ts';
import { motorRoute, TAG } from './route.ts';

const envelope = dataLastEnvelope('', 'Comprehensive motor policy verified successfully');
const request = jsonBody(MotorVerifyRequest);

const route = createRoute({
  operationId: 'verifyMotorPolicy',
  tags: [TAG],
  summary: 'Complete a motor purchase',
  description:
    'Turns a pending purchase into a policy. The token is valid for 15 minutes from initiate.',
  method: 'post',
  path: '/api/merchant/comprehensive_motor_verify_policy',
  request,
  responses: {
    200: success('MotorVerifyResponse', envelope, MotorVerifiedPolicy),
    ...failures(envelope, request, 'token_unknown', 'token_used', 'token_expired'),
  },
});

export const verifyPolicy = motorRoute(
  route,
  {
    envelope,
    readOnly: false,
    requiredBy: ['token-unknown'],
    assumptions: [
      'token-boundary',
      'motor-policy-number',
      'motor-slug',
      'motor-vehicle-value',
      'motor-duration',
      'motor-dates',
      'motor-make-model',
      'motor-year-make',
      'currency',
      'time-zone',
      'timestamp-precision',
      'success-messages',
    ],
  },
  (c) => {
    const world = c.get('world');
    const now = c.get('now');
    const policy = verifyPurchase(world, c.req.valid('json').token, now);
    return respond(c, envelope, presentVerified(policy));
  },
);
