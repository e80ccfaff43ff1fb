/* "Endpoints", group life: purchases with their members, and look-ups. */

import { addMonths, addMonthsOverflowing, day } from '../../../world/time.ts';
import { type Answer, call } from '../call.ts';
import { groupLife, MEMBER } from '../calls/group-life.ts';
import { microHealth } from '../calls/micro-health.ts';
import { withoutFields } from '../calls/refusals.ts';
import { momentOf } from '../calls/shared.ts';
import {
  AS_PUBLISHED,
  accepted,
  all,
  differs,
  formed,
  type Probe,
  probe,
  refused,
  same,
  unknown,
  words,
} from '../probe.ts';
import { accepts, refuses } from './variations.ts';

const { initiate, verify, lookup, unknownPolicy } = groupLife;

const { next_of_kiln: kin, ...withoutKin } = MEMBER;
const { gender: _gender, ...withoutGender } = MEMBER;

const fields: readonly Probe[] = [
  probe({
    id: 'group-life-initiate-body',
    about: 'group-life-initiate-body',
    title:
      'Every field of a group-life purchase but second_person_phone and start_date is required',
    needs: { initiate },
    calls: { empty: withoutFields(initiate) },
    read({ initiate: { sent }, empty }) {
      if (empty.ok || empty.status >= 500) return refused(empty);
      if (empty.problems.length < 2) return unknown('problems are told one at a time');
      const { second_person_phone: _, ...required } = sent;
      const optional = Object.keys(required).filter((field) => !empty.names(field));
      return optional.length === 0
        ? AS_PUBLISHED
        : differs(words('required'), words(`not required: ${optional.join(', ')}`), empty);
    },
  }),
  probe({
    id: 'group-life-verify-body',
    about: 'group-life-verify-body',
    title: 'Verify takes the token as token',
    needs: { initiate },
    calls: { verify },
    read: (answers) => accepted(answers.verify),
  }),
  accepts(initiate, {
    id: 'members-as-text',
    about: 'group-life-members',
    title: 'Members may be the JSON text of an array',
    each: [{ members: JSON.stringify([MEMBER]) }],
  }),
  accepts(initiate, {
    id: 'members-next-of-kin',
    about: 'group-life-members',
    title: 'A member may name its next_of_kin in the usual spelling',
    each: [{ members: [{ ...withoutKin, next_of_kin: kin }] }],
  }),
  refuses(initiate, {
    id: 'members-count',
    about: 'group-life-members',
    title: 'Members are an array of at least one',
    each: [{ members: [] }, { members: [7] }],
  }),
  refuses(initiate, {
    id: 'members-fields',
    about: 'group-life-members',
    title: 'A member without fields is refused',
    each: [{ members: [{}] }],
  }),
  probe({
    id: 'members-place',
    about: 'group-life-members',
    title: 'A problem of a member names its place: members.1.gender',
    needs: { initiate },
    calls: {
      request: {
        ...call(
          initiate.operation.operationId,
          'with a second member without gender',
          { needs: { initiate }, refusal: 'invalid' },
          (needs) => ({ ...needs.initiate.sent, members: [MEMBER, withoutGender] }),
        ),
        changed: ['members'],
      },
    },
    read: ({ request }) =>
      request.ok
        ? unknown('such a member is accepted')
        : request.names('members.1.gender')
          ? AS_PUBLISHED
          : differs(words('a message about members.1.gender'), request.message, request),
  }),
];

/** How far the local time of a subscription is ahead of UTC; 0 if it does not tell. */
function offsetIn(answer: Answer): number {
  const [local = 0, utc = 0] = ['active_date', 'start_date'].map((name) =>
    momentOf(answer.get(`data.${name}`)),
  );
  return local - utc || 0;
}

