import type { Settings } from '../../../core/settings.ts';
import { initiatePolicy } from '../../../products/group-life/routes/initiate-policy.ts';
import { listPolicies } from '../../../products/group-life/routes/list-policies.ts';
import { policyDetails } from '../../../products/group-life/routes/policy-details.ts';
import { verifyPolicy } from '../../../products/group-life/routes/verify-policy.ts';
import { type Assertion, equals, type Json, monthsLater } from '../../assertions.ts';
import type { FamilyExchanges } from '../../exchange-rules.ts';
import { pagedExchanges } from '../exchanged-lists.ts';
import { isAsked, numberIn } from '../look-ups.ts';
import { policyAssertions, TOKEN } from './purchases.ts';

/** What a policy says of itself. */
function ownAssertions(policy: Json, path = ''): Assertion[] {
  const at = (field: string) => (path === '' ? field : `${path}.${field}`);
  const { id, user, product, group_life_members: members, start_date, end_date } = policy;
  return [
    equals(at('user_id'), user?.id),
    equals(at('product_id'), product?.id),
    ...(Array.isArray(members) ? members : []).map((_member, place) =>
      equals(at(`group_life_members.${place}.policy_id`), id),
    ),
    ...(end_date === null
      ? []
      : [equals(at('end_date'), monthsLater(start_date, 12), 'group-life-dates')]),
  ];
}

/** What is held against exchanges with group life. */
export const groupLifeExchanges = (settings: Settings): FamilyExchanges => ({
  [initiatePolicy.operationId]: {
    refusable: /^(dob|product_id|start_date|members\.\d+\.date_of_birth)$/,
    assertions: () => [TOKEN],
  },
  [verifyPolicy.operationId]: {
    assertions: (data, { purchase, between }) => [
      ...ownAssertions(data),
      ...(purchase ? policyAssertions(data, purchase.sent, { between }) : []),
    ],
  },
  [policyDetails.operationId]: {
    assertions: (data, { sent }) => [
      ...ownAssertions(data),
      ...(sent ? [isAsked('policy_number', numberIn(sent), 'group-life-details-field')] : []),
    ],
  },
  [listPolicies.operationId]: pagedExchanges({
    operation: listPolicies,
    settings,
    madeAt: ({ created_at }) => created_at,
    ofItem: (path, item) => ownAssertions(item, path),
  }),
});
