/* "Resources and their fields": what was sent comes back wherever the contract shows it. */

import { type Answer, type Fields, valueAt } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import { microHealth } from '../calls/micro-health.ts';
import { IMAGES, motor } from '../calls/motor.ts';
import { type FamilyCalls, findListed } from '../calls/shared.ts';
import { probe, probesAbout } from '../probe.ts';
import { all, answerTo, hasField, type ProbeReading, unknown } from '../reading.ts';

/** What was sent and what is shown of it. */
type Pair = readonly [field: string, sent: unknown, shown: unknown];
/** An echo: what it is about, and the values to compare. */
type Echo = readonly [what: string, pairsOf: (sent: Fields, shown: Fields) => readonly Pair[]];
/** A purchase and a place that shows it. */
type Shown = readonly [sent: Fields, shown: Fields, at: Answer];

/** Text without the blanks around it: whether they are kept is a probe of its own. */
const trimmed = (value: unknown): unknown =>
  typeof value === 'string' ? value.trim() : (value ?? null);

/** That a value is shown as sent. */
const echoed = ([field, sent, shown]: Pair, at: Answer): ProbeReading =>
  hasField(shown === undefined ? {} : { [field]: trimmed(shown) }, field, trimmed(sent), at);

/** That the places of purchases show them as sent. */
function read(places: readonly Shown[], pairsOf: Echo[1]): ProbeReading {
  if (places.length === 0) return unknown('no answer shows the policy');
  return all(
    ...places.flatMap(([sent, shown, at]) => pairsOf(sent, shown).map((pair) => echoed(pair, at))),
  );
}

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
  'have-beneficiaries': [
    'that there are beneficiaries',
    (sent, item) => [
      ['have_beneficiaries', beneficiaries(sent).length > 0, item.have_beneficiaries],
    ],
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

const inList = ([what, pairsOf]: Echo) => {
  const { list, lastPage, verify, second, initiate, initiateSecond } = microHealth;
  return probe(
    `The micro-health list shows ${what} as sent`,
    [list, lastPage, verify, second, initiate, initiateSecond],
    (page, last, bought, boughtNext, first, next) => {
      const purchases = [[first, bought] as const, [next, boughtNext] as const];
      const places = purchases.flatMap(([{ sent }, answer]) => {
        const item = findListed(microHealth, [page, last], answer);
        return item ? [[sent, item, page] as const] : [];
      });
      return read(places, pairsOf);
    },
  );
};

/* Motor and group life show it in every answer about the policy. */

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

const inAnswers =
  (name: string, { initiate, verify, lookup, initiateSecond, second }: FamilyCalls) =>
  ([what, pairsOf]: Echo) =>
    probe(
      `${name} shows as sent: ${what}`,
      { needs: [verify], some: [verify, initiate, lookup, initiateSecond, second] },
      (...answers) => {
        const shownBy = [
          [initiate, [initiate, verify, lookup]],
          [initiateSecond, [initiateSecond, second]],
        ] as const;
        const places = shownBy.flatMap(([initiated, calls]) => {
          const sent = answerTo(answers, initiated)?.sent;
          return calls.flatMap((call) => {
            const answer = answerTo(answers, call);
            const data = Object(answer?.get('data')) as Fields;
            // Group life's initiate answers a token alone.
            const isPolicy = answer?.ok && sent && Object.keys(data).length > 1;
            return isPolicy ? [[sent, data, answer] as const] : [];
          });
        });
        return read(places, pairsOf);
      },
    );

const probesOf = (
  id: string,
  echoes: Readonly<Record<string, Echo>>,
  state: (echo: Echo) => ReturnType<typeof probe>,
) =>
  Object.fromEntries(
    Object.entries(echoes).map(([name, echo]) => [`echo.${id}.${name}`, state(echo)]),
  );

export const echoes = probesAbout({
  'Resources and their fields': {
    ...probesOf('micro-health', OF_MICRO_HEALTH, inList),
    ...probesOf('motor', OF_MOTOR, inAnswers('Motor', motor)),
    ...probesOf('group-life', OF_GROUP_LIFE, inAnswers('Group life', groupLife)),
  },
});
