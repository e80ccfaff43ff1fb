import { createRoute } from '@hono/zod-openapi';
import { codedEnvelope } from '../../../api/envelope.ts';
import { failures } from '../../../api/failures.ts';
import { respond } from '../../../api/respond.ts';
import { success } from '../../../api/responses.ts';
import { listPolicies as listRecords, presentListed } from '../policies.ts';
import { MotorPolicyList } from '../schemas.ts';
import { motorRoute, TAG } from './route.ts';

const envelope = codedEnvelope('', 'Comprehensive motor policies retrieved successfully');
const request = {};

const route = createRoute({
  operationId: 'listMotorPolicies',
  tags: [TAG],
  summary: 'List the motor policies of the merchant',
  description: 'Answers every verified motor policy of the merchant, in one array.',
  method: 'get',
  path: '/api/merchant/get_comprehensive_motor_policies',
  request,
  responses: {
    200: success('MotorListResponse', envelope, MotorPolicyList),
    ...failures(envelope, request),
  },
});

export const listPolicies = motorRoute(
  route,
  {
    envelope,
    readOnly: true,
    assumptions: ['motor-list', 'success-messages'],
    elementAssumptions: [
      'list-order',
      'motor-policy-number',
      'motor-slug',
      'motor-vehicle-value',
      'motor-duration',
      'motor-dates',
      'currency',
    ],
  },
  (c) => {
    return respond(c, envelope, listRecords(c.get('world')).map(presentListed));
  },
);
