import builtInRecords from '../../../fixtures/micro-health.json' with { type: 'json' };
import type { ProductFamily } from '../family.ts';
import { ASSUMPTIONS } from './assumptions.ts';
import { assignMerchant, SEQUENCES, selectMerchant, validateRecords } from './fixtures.ts';
import { createPendingReview } from './pending.ts';
import { subscriberPresenter } from './present.ts';
import {
  allSubscriptions,
  getQuote,
  initiate,
  TAG,
  topUp,
  validatePolicy,
  verify,
} from './routes.ts';
import type { MicroHealthSubscriber } from './schemas.ts';
import { PROFILE_OPTIONS, SETTINGS } from './settings.ts';
import {
  createState,
  MicroHealthRecords,
  type MicroHealthState,
  type MicroHealthWorld,
  SubscriptionDetails,
} from './state.ts';

export const microHealth: ProductFamily<
  'micro_health',
  MicroHealthRecords,
  SubscriptionDetails,
  MicroHealthState,
  MicroHealthSubscriber
> = {
  key: 'micro_health',
  tag: TAG,
  description:
    'The malaria care plan: priced by the number of users, renewed by the payment frequency.',
  operations: [getQuote, initiate, verify, topUp, allSubscriptions, validatePolicy],
  initiateOperation: initiate.operationId,
  records: MicroHealthRecords,
  policyList: 'subscribers',
  builtInRecords,
  details: SubscriptionDetails,
  assumptions: ASSUMPTIONS,
  settings: SETTINGS,
  profileOptions: PROFILE_OPTIONS,
  selectMerchant,
  assignMerchant,
  validateRecords,
  createState,
  createPendingReview,
  dumpRecords: ({ prices, commission_rates, subscribers }) => ({
    prices: [...prices],
    commission_rates: [...commission_rates],
    subscribers: [...subscribers.list],
  }),
  sequences: SEQUENCES,
  policiesOf: ({ subscribers }) => subscribers,
  presentPolicy: (world, policy) => subscriberPresenter(world as MicroHealthWorld)(policy),
};
