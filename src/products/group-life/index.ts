/* Group life as the rest of the sandbox sees it: one product family among others. */

import builtInRecords from '../../../fixtures/group-life.json' with { type: 'json' };
import { counted } from '../../world/grouped.ts';
import { defineFamily } from '../family.ts';
import { ASSUMPTIONS } from './assumptions.ts';
import { inventPurchase } from './invented.ts';
import { presentPolicy } from './policies.ts';
import { GroupLifePurchaseDetails, GroupLifeRecords } from './records.ts';
import { TOKENS } from './requests.ts';
import { OPERATIONS, TAG } from './routes.ts';
import { createSchemas, SCHEMAS } from './schemas.ts';

export const groupLife = defineFamily({
  key: 'group_life',
  tag: TAG,
  description:
    'Life insurance for the members of a group, such as a trade association. Cover lasts one year.',
  notes: '- `response_code` is a number here, text elsewhere.',
  operations: OPERATIONS,
  schemas: SCHEMAS,
  createSchemas,
  tokenRules: TOKENS,
  records: GroupLifeRecords,
  policyName: 'GroupLifePolicy',
  builtInRecords,
  details: GroupLifePurchaseDetails,
  assumptions: ASSUMPTIONS,
  settings: [],
  policyKeys: {
    keyOf: ({ policy_number }) => policy_number,
    // The purchaser's own number is unique too (`group-life-user`).
    other: ({ user }) => user.policy_no,
  },
  merchantOf: ({ merchant_id }) => merchant_id,
  holderOf: ({ group_name, user }) => `${group_name} (${user.first_name} ${user.surname})`,
  termsOf: (_world, { product_id: product, group_life_members: members }) => ({
    product,
    plan: counted(members.length, 'member'),
    premium: null,
  }),
  tellingFields: {
    who: ['group_name'],
    premium: [],
    period: [],
    policy: 'policy_number',
  },
  pendingPremium: () => null,
  sequences: [
    { name: 'user', idsIn: ({ user }) => [user.id] },
    { name: 'group_life_policy', idsIn: ({ id }) => [id] },
    {
      name: 'group_life_member',
      idsIn: ({ group_life_members }) => group_life_members.map(({ id }) => id),
    },
  ],
  priceLists: {},
  policyPaths: { product: ['product_id'], createdAt: ['created_at'], coverEnd: ['end_date'] },
  renumberPolicy: (policy, policy_number) => ({ ...policy, policy_number }),
  presentPolicy,
  // The contract has no premium for it.
  priceFields: () => ({}),
  pricesOf: () => ({}),
  dayFields: ['start_date'],
  inventPurchase,
});
