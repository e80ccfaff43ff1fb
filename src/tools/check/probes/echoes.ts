/* "Resources and their fields": what was sent comes back wherever the contract shows it. */

import { isPlainObject } from '../../../world/problem-texts.ts';
import { type Answer, type Fields, type ProbeCall, valueAt } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import { atOnce, microHealth } from '../calls/micro-health.ts';
import { IMAGES, motor } from '../calls/motor.ts';
import { type FamilyCalls, findListed } from '../calls/shared.ts';
import { probe, probesAbout } from '../probe.ts';
import { all, answerTo, hasField, type ProbeReading } from '../reading.ts';

/** What was sent and what is shown of it. */
type Pair = readonly [field: string, sent: unknown, shown: unknown];
/** An echo: what it is about, and the values to compare. */
type Echo = readonly [what: string, pairsOf: (sent: Fields, shown: Fields) => readonly Pair[]];

/** Text without the blanks around it: whether they are kept is a probe of its own. */
const trimmed = (value: unknown): unknown =>
  typeof value === 'string' ? value.trim() : (value ?? null);

/** That a value is shown as sent. */
const echoed = ([field, sent, shown]: Pair, at: Answer): ProbeReading =>
  hasField(shown === undefined ? {} : { [field]: trimmed(shown) }, field, trimmed(sent), at);

/** That both purchases are shown as sent. That other answers show them alike is a probe of its own. */
const echoesOf = (
  { id, initiate, verify, initiateSecond, second }: FamilyCalls,
  echoes: Readonly<Record<string, Echo>>,
  lists: readonly ProbeCall[],
  recordOf: (bought: Answer, pages: readonly Answer[]) => unknown,
) =>
  Object.fromEntries(
    Object.entries(echoes).map(([name, [what, pairsOf]]) => [
      `echo.${id}.${name}`,
      probe(
        `What was sent is shown in ${id}: ${what}`,
        { needs: [initiate, verify, ...lists], some: [initiateSecond, second] },
        (...answers) => {
          const pages = answers.filter(({ call }) => lists.includes(call));
          const purchases = [
            [initiate, verify],
            [initiateSecond, second],
          ].map((calls) => calls.map((call) => answerTo(answers, call)));
          return all(
            ...purchases.flatMap(([pending, bought]) => {
              const record = bought?.ok ? recordOf(bought, pages) : undefined;
              if (!pending || !bought || !isPlainObject(record)) return [];
              const at = pages[0] ?? bought;
              return pairsOf(pending.sent, record).map((pair) => echoed(pair, at));
            }),
          );
        },
      ),
    ]),
  );

/** Fields of a record that have the same name in the request. */
const fieldsIn =
  (record: (shown: Fields) => unknown) =>
  (...names: readonly string[]): Echo => [
    names.join(', '),
    (sent, shown) => names.map((name) => [name, sent[name], valueAt(record(shown), name)]),
  ];
const fields = fieldsIn((shown) => shown);
const ofUser = fieldsIn(({ user }) => user);

/** The day of a timestamp. */
const dayOf = (written: unknown): unknown =>
  typeof written === 'string' ? written.slice(0, 10) : written;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const subscription = (item: Fields): unknown =>
  Array.isArray(item.subscriptions) ? item.subscriptions[0] : item.subscriptions;

/* Micro-health shows what was sent in its list. */

const beneficiaries = (sent: Fields): readonly unknown[] =>
  ['first', 'second', 'third']
    .map((which) => trimmed(sent[`${which}_beneficiary_full_name`]))
    .filter((name) => name !== null && name !== '');

