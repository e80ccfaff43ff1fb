/* "Resources and their fields": what the service sets, and that all answers show a policy alike. */

import { MINUTE_MS, timestamp } from '../../../world/time.ts';
import { count } from '../../violations.ts';
import { type Answer, type Fields, type ProbeCall, valueAt } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import { families } from '../calls/index.ts';
import { microHealth, topUp } from '../calls/micro-health.ts';
import { motor } from '../calls/motor.ts';
import { type FamilyCalls, findListed, momentOf } from '../calls/shared.ts';
import { ofEach, probe, probesAbout } from '../probe.ts';
import {
  AS_PUBLISHED,
  agreed,
  all,
  answerTo,
  differs,
  eachOf,
  hasField,
  holds,
  isSame,
  type ProbeReading,
  type SeenValue,
  same,
  shows,
  unknown,
  words,
} from '../reading.ts';
import { ofListed } from '../statements.ts';
import { listOf, subscription } from './echoes.ts';

/** Fields of a purchase with blanks around them. */
const BLANKS = [
  [motor, 'vehicle_type'],
  [groupLife, 'group_type'],
] as const;

/** Timestamps that a purchase writes. */
const WRITTEN = ['data.created_at', 'data.updated_at'] as const;
/** Clocks of other machines may differ by minutes. */
const CLOCK_DIFFERENCE_MS = 10 * MINUTE_MS;

/** That a timestamp is a whole second. Another form is told by its schema. */
function isWhole(answer: Answer, path: string): ProbeReading {
  const seen = answer.get(path);
  if (typeof seen === 'string' && !/\.\d{6}Z$/.test(seen)) {
    return unknown('timestamps have another form');
  }
  const moment = momentOf(seen);
  return same(Number.isNaN(moment) ? undefined : timestamp(moment), seen, answer);
}

/** That a record has these values. */
const have = (record: unknown, values: unknown, at: Answer): ProbeReading =>
  all(
    ...Object.entries(Object(values)).map(([field, value]) => hasField(record, field, value, at)),
  );

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

/* Every answer shows a record alike. */

type Shown = readonly [record: unknown, at: Answer];

/** The values of a record by their paths; a missing one is told by its schema. */
function valuesIn(record: unknown, at = ''): ReadonlyMap<string, unknown> {
  if (typeof record !== 'object' || record === null) return new Map([[at, record]]);
  return new Map(
    Object.entries(record).flatMap(([key, value]) => [
      ...valuesIn(value, at === '' ? key : `${at}.${key}`),
    ]),
  );
}

/** Whether these answers agree on every value that several of them have. If not, the answer that differs from most is told. */
function alike(shown: readonly Shown[]): ProbeReading {
  if (shown.length < 2) return unknown('there is nothing to compare');
  const values = shown.map(([record, at]) => [valuesIn(record), at] as const);
  const paths = new Set(values.flatMap(([known]) => [...known.keys()]));
  const readings = [...paths].map((path): ProbeReading => {
    const seen = values.flatMap(([known, at]): SeenValue[] =>
      known.has(path) ? [[known.get(path), at]] : [],
    );
    const timesOf = (value: unknown) => seen.filter(([other]) => isSame(other, value)).length;
    const [[usual] = []] = seen.toSorted(([a], [b]) => timesOf(b) - timesOf(a));
    const [value, at] = seen.find(([other]) => !isSame(other, usual)) ?? [];
    if (at === undefined) return AS_PUBLISHED;
    const elsewhere = `${at.masked(JSON.stringify({ [path]: usual }))} as elsewhere`;
    return differs(words(elsewhere), { [path]: value }, at);
  });
  return all(...readings);
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
    const isList = ({ call }: Answer) => call.operation.role === 'list';
    const lists = some.filter(isList);
    const item = findListed(family, lists, bought);
    return alike([
      [ofVerify(bought.get('data') as Fields), bought],
      ...some
        // That another policy is shown is told by the probe of its number.
        .filter((answer) => answer.ok && shows(answer, number, bought.get(number)) === AS_PUBLISHED)
        .map((answer): Shown => [answer.get('data'), answer]),
      ...(item && lists[0] ? [[ofItem(item), lists[0]] as const] : []),
    ]);
  });

