/* "Resources and their fields": what was sent comes back wherever the contract shows it. */

import type { ProbeCall } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import { microHealth } from '../calls/micro-health.ts';
import { IMAGES, motor } from '../calls/motor.ts';
import { type FamilyCalls, findListed } from '../calls/shared.ts';
import { ofEach, probesAbout } from '../probe.ts';
import { unknown } from '../reading.ts';
import type { Fields } from '../values.ts';

/** Without the blanks around texts: whether they are kept is a probe of its own. */
const trimmed = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'string' ? each.trim() : each));

/** That all purchases are shown as sent. That other answers show them alike is a probe of its own. */
const echo = (
  family: FamilyCalls,
  shownOf: (sent: Fields) => Fields,
  lists: readonly ProbeCall[] = [],
) =>
  ofEach(`What was sent is shown in ${family.id}`, family.purchases, (verify) => [
    [...verify.needs, verify, ...lists],
    ({ sent }, bought, ...pages) => {
      const isListed = lists.length > 0;
      const record = isListed ? findListed(family, pages, bought) : bought.get('data');
      if (record === undefined) return unknown('the policy is not in the list');
      return (pages[0] ?? bought).has(trimmed(record), shownOf(trimmed(sent)));
    },
  ]);

/** Fields that were sent, under the names that an answer has for them. */
const shownAs = (names: Readonly<Record<string, string>>, sent: Fields): Fields =>
  Object.fromEntries(Object.entries(names).map(([shown, name]) => [shown, sent[name] ?? null]));

const shown = (sent: Fields, ...names: readonly string[]): Fields =>
  shownAs(Object.fromEntries(names.map((name) => [name, name])), sent);

/** Micro-health shows what was sent in its list. */
function ofMicroHealth(sent: Fields): Fields {
  const names = ['first', 'second', 'third']
    .map((which) => sent[`${which}_beneficiary_full_name`])
    .filter((name) => name !== undefined && name !== '');
  return {
    ...shown(sent, 'first_name', 'surname', 'email', 'phone_no', 'date_of_birth'),
    'subscriptions.subscriptions_type': sent.subscription_type,
    'transactions.0.amount': Number(sent.amount),
    have_beneficiaries: names.length > 0,
    'beneficiary.length': names.length,
    ...Object.fromEntries(names.map((name, place) => [`beneficiary.${place}.full_name`, name])),
  };
}

/** Motor shows it in the policy. */
const ofMotor = (sent: Fields): Fields =>
  shown(
    sent,
    ...['insurance_cover', 'vehicle_type', 'frequency_type', 'registration_no', 'vehicle_make'],
    ...['vehicle_model', 'vehicle_color', 'chasis_no', 'engine_no', 'year_make', ...IMAGES],
    ...['contact_person_name', 'contact_person_address', 'contact_person_phone_no'],
    'inspection_date',
  );

/** Group life shows it in the policy, its user and its members. */
function ofGroupLife(sent: Fields): Fields {
  const members = sent.members as readonly Fields[];
  const ofUser = {
    ...{ 'user.first_name': 'first_name', 'user.surname': 'surname', 'user.email': 'email' },
    ...{ 'user.phone_no': 'phone_no', 'user.gender': 'gender', 'user.date_of_birth': 'dob' },
  };
  return {
    ...shownAs(ofUser, sent),
    ...shown(
      sent,
      ...['group_name', 'group_type', 'group_contact_address', 'first_person_name'],
      ...['first_person_phone', 'second_person_name', 'second_person_phone'],
    ),
    'group_life_members.length': members.length,
    ...Object.fromEntries(
      members.flatMap((member, place) =>
        Object.entries(member).map(([name, value]) => [
          `group_life_members.${place}.${name}`,
          value,
        ]),
      ),
    ),
  };
}

export const echoes = probesAbout({
  'Resources and their fields': {
    'echo.micro-health': echo(microHealth, ofMicroHealth, [microHealth.list, microHealth.lastPage]),
    'echo.motor': echo(motor, ofMotor),
    'echo.group-life': echo(groupLife, ofGroupLife),
  },
});
