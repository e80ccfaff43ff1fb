import { z } from '@hono/zod-openapi';
import { day, id } from '../../api/response-fields.ts';
import type { FamilyState, FamilyWorld } from '../family.ts';
import type { RecordCheck } from '../record-validation.ts';
import { GroupLifePolicyRecord } from './schemas.ts';

/** `fixtures/group-life.json`. */
export const GroupLifeRecords = z
  .strictObject({ policies: z.array(GroupLifePolicyRecord) })
  .openapi('GroupLifeRecords');
export type GroupLifeRecords = z.output<typeof GroupLifeRecords>;

/** What a pending purchase stores between initiate and verify. */
export const PendingDetails = z.strictObject({
  email: z.string(),
  first_name: z.string(),
  surname: z.string(),
  phone_no: z.string(),
  gender: z.string(),
  dob: day(),
  product_id: id(),
  group_name: z.string(),
  group_type: z.string(),
  group_contact_address: z.string(),
  first_person_name: z.string(),
  first_person_phone: z.string(),
  second_person_name: z.string(),
  members: z.array(
    z.strictObject({
      full_name: z.string(),
      gender: z.string(),
      occupation: z.string(),
      date_of_birth: day(),
      next_of_kiln: z.string(),
      phone_number: z.string(),
    }),
  ),
  second_person_phone: z.string().nullable(),
  start_date: day().nullable(),
});
export type PendingDetails = z.output<typeof PendingDetails>;

/** The group-life part of a World. */
export type GroupLifeState = FamilyState<GroupLifeRecords, 'policies', PendingDetails>;
export type GroupLifeWorld = FamilyWorld & { readonly group_life: GroupLifeState };

export const recordChecks = {
  policies(policy: GroupLifePolicyRecord, check: RecordCheck) {
    const { id, user, merchant_id: merchant } = policy;
    check.expectUniqueId(id, merchant);
    check.expectProduct(policy.product_id);
    check.expectUniqueNumber(policy.policy_number, ['policy_number']);
    check.expectUniqueNumber(user.policy_no, ['user', 'policy_no']);
    check.expectSame(policy.user_id, user.id, ['user_id'], 'the id of its user');
    if (user.merchant_user_id !== null) {
      const path = ['user', 'merchant_user_id'];
      check.expectSame(user.merchant_user_id, merchant, path, 'the merchant of its policy');
    }
    for (const [place, { policy_id }] of policy.group_life_members.entries()) {
      const path = ['group_life_members', place, 'policy_id'];
      check.expectSame(policy_id, id, path, 'the id of its policy');
    }
    check.expectInOrder(policy.created_at, ['created_at'], 'policy');
  },
};
