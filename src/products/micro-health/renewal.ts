/* The rules of a micro-health renewal: check, payment and the new dates of the cover. */

import { type FieldError, fieldError, throwIfInvalid } from '../../world/errors.ts';
import type { Settings } from '../../world/settings.ts';
import {
  DAY_MS,
  type Instant,
  instantOf,
  MAX_TIMESTAMP,
  MINUTE_MS,
  SECOND_MS,
  timestamp,
} from '../../world/time.ts';
import { localDateTime, zoneOf } from '../../world/time-zone.ts';
import { MONTH_END } from '../policy.ts';
import { findSubscriber } from './policies.ts';
import { checkAmount, createTransaction, priceOf } from './pricing.ts';
import type { MicroHealthWorld } from './records.ts';
import { type MicroHealthTopUpRequest, MONTHS } from './requests.ts';
import type { MicroHealthListedSubscription, MicroHealthSubscriber } from './schemas.ts';
import { TOP_UP_ANCHOR } from './settings.ts';

/** The problems of a renewal, as far as its fields are known. Says nothing about an unknown policy. */
export function checkRenewal(
  world: MicroHealthWorld,
  input: Partial<MicroHealthTopUpRequest>,
): FieldError[] {
  if (input.policy_no === undefined) return [];
  const subscriber = world.micro_health.policies.get(input.policy_no);
  if (!subscriber) return [];
  const { subscriptions: subscription } = subscriber;
  const errors: FieldError[] = [];
  const frequency = subscription.subscriptions_type;
  if (input.subscription_type !== undefined && input.subscription_type !== frequency) {
    errors.push(
      fieldError(
        'subscription_type',
        'frequency',
        `must be ${frequency}, the frequency chosen at subscription.`,
        'top-up-frequency',
      ),
    );
  }
  const users = 1 + subscriber.beneficiary.length;
  const price = priceOf(world, subscription.product_id, users);
  if (input.amount !== undefined && price) {
    errors.push(...checkAmount(world, input.amount, price[frequency]));
  }
  return errors;
}

/**
 * Adds a period to a subscription, from its end or, after a lapse, from now (`top-up-dates`).
 * Throws `policy_unknown`.
 */
export function renewSubscription(
  world: MicroHealthWorld,
  input: MicroHealthTopUpRequest,
  now: Instant,
): MicroHealthListedSubscription {
  const subscriber = findSubscriber(world, input.policy_no);
  throwIfInvalid(checkRenewal(world, input));
  const { subscriptions: before } = subscriber;
  const cover = renewedCover(world, subscriber, now);
  if (!(cover.end <= MAX_TIMESTAMP)) {
    const demand = 'names a policy whose cover cannot go beyond 9999-12-31.';
    throwIfInvalid([fieldError('policy_no', 'range', demand, 'date-limits', 'top-up-dates')]);
  }
  const renewed: MicroHealthListedSubscription = {
    ...before,
    subscriptions_no: before.subscriptions_no + 1,
    end_date: timestamp(cover.end),
    updated_at: timestamp(now),
    active_date: localDateTime(world.settings, cover.anchor),
  };
  const changed: MicroHealthSubscriber = {
    ...subscriber,
    subscriptions: renewed,
    transactions: [...subscriber.transactions, createTransaction(world, renewed, input.amount)],
  };
  world.micro_health.policies.put(input.policy_no, changed);
  return renewed;
}

/** Renews a subscription at the premium of its plan. */
export function renewAtPremium(world: MicroHealthWorld, policyNo: string, now: Instant): void {
  const { subscriptions, beneficiary } = findSubscriber(world, policyNo);
  const { product_id, subscriptions_type: frequency } = subscriptions;
  const amount = priceOf(world, product_id, 1 + beneficiary.length)?.[frequency] ?? 0;
  renewSubscription(world, { policy_no: policyNo, subscription_type: frequency, amount }, now);
}

/** Start and end of the cover of a renewed subscription (`top-up-anchor`, `month-end`). */
function renewedCover(
  { settings }: MicroHealthWorld,
  subscriber: MicroHealthSubscriber,
  now: Instant,
): { anchor: Instant; end: Instant } {
  const { subscriptions: before } = subscriber;
  const months = MONTHS[before.subscriptions_type];
  const { addMonths } = MONTH_END.of(settings);
  const end = instantOf(before.end_date);
  if (Math.floor(now / SECOND_MS) * SECOND_MS >= end)
    return { anchor: now, end: addMonths(now, months) };
  const anchor = anchorOf(settings, subscriber, end);
  return { anchor, end: TOP_UP_ANCHOR.of(settings).endOf(anchor, end, months, addMonths) };
}

/** The farthest that clocks of zones are from UTC. */
const MAX_OFFSET_MS = 14 * 60 * MINUTE_MS;

/**
 * When the uninterrupted cover began: the start or the payment that `active_date` shows. Which one it is does not depend
 * on the zone, because a sandbox of another zone may have written the date, and clocks show an hour twice in autumn.
 */
function anchorOf(
  settings: Settings,
  { subscriptions, transactions }: MicroHealthSubscriber,
  end: Instant,
): Instant {
  const { start_date, active_date } = subscriptions;
  const shown = instantOf(active_date.replace(' ', 'T'));
  const isShown = (at: Instant) =>
    Math.abs(at - shown) <= MAX_OFFSET_MS && (end - at) % DAY_MS === 0;
  const known = [start_date, ...transactions.map(({ created_at }) => created_at)].map(instantOf);
  return known.find(isShown) ?? zoneOf(settings).instantOf(shown);
}