const OF_MICRO_HEALTH: Readonly<Record<string, Echo>> = {
  'first-name': fields('first_name'),
  surname: fields('surname'),
  email: fields('email'),
  'phone-no': fields('phone_no'),
  'date-of-birth': [
    'the date of birth',
    (sent, item) => [['date_of_birth', sent.date_of_birth, dayOf(item.date_of_birth)]],
  ],
  beneficiaries: [
    'the names of beneficiaries',
    (sent, item) => {
      if (!Array.isArray(item.beneficiary)) return [];
      const names = item.beneficiary.map((each) => trimmed(valueAt(each, 'full_name')));
      return [['beneficiary', beneficiaries(sent), names]];
    },
  ],
  'subscription-type': [
    'the payment frequency',
    (sent, item) => {
      const type = valueAt(subscription(item), 'subscriptions_type');
      return [['subscriptions_type', sent.subscription_type, String(type).toLowerCase()]];
    },
  ],
  amount: [
    'the amount, as a transaction',
    (sent, item) => [
      ['amount', Number(sent.amount), Number(valueAt(item.transactions, '0.amount'))],
    ],
  ],
};

/* Motor and group life show it in the policy. */

const OF_MOTOR: Readonly<Record<string, Echo>> = {
  cover: fields('insurance_cover', 'vehicle_type'),
  frequency: fields('frequency_type'),
  vehicle: fields(
    ...['registration_no', 'vehicle_make', 'vehicle_model', 'vehicle_color'],
    ...['chasis_no', 'engine_no'],
  ),
  year: fields('year_make'),
  images: fields(...IMAGES),
  contact: fields('contact_person_name', 'contact_person_address', 'contact_person_phone_no'),
  inspection: fields('inspection_date'),
};

const member = fields('full_name', 'gender', 'occupation', 'next_of_kiln', 'phone_number');

const OF_GROUP_LIFE: Readonly<Record<string, Echo>> = {
  names: ofUser('first_name', 'surname'),
  email: ofUser('email'),
  phone: ofUser('phone_no'),
  gender: ofUser('gender'),
  birth: [
    'the date of birth of its purchaser',
    (sent, policy) => [['date_of_birth', sent.dob, dayOf(valueAt(policy.user, 'date_of_birth'))]],
  ],
  group: fields(
    ...['group_name', 'group_type', 'group_contact_address'],
    ...['first_person_name', 'first_person_phone', 'second_person_name', 'second_person_phone'],
  ),
  members: [
    'its members, in their order',
    (sent, policy) => {
      if (!Array.isArray(policy.group_life_members)) return [];
      const members = policy.group_life_members as readonly Fields[];
      const sentMembers = listOf(sent.members) as readonly Fields[];
      return [
        ['group_life_members', sentMembers.length, members.length],
        ...sentMembers.flatMap((each, place) => {
          const shown = members[place] ?? {};
          const born: Pair = ['date_of_birth', each.date_of_birth, dayOf(shown.date_of_birth)];
          return [...member[1](each, shown), born];
        }),
      ];
    },
  ],
};

const policyIn = (bought: Answer): unknown => bought.get('data');

const haveBeneficiaries = probe(
  'have_beneficiaries says whether a purchase has beneficiaries',
  { needs: [microHealth.verify, microHealth.list, microHealth.lastPage], some: atOnce },
  (bought, list, lastPage, ...alone) => {
    const [item, itemAlone] = [bought, ...alone.filter(({ ok }) => ok)].map((answer) =>
      findListed(microHealth, [list, lastPage], answer),
    );
    return all(
      hasField(item, 'have_beneficiaries', true, list),
      hasField(itemAlone, 'have_beneficiaries', false, list),
    );
  },
);

export const echoes = probesAbout({
  'Resources and their fields': {
    ...echoesOf(
      microHealth,
      OF_MICRO_HEALTH,
      [microHealth.list, microHealth.lastPage],
      (bought, pages) => findListed(microHealth, pages, bought),
    ),
    'echo.micro-health.have-beneficiaries': haveBeneficiaries,
    ...echoesOf(motor, OF_MOTOR, [], policyIn),
    ...echoesOf(groupLife, OF_GROUP_LIFE, [], policyIn),
  },
});
