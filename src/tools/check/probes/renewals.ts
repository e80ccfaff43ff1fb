/* "Endpoints", micro-health: renewals, before and after the end of the cover, and look-ups. */

import {
  addMonths,
  addMonthsOverflowing,
  dateTime,
  type Instant,
  timestamp,
} from '../../../world/time.ts';
import { type Answer, call, varied } from '../call.ts';
import { microHealth, topUp } from '../calls/micro-health.ts';
import { unknownRenewal } from '../calls/refusals.ts';
import { momentOf } from '../calls/shared.ts';
import {
  AS_PUBLISHED,
  all,
  decided,
  differs,
  type Probe,
  probe,
  refused,
  same,
  unknown,
  words,
} from '../probe.ts';

const { verify, second, list, lastPage, lookup } = microHealth;

/** The moments at which a cover of months may end: by the rule for a day that the last month lacks. */
export const endsOf = (start: Instant, months: number): readonly Instant[] => [
  addMonths(start, months),
  addMonthsOverflowing(start, months),
];

export const renewal = (what: string, changes: Parameters<typeof varied>[2]) =>
  varied(topUp, what, changes, { after: [list, lastPage, lookup], refusal: 'invalid' });

const field = (answer: Answer, name: string) => answer.get(`data.${name}`);

/* Renewal, before and after the end of the cover. */

/** After the end of the annual policy. */
const lapsed = call(
  lookup.operation.operationId,
  'after its end',
  { needs: { second }, moment: (needs) => momentOf(needs.second.get('data.end_date')) },
  (needs) => ({ policy_no: needs.second.get('data.policy_no') }),
);
const renewedLate = call(
  topUp.operation.operationId,
  'at the end of the cover',
  { needs: { second, initiated: microHealth.initiateSecond, lapsed } },
  (needs) => ({
    subscription_type: 'annually',
    amount: needs.initiated.sent.amount,
    policy_no: needs.second.get('data.policy_no'),
  }),
);
const otherFrequency = renewal('at another frequency', { subscription_type: 'quarterly' });

export const renewals: readonly Probe[] = [
  probe({
    id: 'top-up-frequency',
    about: 'top-up-frequency',
    title: 'A renewal at another frequency is refused',
    needs: { topUp },
    calls: { otherFrequency },
    read: (answers) => refused(answers.otherFrequency),
  }),
  probe({
    id: 'top-up-unknown',
    about: 'Endpoints',
    title: 'A renewal of an unknown policy is refused',
    needs: { topUp },
    calls: { unknownRenewal },
    read: (answers) => refused(answers.unknownRenewal),
  }),
  probe({
    id: 'lookup-unknown',
    about: 'Endpoints',
    title: 'A look-up of an unknown policy is refused',
    needs: { lookup },
    calls: { unknownPolicy: microHealth.unknownPolicy },
    read: (answers) => refused(answers.unknownPolicy),
  }),
  probe({
    id: 'top-up-dates',
    about: 'top-up-dates',
    title: 'A renewal before the end keeps start_date and active_date',
    needs: { verify, topUp },
    read: ({ verify: bought, topUp: renewed }) =>
      all(
        ...['start_date', 'active_date'].map((name) =>
          same(field(bought, name), field(renewed, name), renewed),
        ),
      ),
  }),
  probe({
    id: 'top-up-anchor',
    about: 'top-up-anchor',
    title: 'A renewed cover ends after all periods paid, counted from its start',
    needs: { verify, topUp },
    read({ verify: bought, topUp: renewed }) {
      const [start = 0, end = 0] = ['start_date', 'end_date'].map((name) =>
        momentOf(field(bought, name)),
      );
      const seen = momentOf(field(renewed, 'end_date'));
      if (Number.isNaN(start + end + seen)) return unknown('the dates cannot be read');
      const fromStart = endsOf(start, 2).includes(seen);
      const fromEnd = endsOf(end, 1).includes(seen);
      if (fromStart && fromEnd) return unknown('both ways lead to the same day');
      if (!fromStart && !fromEnd) {
        return differs(
          timestamp(endsOf(start, 2)[0] as Instant),
          field(renewed, 'end_date'),
          renewed,
        );
      }
      return decided(fromStart ? 'anchor' : 'end', renewed);
    },
  }),
  probe({
    id: 'no-expiry-transition',
    about: 'no-expiry-transition',
    title: 'A subscription stays enabled after its end',
    needs: { second },
    calls: { lapsed },
    read: ({ lapsed: answer }) =>
      answer.ok
        ? same(1, field(answer, 'enable'), answer)
        : differs(words('accepted'), words(answer.shown), answer),
  }),
  probe({
    id: 'renewal-after-the-end',
    about: 'top-up-dates',
    title: 'A renewal at or after the end begins a new cover: active_date is now, start_date stays',
    needs: { second, lapsed },
    calls: { renewedLate },
    read({ second: bought, renewedLate: answer }) {
      if (!answer.ok) return differs(words('accepted'), words(answer.shown), answer);
      const active = momentOf(field(answer, 'active_date'));
      // Under a profile active_date is local, and the end says enough.
      const isLocal =
        field(bought, 'active_date') !== dateTime(momentOf(field(bought, 'start_date')));
      return all(
        same(field(bought, 'start_date'), field(answer, 'start_date'), answer),
        isLocal
          ? AS_PUBLISHED
          : same(dateTime(answer.at), Number.isNaN(active) ? undefined : dateTime(active), answer),
        same(timestamp(addMonths(answer.at, 12)), field(answer, 'end_date'), answer),
      );
    },
  }),
];
