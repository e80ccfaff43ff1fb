import { codedEnvelope } from '../../../http/envelope.ts';
import { checkQuote, quotePremium } from '../pricing.ts';
import { QuoteRequest } from '../requests.ts';
import { Quote } from '../schemas.ts';
import { operation, TAG } from './operation.ts';

export const getQuote = operation({
  operationId: 'getMotorQuote',
  summary: 'Price a motor policy',
  description: 'Answers the premium for a vehicle of a given value.',
  method: 'post',
  path: '/api/merchant/get_comprehensive_motor_policy_quote',
  readOnly: true,
  tag: TAG,
  envelope: codedEnvelope(''),
  request: { in: 'body', schema: QuoteRequest },
  data: Quote,
  message: 'Comprehensive motor quote retrieved successfully',
  refusals: ['invalid'],
  assumptions: ['motor-quote', 'success-messages'],
  check: ({ world }, input) => checkQuote(world, input),
  handle: ({ world }, input) => ({
    premium: quotePremium(world, input),
    amount_insured: input.vehicle_value,
  }),
});
