import { createRoute, type z } from '@hono/zod-openapi';
import { messageEnvelope } from '../../../api/envelope.ts';
import { failures } from '../../../api/failures.ts';
import { listAddress, paginate } from '../../../api/pagination.ts';
import { respond } from '../../../api/respond.ts';
import { success, successSchema } from '../../../api/responses.ts';
import type { Settings } from '../../../world/settings.ts';
import { checkSelection, selectSubscribers, subscriberPresenter } from '../policies.ts';
import { MicroHealthListRequest } from '../requests.ts';
import { createPageWithLists, MicroHealthSubscriberPage } from '../schemas.ts';
import type { MicroHealthSettings } from '../settings.ts';
import { microHealthRoute, TAG } from './route.ts';

const envelope = messageEnvelope('Subscriptions retrieved successfully');
const request = { query: MicroHealthListRequest };
const RESPONSE = 'MicroHealthListResponse';

const route = createRoute({
  operationId: 'listMicroHealthSubscriptions',
  tags: [TAG],
  summary: 'List the subscriptions made on the platform',
  description:
    'Answers the subscribers of the merchant page by page, each with beneficiaries, subscription and transactions; selected by period or by dates.',
  method: 'get',
  path: '/api/merchant/micro_health/all_subscriptions',
  request,
  responses: {
    200: success(RESPONSE, envelope, MicroHealthSubscriberPage),
    ...failures(envelope, request, 'invalid'),
  },
});

let withLists: z.ZodObject | undefined;

function otherSuccess({ subscriptionsKey }: Settings & MicroHealthSettings) {
  if (subscriptionsKey === 'object') return undefined;
  withLists ??= successSchema(RESPONSE, envelope, createPageWithLists());
  return withLists;
}

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
      'currency',
      'subscriber-defaults',
      'time-zone',
      'timestamp-precision',
    ],
    otherSuccess,
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
