import { createRoute } from '@hono/zod-openapi';
import { dataLastEnvelope } from '../../../api/envelope.ts';
import { failures } from '../../../api/failures.ts';
import { jsonBody } from '../../../api/request.ts';
import { respond } from '../../../api/respond.ts';
import { success } from '../../../api/responses.ts';
import { checkQuote, quotePremium } from '../pricing.ts';
import { MicroHealthQuoteRequest, otherQuoteRequest } from '../requests.ts';
import { MicroHealthQuote } from '../schemas.ts';
import { microHealthRoute, TAG } from './route.ts';

const envelope = dataLastEnvelope('QOT101', 'Quote price get successful');
const request = jsonBody(MicroHealthQuoteRequest);

const route = createRoute({
  operationId: 'getMicroHealthQuote',
  tags: [TAG],
  summary: 'Price a micro-health plan',
  description: 'Answers the premium for a number of users and a payment frequency.',
  method: 'post',
  path: '/api/merchant/micro_health/get_quote',
  request,
  responses: {
    200: success('MicroHealthQuoteResponse', envelope, MicroHealthQuote),
    ...failures(envelope, request),
  },
});

export const getQuote = microHealthRoute(
  route,
  {
    envelope,
    readOnly: true,
    requiredBy: ['micro-health-required'],
    otherInput: otherQuoteRequest,
    assumptions: ['price-config', 'currency', 'success-messages'],
    check: ({ world }, input) => checkQuote(world, input),
  },
  (c) => {
    const world = c.get('world');
    return respond(c, envelope, { quote_price: quotePremium(world, c.req.valid('json')) });
  },
);
