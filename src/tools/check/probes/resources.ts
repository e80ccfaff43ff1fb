/* "Resources and their fields": what the service sets, and that all answers show a policy alike. */

import { counted } from '../../../world/grouped.ts';
import { MINUTE_MS, timestamp } from '../../../world/time.ts';
import type { Answer } from '../answer.ts';
import type { ProbeCall } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import { families } from '../calls/index.ts';
import { microHealth, topUp } from '../calls/micro-health.ts';
import { motor } from '../calls/motor.ts';
import { type FamilyCalls, findListed } from '../calls/shared.ts';
import { ofEach, probe, probesAbout } from '../probe.ts';
import { all, type ProbeReading, unknown } from '../reading.ts';
import { ofListed } from '../statements.ts';
import { type Fields, isSame, momentOf, valueAt } from '../values.ts';

/** Fields of a purchase with blanks around them. */
const BLANKS = [
  { family: motor, field: 'vehicle_type' },
  { family: groupLife, field: 'group_type' },
] as const;

/** Clocks of other machines may differ by minutes. */
const CLOCK_DIFFERENCE_MS = 10 * MINUTE_MS;

/** That a timestamp is a whole second. Another form is told by its schema. */
function isWhole(answer: Answer, path: string): ProbeReading {
  const seen = answer.get(path);
  if (typeof seen === 'string' && !/\.\d{6}Z$/.test(seen)) {
    return unknown('timestamps have another form');
  }
  const moment = momentOf(seen);
  return answer.same(Number.isNaN(moment) ? undefined : timestamp(moment), seen);
}

const nulls = (names: string): Fields =>
  Object.fromEntries(names.split(' ').map((name) => [name, null]));

const OF_SUBSCRIBER = {
  ...{ user_type: 'principal', enable: true },
  ...nulls('middle_name address next_of_kin_full_name'),
};
const OF_USER = {
  ...{ ...OF_SUBSCRIBER, verify_phone: 0, verify_email: 0 },
  ...nulls('principal_policy_no nin_number id_url profile_url company_id town'),
  ...nulls('state_of_residence transaction_pin occupation'),
};
const OF_BENEFICIARY = nulls('surname email phone_no address gender date_of_birth product_id');

/** That each element of a list has these values. */
const eachHas = (list: unknown, expected: Fields, at: Answer): ProbeReading =>
  all(...(Array.isArray(list) ? list : []).map((each) => at.has(each, expected)));

/* Every answer shows a record alike. */

type Shown = readonly [record: unknown, at: Answer];

/** The values of a record by their paths. */
function valuesIn(record: unknown, at = ''): readonly (readonly [path: string, value: unknown])[] {
  if (typeof record !== 'object' || record === null) return [[at, record]];
  return Object.entries(record).flatMap(([key, value]) =>
    valuesIn(value, at === '' ? key : `${at}.${key}`),
  );
}

/** The value that most of these are; the first of those that are equally many. */
function usual(values: readonly unknown[]): unknown {
  const timesOf = (value: unknown) => values.filter((other) => isSame(other, value)).length;
  return values.toSorted((a, b) => timesOf(b) - timesOf(a))[0];
}

/** Whether these answers agree on every value that several of them have. */
function alike(shown: readonly Shown[]): ProbeReading {
  if (shown.length < 2) return unknown('there is nothing to compare');
  const values = new Map<string, unknown[]>();
  for (const [path, value] of shown.flatMap(([record]) => valuesIn(record))) {
    values.set(path, [...(values.get(path) ?? []), value]);
  }
  const expected = Object.fromEntries([...values].map(([path, seen]) => [path, usual(seen)]));
  return all(...shown.map(([record, at]) => at.has(record, expected)));
}

/** A record without the fields that may differ. */
const without = (record: unknown, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(Object(record)).filter(([name]) => !names.includes(name)));

/** The calls that show a policy after its purchase. */
const shownBy = ({ lookup, list, lastPage }: FamilyCalls) => [lookup, list, lastPage];

/** That these answers show a policy as its verify does, but for what is taken out of what verify and the list show. */
const records = (
  family: FamilyCalls,
  title: string,
  others: readonly ProbeCall[],
  ofVerify: (data: Fields) => Fields = (data) => data,
  ofItem: (item: Fields) => unknown = (item) => item,
) =>
  probe(title, { needs: [family.verify], some: others }, (bought, ...some) => {
    const { number } = family;
    const lists = some.filter(({ call }) => call.operation.role === 'list');
    const item = findListed(family, lists, bought);
    return alike([
      [ofVerify(bought.get('data') as Fields), bought],
      ...some
        // That another policy is shown is told by the probe of its number.
        .filter((answer) => answer.ok && answer.get(number) === bought.get(number))
        .map((answer): Shown => [answer.get('data'), answer]),
      ...(item && lists[0] ? [[ofItem(item), lists[0]] as const] : []),
    ]);
  });

