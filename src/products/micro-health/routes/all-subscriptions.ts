import { messageEnvelope } from '../../../http/envelope.ts';
import { paginate } from '../../../http/pagination.ts';
import { subscriberPresenter } from '../present.ts';
import { ListRequest } from '../requests.ts';
import { SubscriberPage } from '../schemas.ts';
import { checkSelection, selectSubscribers } from '../subscriptions.ts';
import { operation, TAG } from './operation.ts';

export const allSubscriptions = operation({
  operationId: 'listMicroHealthSubscriptions',
  summary: 'List the subscriptions made on the platform',
  description:
    'Answers the subscribers of the merchant, 15 a page, each with beneficiaries, subscription and transactions; selected by period or by dates.',
  method: 'get',
  path: '/api/merchant/micro_health/all_subscriptions',
  readOnly: true,
  tag: TAG,
  envelope: messageEnvelope,
  request: { in: 'query', schema: ListRequest },
  data: SubscriberPage,
  message: 'Subscriptions retrieved successfully',
  refusals: ['invalid'],
  assumptions: ['list-selection', 'page-out-of-range', 'success-messages'],
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
  check: (_scope, input) => checkSelection(input),
  handle: ({ world, now, address }, input) =>
    paginate(
      world.micro_health.subscribers.list,
      selectSubscribers(world, input, now),
      input,
      {
        address,
        settings: world.settings,
        kept: { period: input.period, start_date: input.start_date, end_date: input.end_date },
      },
      subscriberPresenter(world),
    ),
});
