import { createRoute } from '@hono/zod-openapi';
import { messageEnvelope } from '../../../http/envelope.ts';
import { failures } from '../../../http/failures.ts';
import { listAddress, paginate } from '../../../http/pagination.ts';
import { respond } from '../../../http/respond.ts';
import { success } from '../../../http/responses.ts';
import { subscriberPresenter } from '../present.ts';
import { ListRequest } from '../requests.ts';
import { SubscriberPage } from '../schemas.ts';
import { checkSelection, selectSubscribers } from '../subscriptions.ts';
import { microHealthRoute, TAG } from './route.ts';

const envelope = messageEnvelope('Subscriptions retrieved successfully');
const request = { query: ListRequest };

const route = createRoute({
  operationId: 'listMicroHealthSubscriptions',
  tags: [TAG],
  summary: 'List the subscriptions made on the platform',
  description:
    'Answers the subscribers of the merchant, 15 a page, each with beneficiaries, subscription and transactions; selected by period or by dates.',
  method: 'get',
  path: '/api/merchant/micro_health/all_subscriptions',
  request,
  responses: {
    200: success('ListMicroHealthSubscriptionsResponse', envelope, SubscriberPage),
    ...failures(envelope, request, 'invalid'),
  },
});

export const allSubscriptions = microHealthRoute(
  route,
  {
    envelope,
    readOnly: true,
    assumptions: ['list-selection', 'page-out-of-range', 'page-urls', 'success-messages'],
    elementAssumptions: [
      'list-order',
      'subscriptions-key',
      'subscriber-per-purchase',
      'no-expiry-transition',
      'policy-no',
      'recurring',
      'subscription-dates',
      'top-up-dates',
      'subscriptions-no',
      'commissions',
      'timestamp-precision',
    ],
    check: (_scope, query) => checkSelection(query),
  },
  (c) => {
    const world = c.get('world');
    const now = c.get('now');
    const query = c.req.valid('query');
    const { list } = world.micro_health.subscribers;
    const page = paginate(
      list,
      selectSubscribers(world, query, now),
      query,
      {
        address: listAddress(c),
        settings: world.settings,
        kept: { period: query.period, start_date: query.start_date, end_date: query.end_date },
      },
      subscriberPresenter(world),
    );
    return respond(c, envelope, page);
  },
);
