/* "Endpoints": when a cover starts and ends, also after its renewal, and the zone of its days. */

import {
  addMonths,
  addMonthsOverflowing,
  dateTime,
  day,
  type Instant,
  MINUTE_MS,
  startOfDay,
  timestamp,
} from '../../../world/time.ts';
import type { Answer } from '../answer.ts';
import { call, varied } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import { microHealth, renewal, topUp } from '../calls/micro-health.ts';
import { motor } from '../calls/motor.ts';
import { ofEach, probe, probesAbout } from '../probe.ts';
import { AS_PUBLISHED, all, type ProbeReading, unknown } from '../reading.ts';
import { refuses } from '../statements.ts';
import { momentOf } from '../values.ts';

const { verify, second, lookup, number } = microHealth;

const momentIn = (answer: Answer, name: string): Instant => momentOf(answer.get(`data.${name}`));

const UNREADABLE = unknown('the dates cannot be read');

/** The moments at which a cover of months may end: by the rule for a day that the last month lacks. */
const endsOf = (start: Instant, months: number): readonly Instant[] => [
  addMonths(start, months),
  addMonthsOverflowing(start, months),
];

/** That a cover ends so many months after its start. */
function endsAfter(answer: Answer, months: number): ProbeReading {
  const start = momentIn(answer, 'start_date');
  const end = momentIn(answer, 'end_date');
  const isOpen = answer.get('data.end_date') === null;
  if (Number.isNaN(start) || (Number.isNaN(end) && !isOpen)) return UNREADABLE;
  const ends = endsOf(start, months);
  return ends.includes(end)
    ? AS_PUBLISHED
    : answer.shows({ end_date: timestamp(ends[0] as Instant) });
}

/** How far the local time of a subscription is ahead of UTC; NaN if it does not tell. */
const offsetIn = (answer: Answer): number =>
  momentIn(answer, 'active_date') - momentIn(answer, 'start_date');

/** The name of a zone that is so far ahead of UTC at a moment. */
function zoneWith(offset: number, at: Instant): string | undefined {
  const known = ['UTC', 'Africa/Lagos'];
  return [...known, ...(offset === 0 ? [] : Intl.supportedValuesOf('timeZone'))].find(
    (timeZone) => {
      const parts = new Intl.DateTimeFormat('sv-SE', {
        ...{ timeZone, dateStyle: 'short', timeStyle: 'medium' },
      }).format(at);
      return momentOf(parts) - Math.floor(at / 1000) * 1000 === offset;
    },
  );
}

const endOfMonth = varied(motor.initiate, 'from the last day of January', {
  ...{ start_date: '2028-01-31', frequency_type: 'monthly', duration: 1 },
});

/** How a cover of months ends that starts on the last day of a month, as a profile sets it. */
function readMonthEnd(answer: Answer, months: number): ProbeReading {
  const [start, end] = ['start_date', 'end_date'].map((name) =>
    day(momentIn(answer, name) || 0),
  ) as [string, string];
  const place = endsOf(startOfDay(start), months).map(day).indexOf(end);
  const isLastDay = start.endsWith('-31') || start.endsWith('-02-29');
  return isLastDay && place >= 0
    ? answer.decided(['clamp', 'overflow'][place])
    : unknown('covers do not end by the calendar');
}

/** From which day a renewal counts, as a profile sets it. */
function readAnchor(bought: Answer, renewed: Answer): ProbeReading {
  const [start, end] = [momentIn(bought, 'start_date'), momentIn(bought, 'end_date')];
  const seen = momentIn(renewed, 'end_date');
  if (Number.isNaN(start + end + seen)) return UNREADABLE;
  const isFromStart = endsOf(start, 2).includes(seen);
  const isFromEnd = endsOf(end, 1).includes(seen);
  if (isFromStart && isFromEnd) return unknown('only a purchase at the end of a month shows it');
  if (isFromStart || isFromEnd) return renewed.decided(isFromStart ? 'anchor' : 'end');
  return renewed.shows({ end_date: timestamp(endsOf(start, 2)[0] as Instant) });
}