export const resources = probesAbout({
  'text-trim': ofEach('White space around a text is kept', BLANKS, ({ family, field }) => [
    [family.initiateSecond, family.second],
    ({ sent }, bought) => {
      const [text, seen] = [String(sent[field]), bought.get(`data.${field}`)];
      if (typeof seen !== 'string') return unknown('the field is missing');
      if (seen === text) return bought.decided('keep');
      return seen === text.trim()
        ? bought.decided('trim')
        : bought.otherwise('the text as it was sent', bought.show(seen));
    },
  ]),
  'subscription-dates': {
    'created-at': ofEach(
      'A policy is created at the moment of its verify',
      families,
      ({ verify }) => [
        [verify],
        (answer) => {
          const created_at = answer.get('data.created_at');
          const created = momentOf(created_at);
          if (Number.isNaN(created)) return unknown('created_at cannot be read');
          const isNear = Math.abs(created - answer.at) < CLOCK_DIFFERENCE_MS;
          const due = isNear ? created_at : timestamp(answer.at);
          return answer.shows({ created_at: due, updated_at: created_at });
        },
      ],
    ),
  },
  'timestamp-precision': ofEach(
    'Moments are whole seconds, written with six zeros',
    families,
    ({ verify }) => [
      [verify],
      (answer) => all(isWhole(answer, 'data.created_at'), isWhole(answer, 'data.updated_at')),
    ],
  ),
  'subscriber-defaults': {
    'subscriber-defaults.micro-health': ofListed(
      'A new subscriber is a principal, and what no request sets is null',
      microHealth,
      [microHealth.verify],
      (item, list) =>
        all(
          list.has(item, { ...OF_SUBSCRIBER, gender: null }),
          eachHas(item.beneficiary, OF_BENEFICIARY, list),
        ),
    ),
    'subscriber-defaults.group-life': probe(
      'A new user is a principal, not verified, and what no request sets is null',
      [groupLife.verify],
      (bought) => bought.has(bought.get('data.user'), OF_USER),
    ),
  },
  'Resources and their fields': {
    'record.micro-health': records(
      microHealth,
      'Every answer shows a subscription alike, but for what its renewal changes',
      [topUp, ...shownBy(microHealth)],
      (data) => without(data, 'end_date', 'subscriptions_no', 'updated_at'),
      ({ subscriptions }) => (Array.isArray(subscriptions) ? subscriptions[0] : subscriptions),
    ),
    'record.motor': records(
      motor,
      'Every answer shows a motor policy alike',
      [motor.initiate, ...shownBy(motor)],
      ({ merchant_id: merchant_user_id, ...verified }) => ({ ...verified, merchant_user_id }),
      (item) => without(item, 'status'),
    ),
    'subscriber-links': ofListed(
      'What belongs to a subscriber names it: subscription, beneficiaries and transactions',
      microHealth,
      [microHealth.verify],
      (item, list, bought) => {
        const { user_id, product_id, merchant_user_id, created_at } = bought.get('data') as Fields;
        return all(
          list.has(item, { id: user_id, merchant_user_id, created_at }),
          eachHas(item.beneficiary, { user_id, created_at, updated_at: created_at }, list),
          eachHas(item.transactions, { user_id, product_id, merchant_user_id }, list),
        );
      },
    ),
    transactions: ofListed(
      'A payment is a successful credit of the subscription, one for each period paid',
      microHealth,
      [microHealth.verify, topUp],
      ({ transactions, subscriptions }, list) => {
        if (!Array.isArray(transactions)) return unknown('the list shows no transactions');
        const seen = counted(transactions.length, 'transaction');
        const subscriptions_id = valueAt(subscriptions, 'id') ?? valueAt(subscriptions, '0.id');
        return all(
          list.holds(transactions.length === 2, '2 transactions', seen),
          eachHas(transactions, { status: 'successful', type: 'credit', subscriptions_id }, list),
        );
      },
    ),
    'group-life-member': probe(
      'A member belongs to its policy and has the type group-life',
      [groupLife.verify],
      (bought) =>
        eachHas(
          bought.get('data.group_life_members'),
          { policy_id: bought.get('data.id'), policy_type: 'group-life' },
          bought,
        ),
    ),
  },
  'group-life-verify-response': records(
    groupLife,
    'Verify, details and the list show the same group-life policy; only the user of the list is shorter',
    shownBy(groupLife),
  ),
});
