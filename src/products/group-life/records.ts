/* What a World stores of group life: policies with their members, and pending purchases. */

import { z } from '@hono/zod-openapi';
import { id } from '../../api/response-fields.ts';
import { onFirstUse } from '../../world/on-first-use.ts';
import type { Settings } from '../../world/settings.ts';
import { addMonths, day, type Instant, MAX_TIMESTAMP, startOfDay } from '../../world/time.ts';
import type { FamilyState, FamilyWorld } from '../family.ts';
import { MONTH_END } from '../month-end.ts';
import type { RecordCheck } from '../record-validation.ts';
import {
  storedAddress,
  storedDate,
  storedEmail,
  storedGender,
  storedPhone,
  storedText,
} from '../stored-fields.ts';
import { MAX_MEMBERS } from './members.ts';
import { GroupLifePolicyRecord } from './schemas.ts';

/** `fixtures/group-life.json`. */
export const GroupLifeRecords = onFirstUse(() =>
  z.strictObject({ policies: z.array(GroupLifePolicyRecord()) }).openapi('GroupLifeRecords'),
);
export type GroupLifeRecords = z.output<ReturnType<typeof GroupLifeRecords>>;

/** When a cover that starts on this day ends: one year later (`group-life-dates`). */
export const coverEnd = (settings: Settings, startDate: string): Instant =>
  MONTH_END.of(settings).addMonths(startOfDay(startDate), 12);

/** The last day on which a cover can start, because the calendar of records ends in 9999 (`date-limits`). */
export const LAST_START = day(addMonths(MAX_TIMESTAMP, -12));

/** What a pending purchase stores between initiate and verify. */
export const GroupLifePurchaseDetails = onFirstUse(() =>
  z.strictObject({
    email: storedEmail(),
    first_name: storedText(),
    surname: storedText(),
    phone_no: storedPhone(),
    gender: storedGender(),
    dob: storedDate(),
    product_id: id(),
    group_name: storedText(),
    group_type: storedText(),
    group_contact_address: storedAddress(),
    first_person_name: storedText(),
    first_person_phone: storedPhone(),
    second_person_name: storedText(),
    members: z
      .array(
        z.strictObject({
          full_name: storedText(),
          gender: storedGender(),
          occupation: storedText(),
          date_of_birth: storedDate(),
          next_of_kiln: storedText(),
          phone_number: storedPhone(),
        }),
      )
      .min(1)
      .max(MAX_MEMBERS),
    second_person_phone: storedPhone().nullable(),
    start_date: storedDate()
      .refine((date) => date <= LAST_START, { error: `${LAST_START} or earlier` })
      .nullable(),
  }),
);
export type GroupLifePurchaseDetails = z.output<ReturnType<typeof GroupLifePurchaseDetails>>;

/** The group-life part of a World. */
export type GroupLifeState = FamilyState<GroupLifeRecords, 'policies', GroupLifePurchaseDetails>;
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