/** After the end of the annual policy. */
const lapsed = call(
  lookup.operation,
  'after its end',
  { needs: [second], time: { phase: 5, moment: (bought) => momentIn(bought, 'end_date') } },
  (_, bought) => ({ policy_no: bought.get(number) }),
);
const renewedLate = call(
  topUp.operation,
  'at the end of the cover',
  { needs: [second, microHealth.initiateSecond, lapsed] },
  (_, bought, { sent }) => ({
    subscription_type: 'annually',
    amount: sent.amount,
    policy_no: bought.get(number),
  }),
);

export const covers = probesAbout({
  'subscription-dates': {
    'subscription-end': probe(
      'A subscription ends one month after its start, an annual one twelve',
      [verify, second],
      (monthly, annual) => all(endsAfter(monthly, 1), endsAfter(annual, 12)),
    ),
    'subscription-start': probe('A subscription starts when it is created', [verify], (bought) =>
      bought.shows({ start_date: bought.get('data.created_at') }),
    ),
  },
  'time-zone': probe('active_date is in UTC', [verify], (bought) => {
    const offset = offsetIn(bought);
    if (Number.isNaN(offset)) return UNREADABLE;
    const zone = zoneWith(offset, momentIn(bought, 'start_date'));
    return zone === undefined
      ? bought.otherwise('UTC', `${offset / MINUTE_MS} minutes off`)
      : bought.decided(zone);
  }),
  'motor-dates': ofEach(
    'A motor cover ends its payment periods after the day on which it starts',
    [motor.initiateSecond, motor.second],
    (call) => [
      [call],
      (answer) => answer.shows({ start_date: '2027-03-10', end_date: '2027-09-10' }),
    ],
  ),
  'group-life-dates': {
    'group-life-start': probe(
      'A cover without a start_date starts on the day of verify, at midnight',
      { needs: [groupLife.verify], some: [verify] },
      (bought, zoned) => {
        const created = momentIn(bought, 'created_at');
        if (Number.isNaN(created)) return unknown('created_at cannot be read');
        const today = day(created + ((zoned && offsetIn(zoned)) || 0));
        return bought.shows({ start_date: `${today}T00:00:00.000000Z` });
      },
    ),
    'group-life-dates': probe(
      'A group-life cover ends a year after its start',
      [groupLife.verify],
      (bought) => endsAfter(bought, 12),
    ),
    'group-life-start-date': probe(
      'A cover starts on the start_date that was sent',
      [groupLife.second, groupLife.initiateSecond],
      (bought, { sent }) => bought.shows({ start_date: sent.start_date }),
    ),
  },
  'month-end': ofEach(
    'A cover that ends on a day that the month lacks ends on its last day',
    [
      { call: endOfMonth, months: 1 },
      { call: groupLife.second, months: 12 },
    ],
    ({ call, months }) => [[call], (answer) => readMonthEnd(answer, months)],
  ),
  'top-up-frequency': refuses('A renewal at another frequency is refused', [
    renewal('at another frequency', { subscription_type: 'quarterly' }),
  ]),
  'top-up-anchor': probe(
    'A renewed cover ends after all periods paid, counted from its start',
    [topUp, verify],
    (renewed, bought) => readAnchor(bought, renewed),
  ),
  'top-up-dates': {
    'top-up-dates': probe(
      'A renewal before the end keeps start_date and active_date',
      [topUp, verify],
      (renewed, bought) =>
        renewed.shows({
          start_date: bought.get('data.start_date'),
          active_date: bought.get('data.active_date'),
        }),
    ),
    'renewal-after-the-end': probe(
      'A renewal at or after the end begins a new cover: active_date is now, start_date stays',
      { needs: [second], calls: [renewedLate] },
      (bought, renewed) =>
        renewed.accepted(() => {
          // Under a profile active_date is local, and the end says enough.
          const isLocal = offsetIn(bought) !== 0;
          return renewed.shows({
            start_date: bought.get('data.start_date'),
            active_date: isLocal ? undefined : dateTime(renewed.at),
            end_date: timestamp(addMonths(renewed.at, 12)),
          });
        }),
    ),
  },
  'no-expiry-transition': probe(
    'A subscription stays enabled after its end',
    { needs: [second], calls: [lapsed] },
    (_, answer) => answer.accepted(() => answer.shows({ enable: 1 })),
  ),
});
