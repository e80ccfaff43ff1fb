/* "Resources and their fields": what the service sets, and that all answers show a policy alike. */

import { timestamp } from '../../../world/time.ts';
import { type Answer, type Fields, valueAt } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import { families } from '../calls/index.ts';
import { microHealth, topUp } from '../calls/micro-health.ts';
import { motor } from '../calls/motor.ts';
import { findListed, momentOf } from '../calls/shared.ts';
import {
  AS_PUBLISHED,
  agreed,
  all,
  differs,
  isSame,
  type Probe,
  type ProbeReading,
  probe,
  same,
  unknown,
  words,
} from '../probe.ts';
import { listOf, subscription } from './echoes.ts';

const blanks: Probe = probe({
  id: 'text-trim',
  about: 'text-trim',
  title: 'White space around a text is kept',
  some: [motor.second, groupLife.second, motor.initiateSecond, groupLife.initiateSecond],
  read(_, some) {
    const pairs = [
      [motor, 'vehicle_type'],
      [groupLife, 'group_type'],
    ] as const;
    return agreed(
      pairs.flatMap(([family, field]) => {
        const [sent, shown] = [family.initiateSecond, family.second].map((each) =>
          some.find(({ call, ok }) => ok && call === each),
        );
        const text = sent?.sent[field];
        const seen = shown?.get(`data.${field}`);
        if (!shown || typeof text !== 'string' || typeof seen !== 'string') return [];
        return [
          [
            seen === text ? 'keep' : seen === text.trim() ? 'trim' : words(JSON.stringify(seen)),
            shown,
          ],
        ];
      }),
    );
  },
});

/** Timestamps in an answer: the fields that a purchase writes. */
const WRITTEN = ['created_at', 'updated_at'] as const;

const written: readonly Probe[] = families.flatMap(({ id, title, verify }) => [
  probe({
    id: `created-at.${id}`,
    about: 'subscription-dates',
    title: `A ${title} policy is created at the moment of its verify`,
    needs: { verify },
    read({ verify: answer }) {
      const [created, updated] = WRITTEN.map((field) => momentOf(answer.get(`data.${field}`)));
      if (created === undefined || Number.isNaN(created))
        return unknown('created_at cannot be read');
      // Clocks of other machines may differ by minutes.
      const isNear = Math.abs(created - answer.at) < 10 * 60_000 && updated === created;
      return isNear
        ? AS_PUBLISHED
        : differs(timestamp(answer.at), answer.get('data.created_at'), answer);
    },
  }),
]);

/** The whole second of a timestamp, as the contract writes it. */
function wholeSecond(seen: unknown): string | undefined {
  const moment = momentOf(seen);
  return Number.isNaN(moment) ? undefined : timestamp(moment);
}

const precision: Probe = probe({
  id: 'timestamp-precision',
  about: 'timestamp-precision',
  title: 'Moments are whole seconds, written with six zeros',
  some: families.map(({ verify }) => verify),
  read: (_, some) =>
    all(
      ...some
        .filter(({ ok }) => ok)
        .flatMap((answer) =>
          WRITTEN.map((field) => answer.get(`data.${field}`)).map((seen) =>
            typeof seen === 'string' && !/\.\d{6}Z$/.test(seen)
              ? // Another form is told by its schema.
                unknown('timestamps have another form')
              : same(wholeSecond(seen), seen, answer),
          ),
        ),
    ),
});

const NULL_OF_SUBSCRIBER = ['middle_name', 'address', 'next_of_kin_full_name'];
const NULL_OF_USER = [
  ...['principal_policy_no', 'nin_number', 'id_url', 'profile_url', 'company_id', 'town'],
  ...['state_of_residence', 'transaction_pin', 'occupation'],
];
const NULL_OF_BENEFICIARY = [
  'surname',
  'email',
  'phone_no',
  'address',
  'gender',
  'date_of_birth',
  'product_id',
];

/** Fields that no request sets have these values; a missing field is told by its schema. */
const defaultsOf = (item: unknown, values: Fields, at: Answer): readonly ProbeReading[] =>
  Object.entries(values)
    .filter(([field]) => valueAt(item, field) !== undefined)
    .map(([field, value]) => same(value, valueAt(item, field), at));
const nulls = (fields: readonly string[]): Fields =>
  Object.fromEntries(fields.map((field) => [field, null]));

