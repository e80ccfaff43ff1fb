/* "Resources and their fields": what was sent comes back wherever the contract shows it. */

import { type Answer, type Fields, type ProbeCall, valueAt } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import type { families } from '../calls/index.ts';
import { microHealth } from '../calls/micro-health.ts';
import { IMAGES, motor } from '../calls/motor.ts';
import { findListed } from '../calls/shared.ts';
import { all, type Probe, type ProbeReading, probe, same, unknown } from '../probe.ts';

/** Text without the blanks around it: whether they are kept is a probe of its own. */
const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

const echoed = (sent: unknown, seen: unknown, at: Answer): ProbeReading =>
  same(trimmed(sent), trimmed(seen), at);

/* Micro-health shows what was sent in its list. */

const healthCalls = {
  first: microHealth.initiate,
  firstBought: microHealth.verify,
  second: microHealth.initiateSecond,
  secondBought: microHealth.second,
  list: microHealth.list,
  lastPage: microHealth.lastPage,
};

/** Reads what was sent in each purchase and the item of the list that came of it. */
const inList =
  (read: (sent: Fields, item: Fields, at: Answer) => ProbeReading): Probe['read'] =>
  ({ first, firstBought, second, secondBought, list, lastPage }) => {
    const pages = [list, lastPage] as [Answer, Answer];
    const readings = [
      [first, firstBought],
      [second, secondBought],
    ].flatMap(([sent, bought]) => {
      const item = findListed(microHealth, pages, bought?.get(microHealth.number));
      return sent && item ? [read(sent.sent, item, pages[0])] : [];
    });
    return readings.length === 0 ? unknown('the policies are not in the list') : all(...readings);
  };

const sentNames = (sent: Fields): readonly unknown[] =>
  ['first', 'second', 'third']
    .map((which) => trimmed(sent[`${which}_beneficiary_full_name`]))
    .filter((name) => name !== undefined && name !== '');

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const subscription = (item: Fields): unknown =>
  Array.isArray(item.subscriptions) ? item.subscriptions[0] : item.subscriptions;

const HEALTH_ECHOES: readonly (readonly [
  id: string,
  what: string,
  read: Parameters<typeof inList>[0],
])[] = [
  ...['first_name', 'surname', 'email', 'phone_no'].map(
    (field) =>
      [
        field,
        field,
        (sent: Fields, item: Fields, at: Answer) => echoed(sent[field], item[field], at),
      ] as const,
  ),
  [
    'date_of_birth',
    'the date of birth',
    (sent, item, at) => same(sent.date_of_birth, String(item.date_of_birth).slice(0, 10), at),
  ],
  [
    'beneficiaries',
    'the names of beneficiaries',
    (sent, item, at) =>
      same(
        sentNames(sent),
        listOf(item.beneficiary).map((each) => trimmed(valueAt(each, 'full_name'))),
        at,
      ),
  ],
  [
    'have_beneficiaries',
    'that there are beneficiaries',
    (sent, item, at) => same(sentNames(sent).length > 0, item.have_beneficiaries, at),
  ],
  [
    'subscription_type',
    'the payment frequency',
    (sent, item, at) =>
      same(
        sent.subscription_type,
        String(valueAt(subscription(item), 'subscriptions_type')).toLowerCase(),
        at,
      ),
  ],
  [
    'amount',
    'the amount, as a transaction',
    (sent, item, at) =>
      same(Number(sent.amount), Number(valueAt(item.transactions, '0.amount')), at),
  ],
];

const healthEchoes: readonly Probe[] = HEALTH_ECHOES.map(([id, what, read]) =>
  probe({
    id: `echo.micro-health.${id.replaceAll('_', '-')}`,
    about: 'Resources and their fields',
    title: `The micro-health list shows ${what} as sent`,
    operation: microHealth.operations.list,
    needs: {
      firstBought: microHealth.verify,
      secondBought: microHealth.second,
      list: microHealth.list,
      lastPage: microHealth.lastPage,
      first: healthCalls.first,
      second: healthCalls.second,
    },
    read: inList(read),
  }),
);

/* Motor and group life show it in every answer about the policy. */

