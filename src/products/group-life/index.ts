import builtInRecords from '../../../fixtures/group-life.json' with { type: 'json' };
import type { ProductFamily } from '../family.ts';
import { ASSUMPTIONS } from './assumptions.ts';
import { assignMerchant, SEQUENCES, selectMerchant, validateRecords } from './fixtures.ts';
import { createPendingReview } from './pending.ts';
import { presentPolicy } from './present.ts';
import { initiatePolicy, listPolicies, policyDetails, TAG, verifyPolicy } from './routes.ts';
import type { GroupLifePolicyRecord } from './schemas.ts';
import {
  createState,
  GroupLifeDetails,
  GroupLifeRecords,
  type GroupLifeState,
  type GroupLifeWorld,
} from './state.ts';

export const groupLife: ProductFamily<
  'group_life',
  GroupLifeRecords,
  GroupLifeDetails,
  GroupLifeState,
  GroupLifePolicyRecord
> = {
  key: 'group_life',
  tag: TAG,
  description: 'Life cover for the members of a group.',
  operations: [initiatePolicy, verifyPolicy, listPolicies, policyDetails],
  initiateOperation: initiatePolicy.operationId,
  records: GroupLifeRecords,
  policyList: 'policies',
  builtInRecords,
  details: GroupLifeDetails,
  assumptions: ASSUMPTIONS,
  settings: {},
  profileOptions: {},
  selectMerchant,
  assignMerchant,
  validateRecords,
  createState,
  createPendingReview,
  dumpRecords: ({ policies }) => ({ policies: [...policies.list] }),
  sequences: SEQUENCES,
  policiesOf: ({ policies }) => policies,
  presentPolicy: (world, policy) => presentPolicy(world as GroupLifeWorld, policy),
};
