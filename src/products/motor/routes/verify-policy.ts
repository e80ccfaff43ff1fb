import { dataLastEnvelope } from '../../../http/envelope.ts';
import { presentVerified } from '../present.ts';
import { verifyPurchase } from '../purchase.ts';
import { VerifyRequest } from '../requests.ts';
import { VerifiedMotorPolicy } from '../schemas.ts';
import { operation, TAG } from './operation.ts';

export const verifyPolicy = operation({
  operationId: 'verifyMotorPolicy',
  summary: 'Complete a motor purchase',
  description:
    'Turns a pending purchase into a policy. The token is valid for 15 minutes from initiate.',
  method: 'post',
  path: '/api/merchant/comprehensive_motor_verify_policy',
  readOnly: false,
  tag: TAG,
  envelope: dataLastEnvelope(''),
  request: { in: 'body', schema: VerifyRequest, requiredBy: ['token-unknown'] },
  data: VerifiedMotorPolicy,
  message: 'Comprehensive motor policy verified successfully',
  refusals: ['invalid', 'token_unknown', 'token_used', 'token_expired'],
  assumptions: [
    'token-boundary',
    'motor-policy-number',
    'motor-slug',
    'motor-vehicle-value',
    'motor-duration',
    'motor-dates',
    'timestamp-precision',
    'success-messages',
  ],
  handle: ({ world, now }, { token }) => presentVerified(verifyPurchase(world, token, now)),
});
