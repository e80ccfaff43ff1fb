/* The rules of motor: quote, initiate and verify. */

import { type FieldError, fieldError, throwIfInvalid } from '../../world/errors.ts';
import { naira, shareInKobo } from '../../world/money.ts';
import type { Settings } from '../../world/settings.ts';
import { nextId } from '../../world/tables.ts';
import { day, type Instant, MAX_TIMESTAMP, startOfDay, timestamp } from '../../world/time.ts';
import { localDay } from '../../world/time-zone.ts';
import { completePurchase, savePurchase } from '../../world/tokens.ts';
import { type Catalogue, checkProduct } from '../catalogue.ts';
import { MONTH_END, nextNumber } from '../policy.ts';
import type { MotorPurchaseDetails, MotorWorld } from './records.ts';
import {
  type MotorInitiateRequest,
  type MotorQuoteRequest,
  POLICY_NUMBERS,
  slugOf,
} from './requests.ts';
import type { MotorInitiatedPolicy, MotorPolicyRecord } from './schemas.ts';

/** The problems of a quote request, as far as its fields are known. */
export function checkQuote(
  world: MotorWorld,
  { product_id: product }: Partial<MotorQuoteRequest>,
): FieldError[] {
  const errors = checkProduct(world, 'motor', product);
  if (product === undefined || errors.length > 0) return errors;
  if (rateOf(world, product) !== undefined) return [];
  const demand = 'names a product that has no premium rate.';
  return [fieldError('product_id', 'price', demand, 'motor-quote')];
}

/** The premium in naira, rounded half up to the kobo (`motor-quote`). Refuses a product without a rate. */
export function quotePremium(world: MotorWorld, input: MotorQuoteRequest): number {
  throwIfInvalid(checkQuote(world, input));
  return premiumOf(world, input.product_id, input.vehicle_value) as number;
}

/** The premium of a vehicle. Null for a product without a rate. */
export function premiumOf(world: MotorWorld, productId: number, value: number): number | null {
  const rate = rateOf(world, productId);
  return rate === undefined ? null : naira(shareInKobo(value, rate));
}

/** The premium of a product as a share of the value of the vehicle (`motor-quote`). */
export const rateOf = ({ motor }: MotorWorld, productId: number): number | undefined =>
  motor.premium_rates.find((each) => each.product_id === productId)?.rate;

/** The problems of a purchase, as far as its fields are known. */
export function checkPurchase(
  world: Catalogue & Pick<MotorWorld, 'settings'>,
  input: Partial<MotorInitiateRequest>,
  now: Instant,
): FieldError[] {
  const errors = checkProduct(world, 'motor', input.product_id);
  const nextYear = Number(localDay(world.settings, now).slice(0, 4)) + 1;
  if (input.year_make !== undefined && Number(input.year_make) > nextYear) {
    errors.push(
      fieldError('year_make', 'range', `must not be after ${nextYear}.`, 'motor-year-make'),
    );
  }
  const { start_date, frequency_type, duration } = input;
  if (start_date === undefined || frequency_type === undefined || duration === undefined) {
    return errors;
  }
  if (!(coverEnd(world.settings, { start_date, frequency_type, duration }) <= MAX_TIMESTAMP)) {
    const demand = 'must end the cover by 9999-12-31.';
    const basis = ['date-limits', 'motor-duration', 'motor-dates'] as const;
    errors.push(fieldError('duration', 'range', demand, ...basis));
  }
  return errors;
}

/** Calendar months of one period. */
const MONTHS: Readonly<Record<MotorInitiateRequest['frequency_type'], number>> = {
  monthly: 1,
  quarterly: 3,
  yearly: 12,
};

type Cover = Pick<MotorInitiateRequest, 'start_date' | 'frequency_type' | 'duration'>;

/** When the cover ends (`motor-dates`, `month-end`). NaN if that is beyond the calendar. */
function coverEnd(settings: Settings, cover: Cover): Instant {
  const months = Number(cover.duration) * MONTHS[cover.frequency_type];
  return MONTH_END.of(settings).addMonths(startOfDay(cover.start_date), months);
}

/** Saves a purchase until its token expires. Returns the future policy and the token. */
export function initiatePurchase(
  world: MotorWorld,
  input: MotorInitiateRequest,
  now: Instant,
): MotorInitiatedPolicy {
  throwIfInvalid(checkPurchase(world, input, now));
  const { policies, tokens } = world.motor;
  const policyNumber = nextNumber(
    world.random,
    POLICY_NUMBERS,
    (drawn) => policies.has(drawn) || tokens.pending.hasOther(drawn),
  );
  const details = createDetails(world, policyNumber, input);
  return { ...details, token: savePurchase(world, tokens, details, now) };
}

/**
 * Turns a pending purchase into a policy with the policy number that initiate drew. Throws
 * `token_unknown`, `token_used` or `token_expired`.
 */
export function verifyPurchase(world: MotorWorld, token: string, now: Instant): MotorPolicyRecord {
  const { tokens, policies } = world.motor;
  return completePurchase(world, tokens, token, policies, (details) =>
    createPolicy(world, details, now),
  );
}

function createPolicy(
  world: MotorWorld,
  details: MotorPurchaseDetails,
  now: Instant,
): MotorPolicyRecord {
  const written = timestamp(now);
  return {
    ...details,
    id: nextId(world, 'motor_policy'),
    user_id: nextId(world, 'user'),
    status: true,
    created_at: written,
    updated_at: written,
  };
}

/** The details that a pending purchase stores, with the number of the future policy. */
function createDetails(
  { settings, merchant_id }: MotorWorld,
  policyNumber: string,
  input: MotorInitiateRequest,
): MotorPurchaseDetails {
  return {
    slug: slugOf(policyNumber),
    product_id: input.product_id,
    merchant_user_id: merchant_id,
    frequency_type: input.frequency_type,
    vehicle_value: input.sum_insured,
    insurance_cover: input.insurance_cover,
    duration: input.duration,
    vehicle_type: input.vehicle_type,
    start_date: input.start_date,
    end_date: day(coverEnd(settings, input)),
    registration_no: input.registration_no,
    vehicle_make: input.vehicle_make,
    vehicle_model: input.vehicle_model,
    year_make: input.year_make,
    vehicle_color: input.vehicle_color,
    chasis_no: input.chasis_no,
    engine_no: input.engine_no,
    speedometer_img: input.speedometer_img,
    engine_img: input.engine_img,
    interior_img: input.interior_img,
    front_view_img: input.front_view_img,
    rear_view_img: input.rear_view_img,
    left_side_view_img: input.left_side_view_img,
    right_side_view_img: input.right_side_view_img,
    vehicle_license_img: input.vehicle_license_img,
    proof_of_ownership_img: input.proof_of_ownership_img,
    policy_number: policyNumber,
    contact_person_name: input.contact_person_name,
    contact_person_address: input.contact_person_address,
    contact_person_phone_no: input.contact_person_phone_no,
    inspection_date: input.inspection_date,
  };
}