const policies: readonly Probe[] = [
  probe({
    id: 'group-life-policy-number',
    about: 'group-life-policy-number',
    title: 'A group-life policy number is IN and 8 digits',
    needs: { verify },
    read: ({ verify: answer }) =>
      formed(/^IN\d{8}$/, 'IN and 8 digits', answer.get(groupLife.number), answer),
  }),
  probe({
    id: 'group-life-user',
    about: 'group-life-user',
    title: 'The user of a group-life policy has a number of its own, 10 digits',
    needs: { verify },
    read: ({ verify: answer }) =>
      formed(/^\d{10}$/, '10 digits', answer.get('data.user.policy_no'), answer),
  }),
  probe({
    id: 'group-life-status',
    about: 'States and transitions',
    title: 'A group-life policy has the status true',
    needs: { verify },
    read: ({ verify: answer }) => same(true, answer.get('data.status'), answer),
  }),
  probe({
    id: 'group-life-start',
    about: 'group-life-dates',
    title: 'A cover without a start_date starts on the day of verify, at midnight',
    needs: { verify },
    some: [verify, microHealth.verify],
    read({ verify: answer }, some) {
      const start = answer.get('data.start_date');
      const created = momentOf(answer.get('data.created_at'));
      if (Number.isNaN(created)) return unknown('created_at cannot be read');
      const zoned = some.find(({ call: asked, ok }) => ok && asked === microHealth.verify);
      const today = day(created + (zoned ? offsetIn(zoned) : 0));
      return String(start).startsWith(`${today}T00:00:00`)
        ? AS_PUBLISHED
        : differs(`${today}T00:00:00.000000Z`, start, answer);
    },
  }),
  probe({
    id: 'group-life-dates',
    about: 'group-life-dates',
    title: 'A group-life cover ends a year after its start',
    needs: { verify },
    read({ verify: answer }) {
      const [start, end] = ['start_date', 'end_date'].map((name) =>
        momentOf(answer.get(`data.${name}`)),
      );
      if (start === undefined || Number.isNaN(start)) return unknown('start_date cannot be read');
      const ends = [addMonths(start, 12), addMonthsOverflowing(start, 12)];
      return ends.includes(end as number)
        ? AS_PUBLISHED
        : differs(day(ends[0] as number), answer.get('data.end_date'), answer);
    },
  }),
  probe({
    id: 'group-life-start-date',
    about: 'group-life-dates',
    title: 'A cover starts on the start_date that was sent',
    needs: { initiateSecond: groupLife.initiateSecond, second: groupLife.second },
    read: (answers) =>
      same(
        answers.initiateSecond.sent.start_date,
        String(answers.second.get('data.start_date')).slice(0, 10),
        answers.second,
      ),
  }),
];

const named = (field: string) =>
  call(lookup.operation.operationId, `by ${field}`, { needs: { verify, lookup } }, (needs) => ({
    [field]: needs.verify.get(groupLife.number),
  }));

const lookups: readonly Probe[] = [
  ...['policyNumber', 'Policy_number'].map((field) =>
    probe({
      id: `group-life-details-field.${field}`,
      about: 'group-life-details-field',
      title: `Group-life details take the policy number as ${field}, too`,
      needs: { lookup },
      calls: { request: named(field) },
      read: ({ request }) => accepted(request),
    }),
  ),
  probe({
    id: 'group-life-details-required',
    about: 'group-life-details-field',
    title: 'Group-life details without a policy number are refused, naming policy_number',
    needs: { lookup },
    calls: { empty: withoutFields(lookup) },
    read: ({ empty }) =>
      all(
        refused(empty),
        empty.ok || empty.names('policy_number')
          ? AS_PUBLISHED
          : differs(words('a message about policy_number'), empty.message, empty),
      ),
  }),
  probe({
    id: 'group-life-details-unknown',
    about: 'Endpoints',
    title: 'Details of an unknown group-life policy are refused',
    needs: { lookup },
    calls: { unknownPolicy },
    read: (answers) => refused(answers.unknownPolicy),
  }),
];

export const groupLifeProbes: readonly Probe[] = [...fields, ...policies, ...lookups];
