import { createRoute } from '@hono/zod-openapi';
import { codedEnvelope } from '../../../api/envelope.ts';
import { failures } from '../../../api/failures.ts';
import { jsonBody } from '../../../api/request.ts';
import { respond } from '../../../api/respond.ts';
import { success } from '../../../api/responses.ts';
import { findPolicy, presentPolicy } from '../policies.ts';
import { MotorDetailsRequest } from '../requests.ts';
import { MotorPolicy } from '../schemas.ts';
import { motorRoute, TAG } from './route.ts';

const envelope = codedEnvelope('', 'Comprehensive motor policy retrieved successfully');
const request = jsonBody(MotorDetailsRequest);

const route = createRoute({
  operationId: 'getMotorPolicyDetails',
  tags: [TAG],
  summary: 'Look a motor policy up by its policy number',
  description:
    'Answers one verified policy of the merchant. The policy number may be sent as Policy_number, policyNumber or policy_number; the first of these that is present counts.',
  method: 'post',
  path: '/api/merchant/get_comprehensive_motor_policy_details',
  request,
  responses: {
    200: success('MotorDetailsResponse', envelope, MotorPolicy),
    ...failures(envelope, request, 'policy_unknown'),
  },
});

// No `check`: a malformed number is a number given, and then none is missing.
export const getPolicyDetails = motorRoute(
  route,
  {
    envelope,
    readOnly: true,
    assumptions: [
      'motor-details-field',
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
  },
  (c) => {
    const policy = findPolicy(c.get('world'), c.req.valid('json'));
    return respond(c, envelope, presentPolicy(policy));
  },
);
