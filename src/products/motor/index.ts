import builtInRecords from '../../../fixtures/motor.json' with { type: 'json' };
import type { ProductFamily } from '../family.ts';
import { ASSUMPTIONS } from './assumptions.ts';
import { assignMerchant, SEQUENCES, selectMerchant, validateRecords } from './fixtures.ts';
import { createPendingReview } from './pending.ts';
import { presentPolicy } from './present.ts';
import {
  getPolicyDetails,
  getQuote,
  initiatePolicy,
  listPolicies,
  TAG,
  verifyPolicy,
} from './routes.ts';
import type { MotorPolicyRecord } from './schemas.ts';
import { PROFILE_OPTIONS } from './settings.ts';
import { createState, MotorRecords, type MotorState, PurchaseDetails } from './state.ts';

export const motor: ProductFamily<
  'motor',
  MotorRecords,
  PurchaseDetails,
  MotorState,
  MotorPolicyRecord
> = {
  key: 'motor',
  tag: TAG,
  description: 'Comprehensive motor insurance: priced by the value of the vehicle.',
  operations: [initiatePolicy, verifyPolicy, listPolicies, getPolicyDetails, getQuote],
  initiateOperation: initiatePolicy.operationId,
  records: MotorRecords,
  policyList: 'policies',
  builtInRecords,
  details: PurchaseDetails,
  assumptions: ASSUMPTIONS,
  settings: {},
  profileOptions: PROFILE_OPTIONS,
  selectMerchant,
  assignMerchant,
  validateRecords,
  createState,
  createPendingReview,
  dumpRecords: ({ premium_rates, policies }) => ({
    premium_rates: [...premium_rates],
    policies: [...policies.list],
  }),
  sequences: SEQUENCES,
  policiesOf: ({ policies }) => policies,
  presentPolicy: (_world, policy) => presentPolicy(policy),
};
