/* "Endpoints", group life: the fields and members of its purchases, and its policies. */

import { varied } from '../call.ts';
import { groupLife, MEMBER } from '../calls/group-life.ts';
import { probe, probesAbout } from '../probe.ts';
import { unknown } from '../reading.ts';
import { accepts, refuses, requires, wrong } from '../statements.ts';

const { initiate, verify, number } = groupLife;

const { next_of_kiln: next_of_kin, ...withoutKin } = MEMBER;
const { gender: _gender, ...withoutGender } = MEMBER;
export const groupLifeProbes = probesAbout({
  'group-life-initiate-body': requires(
    'Every field of a group-life purchase but second_person_phone and start_date is required',
    [initiate],
    (field) => field !== 'second_person_phone',
  ),
  'group-life-members': {
    'members-as-text': accepts('Members may be the JSON text of an array', [
      varied(initiate, '', { members: JSON.stringify([MEMBER]) }),
    ]),
    'members-next-of-kin': accepts('A member may name its next_of_kin in the usual spelling', [
      varied(initiate, '', { members: [{ ...withoutKin, next_of_kin }] }),
    ]),
    'members-count': refuses(
      'Members are an array of at least one',
      wrong(initiate, { members: [] }, { members: [7] }),
    ),
    'members-fields': refuses(
      'A member without fields is refused',
      wrong(initiate, { members: [{}] }),
    ),
    'members-place': probe(
      'A problem of a member names its place: members.1.gender',
      { calls: wrong(initiate, { members: [MEMBER, withoutGender] }) },
      (answer) => {
        const place = 'members.1.gender';
        if (answer.ok) return unknown('such a member is accepted');
        return answer.holds(answer.names(place), `a message about ${place}`, answer.shown);
      },
    ),
  },
  'group-life-policy-number': probe(
    'A group-life policy number is IN and 8 digits',
    [verify],
    (answer) => answer.formed(number, /^IN\d{8}$/, 'IN and 8 digits'),
  ),
  'group-life-user': probe(
    'The user of a group-life policy has a number of its own, 10 digits',
    [verify],
    (answer) => answer.formed('data.user.policy_no', /^\d{10}$/, '10 digits'),
  ),
});