const defaults: readonly Probe[] = [
  probe({
    id: 'subscriber-defaults.micro-health',
    about: 'subscriber-defaults',
    title: 'A new subscriber is a principal, and what no request sets is null',
    operation: microHealth.operations.list,
    needs: {
      firstBought: microHealth.verify,
      list: microHealth.list,
      lastPage: microHealth.lastPage,
    },
    read: ({ firstBought, list, lastPage }) => {
      const item = findListed(microHealth, [list, lastPage], firstBought.get(microHealth.number));
      if (!item) return unknown('the policy is not in the list');
      return all(
        AS_PUBLISHED,
        ...defaultsOf(
          item,
          { user_type: 'principal', enable: true, gender: null, ...nulls(NULL_OF_SUBSCRIBER) },
          list,
        ),
        ...listOf(item.beneficiary).flatMap((each) =>
          defaultsOf(each, nulls(NULL_OF_BENEFICIARY), list),
        ),
      );
    },
  }),
  probe({
    id: 'subscriber-defaults.group-life',
    about: 'subscriber-defaults',
    title: 'A new user is a principal, not verified, and what no request sets is null',
    needs: { verify: groupLife.verify },
    read: ({ verify }) =>
      all(
        AS_PUBLISHED,
        ...defaultsOf(
          verify.get('data.user'),
          {
            ...{ user_type: 'principal', verify_phone: 0, verify_email: 0, enable: true },
            ...nulls([...NULL_OF_SUBSCRIBER, ...NULL_OF_USER]),
          },
          verify,
        ),
      ),
  }),
];

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

/** That these answers agree on every value that several of them have; else the one that differs from most. */
function alike(shown: readonly Shown[]): ProbeReading {
  if (shown.length < 2) return unknown('there is nothing to compare');
  const values = shown.map(([record, at]) => [valuesIn(record), at] as const);
  const paths = new Set(values.flatMap(([known]) => [...known.keys()]));
  const readings = [...paths].map((path): ProbeReading => {
    const seen = values.filter(([known]) => known.has(path));
    const agreement = agreed(seen.map(([known, at]) => [{ [path]: known.get(path) }, at]));
    const isOne = typeof agreement === 'object' && 'value' in agreement && !agreement.expected;
    return isOne ? AS_PUBLISHED : agreement;
  });
  return all(...readings);
}

/** A record without the fields that may differ. */
function without(record: unknown, ...fields: readonly string[]): Fields {
  return Object.fromEntries(
    Object.entries(Object(record)).filter(([field]) => !fields.includes(field)),
  );
}

