import { createRoute } from '@hono/zod-openapi';
import { codedEnvelope } from '../../../api/envelope.ts';
import { failures } from '../../../api/failures.ts';
import { jsonBody } from '../../../api/request.ts';
import { respond } from '../../../api/respond.ts';
import { success } from '../../../api/responses.ts';
import { checkQuote, quotePremium } from '../pricing.ts';
import { MotorQuoteRequest } from '../requests.ts';
import { MotorQuote } from '../schemas.ts';
import { motorRoute, TAG } from './route.ts';

const envelope = codedEnvelope('', 'Comprehensive motor quote retrieved successfully');
const request = jsonBody(MotorQuoteRequest);

const route = createRoute({
  operationId: 'getMotorQuote',
  tags: [TAG],
  summary: 'Price a motor policy',
  description: 'Answers the premium for a vehicle of a given value.',
  method: 'post',
  path: '/api/merchant/get_comprehensive_motor_policy_quote',
  request,
  responses: {
    200: success('MotorQuoteResponse', envelope, MotorQuote),
    ...failures(envelope, request),
  },
});

export const getQuote = motorRoute(
  route,
  {
    envelope,
    readOnly: true,
    assumptions: ['motor-quote', 'currency', 'success-messages'],
    check: ({ world }, input) => checkQuote(world, input),
  },
  (c) => {
    const input = c.req.valid('json');
    const premium = quotePremium(c.get('world'), input);
    return respond(c, envelope, { premium, amount_insured: input.vehicle_value });
  },
);
