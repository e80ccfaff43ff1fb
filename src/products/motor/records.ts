/* What a World stores of motor: premium rates, policies and pending purchases. */

import { z } from '@hono/zod-openapi';
import { phone } from '../../api/request-fields.ts';
import { id } from '../../api/response-fields.ts';
import { PHONE_LENGTH } from '../../world/limits.ts';
import { onFirstUse } from '../../world/on-first-use.ts';
import { PUBLISHED, type Settings } from '../../world/settings.ts';
import { day, type Instant, MAX_TIMESTAMP, startOfDay } from '../../world/time.ts';
import type { FamilyState, FamilyWorld } from '../family.ts';
import { MONTH_END } from '../month-end.ts';
import type { RecordCheck } from '../record-validation.ts';
import {
  stored,
  storedAddress,
  storedAmount,
  storedDate,
  storedText,
  storedYear,
} from '../stored-fields.ts';
import { imageFields, type MotorInitiateRequest, POLICY_NUMBERS } from './requests.ts';
import { MotorPolicyRecord, purchaseFields } from './schemas.ts';

/** The premium as a share of the value of the vehicle (`motor-quote`). */
export const PremiumRate = onFirstUse(() =>
  z
    .strictObject({
      product_id: id(),
      rate: z.number().gt(0).lte(1).meta({
        description: 'Share of the value of the vehicle: 0.05 is 5 %.',
      }),
    })
    .openapi('MotorPremiumRate'),
);
export type PremiumRate = z.output<ReturnType<typeof PremiumRate>>;

/** `fixtures/motor.json`. */
export const MotorRecords = onFirstUse(() =>
  z
    .strictObject({
      premium_rates: z.array(PremiumRate()),
      policies: z.array(MotorPolicyRecord()),
    })
    .openapi('MotorRecords'),
);
export type MotorRecords = z.output<ReturnType<typeof MotorRecords>>;

/** The slug of a policy number (`motor-slug`). */
export const slugOf = (policyNumber: string): string =>
  `comprehensive-motor-${policyNumber.toLowerCase()}`;

/** Calendar months of one period. */
const MONTHS: Readonly<Record<MotorInitiateRequest['frequency_type'], number>> = {
  monthly: 1,
  quarterly: 3,
  yearly: 12,
};

type Cover = Pick<MotorInitiateRequest, 'start_date' | 'frequency_type' | 'duration'>;

/** When the cover ends (`motor-dates`, `month-end`). NaN if that is beyond the calendar. */
export function coverEnd(settings: Settings, cover: Cover): Instant {
  const months = Number(cover.duration) * MONTHS[cover.frequency_type];
  return MONTH_END.of(settings).addMonths(startOfDay(cover.start_date), months);
}

/** The days on which a cover may end: under some profile, that of another value of `month-end`. */
const coverEnds = (cover: Cover): readonly Instant[] =>
  MONTH_END.words.map((word) => coverEnd({ 'month-end': word }, cover));

/** What a pending purchase stores between initiate and verify. */
export const MotorPurchaseDetails = onFirstUse(() =>
  z
    .strictObject({
      ...purchaseFields(),
      vehicle_value: storedAmount(),
      insurance_cover: storedText(),
      vehicle_type: storedText(),
      start_date: storedDate(),
      registration_no: storedText(),
      vehicle_make: storedText(),
      vehicle_model: storedText(),
      year_make: storedYear(),
      vehicle_color: storedText(),
      chasis_no: storedText(),
      engine_no: storedText(),
      ...imageFields(PUBLISHED, () => storedText()),
      policy_number: z.string().regex(POLICY_NUMBERS.form),
      contact_person_name: storedText(),
      contact_person_address: storedAddress(),
      contact_person_phone_no: stored(phone(), `${PHONE_LENGTH} digits`),
      inspection_date: storedDate(),
    })
    .superRefine(({ slug, policy_number, end_date, ...cover }, { addIssue }) => {
      const expected = slugOf(policy_number);
      if (slug !== expected) {
        addIssue({ code: 'invalid_value', values: [expected], path: ['slug'], input: slug });
      }
      const ends = coverEnds(cover).filter((end) => end <= MAX_TIMESTAMP);
      const values = [...new Set(ends.map(day))];
      if (values.length === 0) {
        const message = 'a cover that ends by 9999-12-31';
        addIssue({ code: 'custom', message, path: ['duration'], input: cover.duration });
      } else if (!values.includes(end_date)) {
        addIssue({ code: 'invalid_value', values, path: ['end_date'], input: end_date });
      }
    }),
);
export type MotorPurchaseDetails = z.output<ReturnType<typeof MotorPurchaseDetails>>;

/** The motor part of a World. */
export type MotorState = FamilyState<MotorRecords, 'policies', MotorPurchaseDetails>;
export type MotorWorld = FamilyWorld & { readonly motor: MotorState };

export const recordChecks = {
  premium_rates({ product_id: product }: PremiumRate, check: RecordCheck) {
    check.expectProduct(product);
    check.expectUnique(product, [], () => `a second premium rate of product ${product}`);
  },
  policies(policy: MotorPolicyRecord, check: RecordCheck) {
    check.expectUniqueId(policy.id, policy.merchant_user_id);
    check.expectProduct(policy.product_id);
    check.expectUniqueNumber(policy.policy_number, ['policy_number']);
    check.expectInOrder(policy.created_at, ['created_at'], 'policy');
  },
};
