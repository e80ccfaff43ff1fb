import { dataLastEnvelope } from '../../../http/envelope.ts';
import { checkQuote, quotePremium } from '../pricing.ts';
import { QuoteRequest } from '../requests.ts';
import { Quote } from '../schemas.ts';
import { operation, TAG } from './operation.ts';

export const getQuote = operation({
  operationId: 'getMicroHealthQuote',
  summary: 'Price a micro-health plan',
  description: 'Answers the premium for a number of users and a payment frequency.',
  method: 'post',
  path: '/api/merchant/micro_health/get_quote',
  readOnly: true,
  tag: TAG,
  envelope: dataLastEnvelope('QOT101'),
  request: { in: 'body', schema: QuoteRequest, requiredBy: ['micro-health-required'] },
  data: Quote,
  message: 'Quote price get successful',
  refusals: ['invalid'],
  assumptions: ['price-config', 'success-messages'],
  check: ({ world }, input) => checkQuote(world, input),
  handle: ({ world }, input) => ({ quote_price: quotePremium(world, input) }),
});
