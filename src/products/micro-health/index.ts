import builtInRecords from '../../../fixtures/micro-health.json' with { type: 'json' };
import type { ProductFamily } from '../family.ts';
import { assignMerchant, highestIds, review, selectMerchant } from './fixtures.ts';
import { allSubscriptions } from './routes/all-subscriptions.ts';
import { getQuote } from './routes/get-quote.ts';
import { initiate } from './routes/initiate.ts';
import { TAG } from './routes/operation.ts';
import { topUp } from './routes/top-up.ts';
import { validatePolicy } from './routes/validate-policy.ts';
import { verify } from './routes/verify.ts';
import {
  createState,
  MicroHealthRecords,
  type MicroHealthState,
  SubscriptionDetails,
} from './state.ts';

export const microHealth: ProductFamily<
  'micro_health',
  MicroHealthRecords,
  SubscriptionDetails,
  MicroHealthState
> = {
  key: 'micro_health',
  tag: TAG,
  description:
    'The malaria care plan: priced by the number of users, renewed by the payment frequency.',
  operations: [getQuote, initiate, verify, topUp, allSubscriptions, validatePolicy],
  initiateOperation: initiate.operationId,
  records: MicroHealthRecords,
  builtInRecords,
  details: SubscriptionDetails,
  selectMerchant,
  assignMerchant,
  review,
  createState,
  dumpRecords: ({ prices, commission_rates, subscribers }) => ({
    prices: [...prices],
    commission_rates: [...commission_rates],
    subscribers: subscribers.list,
  }),
  highestIds,
  countPolicies: ({ subscribers }) => subscribers.list.length,
};