export const resources = probesAbout({
  'text-trim': probe(
    'White space around a text is kept',
    { some: BLANKS.flatMap(([{ initiateSecond, second }]) => [second, initiateSecond]) },
    (...some) =>
      agreed(
        BLANKS.flatMap(([{ initiateSecond, second }, field]) => {
          const shown = answerTo(some, second);
          const text = answerTo(some, initiateSecond)?.sent[field];
          const seen = shown?.get(`data.${field}`);
          if (!shown?.ok || typeof text !== 'string' || typeof seen !== 'string') return [];
          const isTrimmed = seen === text.trim() && 'trim';
          return [
            [
              seen === text ? 'keep' : isTrimmed || words(shown.masked(JSON.stringify(seen))),
              shown,
            ],
          ];
        }),
      ),
  ),
  'subscription-dates': ofEach('created-at', families, ({ id, verify }) =>
    probe(`A ${id} policy is created at the moment of its verify`, [verify], (answer) => {
      const [written, updated] = WRITTEN.map((path) => answer.get(path));
      const created = momentOf(written);
      if (Number.isNaN(created)) return unknown('created_at cannot be read');
      const isNear = Math.abs(created - answer.at) < CLOCK_DIFFERENCE_MS;
      return all(
        isNear ? AS_PUBLISHED : shows(answer, WRITTEN[0], timestamp(answer.at)),
        same({ updated_at: written }, { updated_at: updated }, answer),
      );
    }),
  ),
  'timestamp-precision': probe(
    'Moments are whole seconds, written with six zeros',
    { some: families.map(({ verify }) => verify) },
    (...some) => eachOf(some, (answer) => all(...WRITTEN.map((path) => isWhole(answer, path)))),
  ),
  'subscriber-defaults': {
    'subscriber-defaults.micro-health': ofListed(
      'A new subscriber is a principal, and what no request sets is null',
      microHealth,
      [microHealth.verify],
      (item, list) =>
        all(
          have(item, { ...OF_SUBSCRIBER, gender: null }, list),
          ...listOf(item.beneficiary).map((each) => have(each, OF_BENEFICIARY, list)),
        ),
    ),
    'subscriber-defaults.group-life': probe(
      'A new user is a principal, not verified, and what no request sets is null',
      [groupLife.verify],
      (bought) => have(bought.get('data.user'), OF_USER, bought),
    ),
  },
  'Resources and their fields': {
    'record.micro-health': records(
      microHealth,
      'Every answer shows a subscription alike, but for what its renewal changes',
      [topUp, ...shownBy(microHealth)],
      (data) => without(data, 'end_date', 'subscriptions_no', 'updated_at'),
      subscription,
    ),
    'record.motor': records(
      motor,
      'Every answer shows a motor policy alike, but for the form of dates at verify',
      [motor.initiate, ...shownBy(motor)],
      ({ merchant_id: merchant_user_id, ...verified }) => ({
        ...without(verified, 'start_date', 'end_date'),
        merchant_user_id,
      }),
      (item) => without(item, 'status'),
    ),
    'subscriber-links': ofListed(
      'What belongs to a subscriber names it: subscription, beneficiaries and transactions',
      microHealth,
      [microHealth.verify],
      (item, list, bought) => {
        const { user_id, product_id, merchant_user_id, created_at } = bought.get('data') as Fields;
        const link = { user_id, product_id, merchant_user_id };
        const written = { user_id, created_at, updated_at: created_at };
        return all(
          have(item, { id: user_id, merchant_user_id, created_at }, list),
          ...listOf(item.beneficiary).map((each) => have(each, written, list)),
          ...listOf(item.transactions).map((each) => have(each, link, list)),
        );
      },
    ),
    transactions: ofListed(
      'A payment is a successful credit of the subscription, one for each period paid',
      microHealth,
      [microHealth.verify, topUp],
      (item, list) => {
        if (!Array.isArray(item.transactions)) return unknown('the list shows no transactions');
        const payments: readonly unknown[] = item.transactions;
        const subscriptions_id = valueAt(subscription(item), 'id');
        const values = { status: 'successful', type: 'credit', subscriptions_id };
        return all(
          holds(
            payments.length === 2,
            '2 transactions',
            words(count(payments.length, 'transaction')),
            list,
          ),
          ...payments.map((each) => have(each, values, list)),
        );
      },
    ),
    'listed-motor': ofListed(
      'A motor policy is activated in the list, and has the status true at verify',
      motor,
      [motor.verify],
      (item, list, bought) =>
        all(same('activated', item.status, list), shows(bought, 'data.status', true)),
    ),
    'group-life-member': probe(
      'A member belongs to its policy and has the type group-life',
      [groupLife.verify],
      (bought) =>
        all(
          ...listOf(bought.get('data.group_life_members')).map((member) =>
            have(member, { policy_id: bought.get('data.id'), policy_type: 'group-life' }, bought),
          ),
        ),
    ),
  },
  'group-life-verify-response': records(
    groupLife,
    'Verify, details and the list show the same group-life policy; only the user of the list is shorter',
    shownBy(groupLife),
  ),
});
