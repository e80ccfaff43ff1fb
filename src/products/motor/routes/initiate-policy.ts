import { codedEnvelope } from '../../../http/envelope.ts';
import { presentInitiated } from '../present.ts';
import { checkPurchase, initiatePurchase } from '../purchase.ts';
import { InitiateRequest } from '../requests.ts';
import { InitiatedMotorPolicy } from '../schemas.ts';
import { operation, TAG } from './operation.ts';

export const initiatePolicy = operation({
  operationId: 'initiateMotorPolicy',
  summary: 'Initiate a motor policy',
  description:
    'Remembers a purchase for 15 minutes and answers the policy to come, with the token that verify completes it with.',
  method: 'post',
  path: '/api/merchant/comprehensive_motor_initiate_policy',
  readOnly: false,
  tag: TAG,
  envelope: codedEnvelope(''),
  request: { in: 'body', schema: InitiateRequest },
  data: InitiatedMotorPolicy,
  message: 'Comprehensive motor policy initiated successfully',
  refusals: ['invalid'],
  assumptions: [
    'motor-initiate-token',
    'token-format',
    'motor-policy-number',
    'motor-slug',
    'motor-vehicle-value',
    'motor-duration',
    'motor-dates',
    'success-messages',
  ],
  check: ({ world }, input) => checkPurchase(world, input),
  handle: ({ world, now }, input) => presentInitiated(world, initiatePurchase(world, input, now)),
});