const records: readonly Probe[] = [
  probe({
    id: 'record.micro-health',
    about: 'Resources and their fields',
    title: 'Every answer shows a subscription alike, but for what its renewal changes',
    needs: { verify: microHealth.verify },
    some: [topUp, microHealth.lookup, microHealth.list, microHealth.lastPage],
    read({ verify }, some) {
      const lists = some.filter(({ call }) => call.operation.role === 'list');
      const item = findListed(microHealth, lists, verify.get(microHealth.number));
      return alike([
        [without(verify.get('data'), 'end_date', 'subscriptions_no', 'updated_at'), verify],
        ...some
          .filter(({ ok, call }) => ok && call.operation.role !== 'list')
          .map((answer): Shown => [answer.get('data'), answer]),
        ...(item && lists[0] ? [[subscription(item), lists[0]] as const] : []),
      ]);
    },
  }),
  probe({
    id: 'record.motor',
    about: 'Resources and their fields',
    title: 'Every answer shows a motor policy alike, but for the form of dates at verify',
    needs: { verify: motor.verify },
    some: [motor.initiate, motor.lookup, motor.list],
    read({ verify }, some) {
      const { merchant_id: merchant_user_id, ...verified } = verify.get('data') as Fields;
      const list = some.find(({ call }) => call === motor.list);
      const item = list && findListed(motor, [list], verify.get(motor.number));
      return alike([
        [{ ...without(verified, 'start_date', 'end_date'), merchant_user_id }, verify],
        ...some
          .filter(({ ok, call }) => ok && call !== motor.list)
          .map((answer): Shown => [answer.get('data'), answer]),
        ...(item && list ? [[without(item, 'status'), list] as const] : []),
      ]);
    },
  }),
  probe({
    id: 'record.group-life',
    about: 'Resources and their fields',
    title: 'Every answer shows a group-life policy alike',
    needs: { verify: groupLife.verify },
    some: [groupLife.lookup, groupLife.list, groupLife.lastPage],
    read({ verify }, some) {
      const lists = some.filter(({ call }) => call.operation.role === 'list');
      const item = findListed(groupLife, lists, verify.get(groupLife.number));
      const lookup = some.find(({ ok, call }) => ok && call === groupLife.lookup);
      return alike([
        [verify.get('data'), verify],
        ...(lookup ? [[lookup.get('data'), lookup] as const] : []),
        ...(item && lists[0] ? [[item, lists[0]] as const] : []),
      ]);
    },
  }),
  probe({
    id: 'subscriber-links',
    about: 'Resources and their fields',
    title: 'What belongs to a subscriber names it: subscription, beneficiaries and transactions',
    operation: microHealth.operations.list,
    needs: {
      verify: microHealth.verify,
      list: microHealth.list,
      lastPage: microHealth.lastPage,
    },
    read({ verify, list, lastPage }) {
      const item = findListed(microHealth, [list, lastPage], verify.get(microHealth.number));
      if (!item) return unknown('the policy is not in the list');
      const { user_id, product_id, merchant_user_id, created_at } = verify.get('data') as Fields;
      const link = { user_id, product_id, merchant_user_id };
      return all(
        ...defaultsOf(item, { id: user_id, merchant_user_id, created_at }, list),
        ...listOf(item.beneficiary).flatMap((each) =>
          defaultsOf(each, { user_id, created_at, updated_at: created_at }, list),
        ),
        ...listOf(item.transactions).flatMap((each) => defaultsOf(each, link, list)),
      );
    },
  }),
  probe({
    id: 'transactions',
    about: 'Resources and their fields',
    title: 'A payment is a successful credit of the subscription, one for each period paid',
    operation: microHealth.operations.list,
    needs: {
      firstBought: microHealth.verify,
      topUp,
      list: microHealth.list,
      lastPage: microHealth.lastPage,
    },
    read({ firstBought, list, lastPage }) {
      const item = findListed(microHealth, [list, lastPage], firstBought.get(microHealth.number));
      if (!item) return unknown('the policy is not in the list');
      const payments = listOf(item.transactions);
      return all(
        same(2, payments.length, list),
        ...payments.flatMap((each) => [
          same('successful', valueAt(each, 'status'), list),
          same('credit', valueAt(each, 'type'), list),
          same(valueAt(subscription(item), 'id'), valueAt(each, 'subscriptions_id'), list),
        ]),
      );
    },
  }),
  probe({
    id: 'listed-motor',
    about: 'Resources and their fields',
    title: 'A motor policy is activated in the list, and has the status true at verify',
    operation: motor.operations.list,
    needs: { verify: motor.verify, list: motor.list },
    read({ verify, list }) {
      const item = findListed(motor, [list], verify.get(motor.number));
      if (!item) return unknown('the policy is not in the list');
      return all(
        same('activated', item.status, list),
        same(true, verify.get('data.status'), verify),
      );
    },
  }),
  probe({
    id: 'group-life-verify-response',
    about: 'group-life-verify-response',
    title: 'Verify and details show the same group-life policy',
    needs: { verify: groupLife.verify, lookup: groupLife.lookup },
    read: (answers) =>
      sameFields(answers.verify.get('data'), answers.lookup.get('data'), answers.lookup),
  }),
  probe({
    id: 'group-life-items',
    about: 'group-life-items',
    title: 'The group-life list shows a policy as its details do; only its user is shorter',
    operation: groupLife.operations.list,
    needs: { lookup: groupLife.lookup, list: groupLife.list, lastPage: groupLife.lastPage },
    read({ lookup, list, lastPage }) {
      const item = findListed(groupLife, [list, lastPage], lookup.get(groupLife.number));
      if (!item) return unknown('the policy is not in the list');
      const { user, ...rest } = item;
      return all(
        sameFields(rest, lookup.get('data'), list),
        sameFields(user, lookup.get('data.user'), list),
      );
    },
  }),
  probe({
    id: 'group-life-member',
    about: 'Resources and their fields',
    title: 'A member belongs to its policy and has the type group-life',
    needs: { verify: groupLife.verify },
    read: ({ verify }) =>
      all(
        ...listOf(verify.get('data.group_life_members')).flatMap((member) => [
          same(verify.get('data.id'), valueAt(member, 'policy_id'), verify),
          same('group-life', valueAt(member, 'policy_type'), verify),
        ]),
      ),
  }),
];

/** That the fields of one record are in another with the same values; a missing one is told by its schema. */
function sameFields(expected: unknown, seen: unknown, at: Answer): ProbeReading {
  const fields = Object.entries(Object(expected)).filter(
    ([field]) => valueAt(seen, field) !== undefined,
  );
  const odd = fields.find(([field, value]) => !isSame(value, valueAt(seen, field)));
  if (!odd) return fields.length > 0 ? AS_PUBLISHED : unknown('there is nothing to compare');
  return differs({ [odd[0]]: odd[1] }, { [odd[0]]: valueAt(seen, odd[0]) }, at);
}

export const resources: readonly Probe[] = [blanks, ...written, precision, ...defaults, ...records];
