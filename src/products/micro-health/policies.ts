/* Finds and selects micro-health subscribers, and presents them. */

import { UTCDateMini } from '@date-fns/utc/date/mini';
import { add } from 'date-fns/add';
import { startOfDay } from 'date-fns/startOfDay';
import { startOfISOWeek } from 'date-fns/startOfISOWeek';
import { startOfMonth } from 'date-fns/startOfMonth';
import { startOfQuarter } from 'date-fns/startOfQuarter';
import { startOfYear } from 'date-fns/startOfYear';
import type { Selection } from '../../api/pagination.ts';
import { type FieldError, fieldError, throwIfInvalid } from '../../world/errors.ts';
import { DAY_MS, type Instant, startOfDay as startOfDate, timestamp } from '../../world/time.ts';
import { type WallTime, zoneOf } from '../../world/time-zone.ts';
import { type CatalogueProduct, productOf } from '../catalogue.ts';
import type { FamilyWorld } from '../family.ts';
import { findByPolicyNumber } from '../policy.ts';
import type { MicroHealthWorld } from './records.ts';
import type { MicroHealthListRequest, Period } from './requests.ts';
import type {
  MicroHealthListedSubscription,
  MicroHealthProduct,
  MicroHealthSubscriber,
  MicroHealthSubscription,
} from './schemas.ts';
import { SUBSCRIPTIONS_KEY } from './settings.ts';

/** The subscriber of a policy number. Throws `policy_unknown`. */
export const findSubscriber = (
  { micro_health }: MicroHealthWorld,
  policyNo: string,
): MicroHealthSubscriber => findByPolicyNumber(micro_health.policies, policyNo);

/** The problems of a selection, as far as its fields are known (`list-selection`). */
export function checkSelection(input: Partial<MicroHealthListRequest>): FieldError[] {
  const { period, start_date: start, end_date: end } = input;
  const errors: FieldError[] = [];
  if (period !== undefined && (start !== undefined || end !== undefined)) {
    errors.push(
      fieldError(
        'period',
        'combination',
        'can not be combined with start_date or end_date.',
        'list-selection',
      ),
    );
  }
  if (start !== undefined && end !== undefined && end < start) {
    errors.push(
      fieldError('end_date', 'range', 'must not be before start_date.', 'list-selection'),
    );
  }
  return errors;
}

/** The subscribers whose subscription was created in the requested time, found by binary search. */
export function selectSubscribers(
  { micro_health, settings }: MicroHealthWorld,
  input: MicroHealthListRequest,
  now: Instant,
): Selection {
  throwIfInvalid(checkSelection(input));
  const { policies } = micro_health;
  const zone = zoneOf(settings);
  const bounds =
    input.period === undefined
      ? dateBounds(input)
      : periodBounds(input.period, zone.wallTimeOf(now));
  const firstFrom = (bound: WallTime) =>
    policies.lowerBound(timestamp(zone.instantOf(bound)), createdAt);
  return {
    start: bounds.from === undefined ? 0 : firstFrom(bounds.from),
    end: bounds.before === undefined ? policies.list.length : firstFrom(bounds.before),
  };
}

const createdAt = (subscriber: MicroHealthSubscriber): string =>
  subscriber.subscriptions.created_at;

/** The first moment inside the selection, and the first after it. */
interface Bounds {
  readonly from: WallTime | undefined;
  readonly before: WallTime | undefined;
}

function dateBounds({ start_date: start, end_date: end }: MicroHealthListRequest): Bounds {
  return {
    from: start === undefined ? undefined : startOfDate(start),
    before: end === undefined || end === '9999-12-31' ? undefined : startOfDate(end) + DAY_MS,
  };
}

/** The start of the current period, and its length. */
const PERIODS = {
  day: [startOfDay, { days: 1 }],
  week: [startOfISOWeek, { weeks: 1 }],
  month: [startOfMonth, { months: 1 }],
  quarter: [startOfQuarter, { months: 3 }],
  year: [startOfYear, { years: 1 }],
} as const satisfies Record<Period, unknown>;

function periodBounds(period: Period, now: WallTime): Bounds {
  const [startOf, length] = PERIODS[period];
  const start = startOf(new UTCDateMini(now));
  return { from: start.getTime(), before: add(start, length).getTime() };
}

/** A subscription with its product. */
export function presentSubscription(
  world: MicroHealthWorld,
  subscription: MicroHealthListedSubscription,
): MicroHealthSubscription {
  const product = presentProduct(productOf(world, subscription.product_id));
  // Object.assign, because a spread of this many fields is slow to make and slower to write as JSON.
  return Object.assign({}, subscription, { product });
}

function presentProduct({
  family: _family,
  service_id: _service,
  product_class_id: _class,
  ...product
}: CatalogueProduct): MicroHealthProduct {
  return product;
}

/** A listed subscriber: as it is stored, with its subscription in a list if a profile says so. */
export const presentSubscriber = (
  { settings }: FamilyWorld,
  subscriber: MicroHealthSubscriber,
): MicroHealthSubscriber => SUBSCRIPTIONS_KEY.of(settings).present(subscriber);