/** Reads each answer about a purchase for what was sent with it. */
const inAnswers = (
  family: (typeof families)[number],
  read: (sent: Fields, data: Fields, at: Answer) => readonly ProbeReading[],
) => ({
  needs: { verify: family.verify },
  some: [
    ...[family.initiate, family.verify, family.lookup],
    ...[family.initiateSecond, family.second],
  ],
  read: (_: unknown, some: readonly Answer[]): ProbeReading => {
    const answers = [
      [family.initiate, [family.initiate, family.verify, family.lookup]],
      [family.initiateSecond, [family.initiateSecond, family.second]],
    ] as const;
    return all(
      ...answers.flatMap(([initiated, shown]) => {
        const sent = some.find(({ call }) => call === initiated)?.sent;
        return some
          .filter((answer) => answer.ok && (shown as readonly ProbeCall[]).includes(answer.call))
          .flatMap((answer) => {
            const data = answer.get('data') as Fields;
            // Group life's initiate answers a token alone.
            const isPolicy = sent !== undefined && Object.keys(Object(data)).length > 1;
            return isPolicy ? read(sent, data, answer) : [];
          });
      }),
    );
  },
});

const MOTOR_ECHOES: Readonly<Record<string, readonly string[]>> = {
  cover: ['insurance_cover', 'vehicle_type'],
  frequency: ['frequency_type'],
  vehicle: [
    'registration_no',
    'vehicle_make',
    'vehicle_model',
    'vehicle_color',
    'chasis_no',
    'engine_no',
  ],
  year: ['year_make'],
  images: IMAGES,
  contact: ['contact_person_name', 'contact_person_address', 'contact_person_phone_no'],
  inspection: ['inspection_date'],
};

const motorEchoes: readonly Probe[] = Object.entries(MOTOR_ECHOES).map(([id, fields]) =>
  probe({
    id: `echo.motor.${id}`,
    about: 'Resources and their fields',
    title: `Motor shows as sent: ${fields.join(', ')}`,
    operation: motor.operations.verify,
    ...inAnswers(motor, (sent, data, at) =>
      fields.map((field) => echoed(String(sent[field]), String(data[field]), at)),
    ),
  }),
);

const GROUP_ECHOES: Readonly<Record<string, readonly (readonly [sent: string, shown: string])[]>> =
  {
    names: [
      ['first_name', 'user.first_name'],
      ['surname', 'user.surname'],
    ],
    email: [['email', 'user.email']],
    phone: [
      ['phone_no', 'user.phone_no'],
      ['first_person_phone', 'first_person_phone'],
      ['second_person_phone', 'second_person_phone'],
    ],
    gender: [['gender', 'user.gender']],
    group: [
      ['group_name', 'group_name'],
      ['group_type', 'group_type'],
      ['group_contact_address', 'group_contact_address'],
      ['first_person_name', 'first_person_name'],
      ['second_person_name', 'second_person_name'],
    ],
  };
const MEMBER_FIELDS = [
  'full_name',
  'gender',
  'occupation',
  'next_of_kiln',
  'phone_number',
] as const;

const groupEchoes: readonly Probe[] = [
  ...Object.entries(GROUP_ECHOES).map(([id, fields]) =>
    probe({
      id: `echo.group-life.${id}`,
      about: 'Resources and their fields',
      title: `Group life shows as sent: ${fields.map(([sent]) => sent).join(', ')}`,
      operation: groupLife.operations.verify,
      ...inAnswers(groupLife, (sent, data, at) =>
        fields.map(([field, path]) => echoed(sent[field] ?? null, valueAt(data, path) ?? null, at)),
      ),
    }),
  ),
  probe({
    id: 'echo.group-life.birth',
    about: 'Resources and their fields',
    title: 'Group life shows the date of birth of its purchaser as sent',
    operation: groupLife.operations.verify,
    ...inAnswers(groupLife, (sent, data, at) => [
      same(sent.dob, String(valueAt(data, 'user.date_of_birth')).slice(0, 10), at),
    ]),
  }),
  probe({
    id: 'echo.group-life.members',
    about: 'Resources and their fields',
    title: 'Group life shows its members as sent, in their order',
    operation: groupLife.operations.verify,
    ...inAnswers(groupLife, (sent, data, at) => {
      const members = listOf(data.group_life_members);
      return [
        same(listOf(sent.members).length, members.length, at),
        ...listOf(sent.members).flatMap((member, place) => [
          ...MEMBER_FIELDS.map((field) =>
            echoed(valueAt(member, field), valueAt(members[place], field), at),
          ),
          same(
            valueAt(member, 'date_of_birth'),
            String(valueAt(members[place], 'date_of_birth')).slice(0, 10),
            at,
          ),
        ]),
      ];
    }),
  }),
];

export const echoes: readonly Probe[] = [...healthEchoes, ...motorEchoes, ...groupEchoes];
