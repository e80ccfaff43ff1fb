import { createRoute } from '@hono/zod-openapi';
import { codedEnvelope } from '../../../api/envelope.ts';
import { failures } from '../../../api/failures.ts';
import { jsonBody } from '../../../api/request.ts';
import { respond } from '../../../api/respond.ts';
import { success } from '../../../api/responses.ts';
import { presentInitiated } from '../policies.ts';
import { checkPurchase, initiatePurchase } from '../purchase.ts';
import { MotorInitiateRequest, otherInitiateRequest, SAMPLE_FIELDS } from '../requests.ts';
import { MotorInitiatedPolicy } from '../schemas.ts';
import { motorRoute, TAG } from './route.ts';

const envelope = codedEnvelope('', 'Comprehensive motor policy initiated successfully');
const request = jsonBody(MotorInitiateRequest);

const route = createRoute({
  operationId: 'initiateMotorPolicy',
  tags: [TAG],
  summary: 'Initiate a motor policy',
  description:
    'Remembers a purchase for 15 minutes and answers the policy to come, with the token that verify completes it with.',
  method: 'post',
  path: '/api/merchant/comprehensive_motor_initiate_policy',
  request,
  responses: {
    200: success('MotorInitiateResponse', envelope, MotorInitiatedPolicy),
    ...failures(envelope, request),
  },
});

export const initiatePolicy = motorRoute(
  route,
  {
    envelope,
    readOnly: false,
    otherInput: otherInitiateRequest,
    assumptions: [
      'motor-initiate-token',
      'token-format',
      'motor-policy-number',
      'motor-slug',
      'motor-vehicle-value',
      'motor-duration',
      'motor-dates',
      'motor-make-model',
      'motor-year-make',
      'currency',
      'success-messages',
    ],
    ignored: { fields: SAMPLE_FIELDS, assumption: 'motor-sample-fields' },
    check: ({ world, now }, input) => checkPurchase(world, input, now),
  },
  (c) => {
    const world = c.get('world');
    const now = c.get('now');
    const purchase = initiatePurchase(world, c.req.valid('json'), now);
    return respond(c, envelope, presentInitiated(world, purchase));
  },
);
