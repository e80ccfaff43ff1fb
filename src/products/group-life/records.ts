/* What a World stores of group life: policies with their members, and pending purchases. */

import { z } from '@hono/zod-openapi';
import { id, day as writtenDay } from '../../api/response-fields.ts';
import { onFirstUse } from '../../world/on-first-use.ts';
import type { Settings } from '../../world/settings.ts';
import { addMonths, day, type Instant, MAX_TIMESTAMP, startOfDay } from '../../world/time.ts';
import type { FamilyState, FamilyWorld } from '../family.ts';
import { MONTH_END } from '../policy.ts';
import { GroupLifePolicyRecord } from './schemas.ts';

/** `fixtures/group-life.json`. */
export const GroupLifeRecords = onFirstUse(() =>
  z.strictObject({ policies: z.array(GroupLifePolicyRecord()) }),
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
    email: z.string(),
    first_name: z.string(),
    surname: z.string(),
    phone_no: z.string(),
    gender: z.string(),
    dob: writtenDay(),
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
        date_of_birth: writtenDay(),
        next_of_kiln: z.string(),
        phone_number: z.string(),
      }),
    ),
    second_person_phone: z.string().nullable(),
    start_date: writtenDay()
      .refine((date) => date <= LAST_START, { error: `${LAST_START} or earlier` })
      .nullable(),
  }),
);
export type GroupLifePurchaseDetails = z.output<ReturnType<typeof GroupLifePurchaseDetails>>;

/** The group-life part of a World. */
export type GroupLifeState = FamilyState<GroupLifeRecords, GroupLifePurchaseDetails>;
export type GroupLifeWorld = FamilyWorld & { readonly group_life: GroupLifeState };
