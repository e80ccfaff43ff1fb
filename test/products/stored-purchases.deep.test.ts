import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyFamilies } from '../../src/products/world.ts';
import { type Client, createClient } from '../support/client.ts';
import { control } from '../support/control.ts';
import { runsOf } from '../support/depth.ts';
import { expectKeyOrder } from '../support/key-order.ts';
import { type FamilyKey, initiate } from '../support/requests.ts';
import { withoutEvents } from '../support/snapshots.ts';

/*
 * A snapshot may hold the pending purchases that initiate accepts under some profile. Each family has a schema for
 * them. It refuses what verify cannot turn into a policy that fits the schema of its row.
 */

const RUNS = runsOf({ sample: 15, ci: 80, all: 2_000 });

type Input = Readonly<Record<string, unknown>>;

const fit = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .filter((text) => text.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(text));
const text = fc.oneof(
  fit,
  fit.map((inner) => ` ${inner}  `),
  fc.constantFrom('0', 'null', '<b>Ada</b>', "O'Neil", 'é', '\u202e'),
);
const sometimes = (value: fc.Arbitrary<unknown>) =>
  fc.oneof(value, fc.constantFrom(undefined, null, '', ' \t '));
const digits = (count: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: count, maxLength: count });
const phone = digits(11);
const email = fc.constantFrom('ada@example.com', 'A.B+c@sub.example.co', 'a_b@x-y.org');
const gender = fc.constantFrom('female', 'Male', 'FEMALE', 'mALE');
const day = (from: string, to: string) =>
  fc.oneof(
    fc
      .date({ min: new Date(from), max: new Date(to), noInvalidDate: true })
      .map((at) => at.toISOString().slice(0, 10)),
    fc.constantFrom(from, to),
  );
const born = fc.oneof(day('1900-01-01', '2026-01-31'), fc.constantFrom('2000-02-29', '1904-02-29'));
/** A number as it is, or as text, possibly with leading or trailing zeros. */
const asSent = (value: fc.Arbitrary<number>, ...forms: ((value: number) => string)[]) =>
  fc
    .tuple(
      value,
      fc.constantFrom((sent: number): unknown => sent, String, ...forms),
    )
    .map(([sent, write]) => write(sent));
const productId = (...ids: number[]) => asSent(fc.constantFrom(...ids), (id) => `000${id}`);
const naira = asSent(
  fc.oneof(
    fc.integer({ min: 1, max: 100_000_000 }).map((kobo) => kobo / 100),
    fc.constantFrom(0.01, 700, 1_000_000_000_000),
  ),
  (amount) => amount.toFixed(2),
);

const member = fc
  .record({
    full_name: text,
    gender,
    occupation: text,
    date_of_birth: born,
    next_of_kiln: text,
    phone_number: phone,
    extra: fc.constantFrom(undefined, 7),
  })
  .chain(({ next_of_kiln, ...rest }) =>
    fc.constantFrom({ ...rest, next_of_kiln }, { ...rest, next_of_kin: next_of_kiln }),
  );
const members = fc.array(member, { minLength: 1, maxLength: 3 });

/** Requests that initiate accepts, as changes to the example. Some are unusual. */
const requests: Readonly<Record<FamilyKey, fc.Arbitrary<Input>>> = {
  micro_health: fc.record({
    first_name: text,
    surname: text,
    email,
    phone_no: phone,
    date_of_birth: born,
    product_id: productId(1, 3),
    subscription_type: fc.constantFrom('monthly', 'quarterly', 'annually', 'yearly'),
    amount: naira,
    first_beneficiary_full_name: sometimes(text),
    second_beneficiary_full_name: sometimes(text),
    third_beneficiary_full_name: sometimes(text),
    profile_url: sometimes(text),
  }),
  motor: fc.record({
    product_id: productId(4),
    frequency_type: fc.constantFrom('monthly', 'quarterly', 'yearly', 'annually'),
    sum_insured: naira,
    insurance_cover: text,
    duration: asSent(fc.integer({ min: 1, max: 40 }), (count) => `00${count}`),
    vehicle_type: text,
    start_date: fc.oneof(day('1900-01-01', '9950-12-31'), fc.constantFrom('2028-02-29')),
    registration_no: text,
    vehicle_make: fc.oneof(text, fc.integer(), fc.constantFrom(1e21, -0, 0.5)),
    vehicle_model: fc.oneof(text, fc.integer()),
    year_make: fc.constantFrom('1900', '2015', '2027'),
    contact_person_address: fc.constantFrom('1 A Street\n\tLagos', ' x '),
    contact_person_phone_no: phone,
    inspection_date: day('1900-01-01', '9999-12-31'),
    speedometer_img: fc.constantFrom('HTTP://x', 'https://files.example.com/a.png?b=%20#c'),
  }),
  group_life: fc.record({
    email,
    first_name: text,
    phone_no: phone,
    gender,
    dob: born,
    product_id: productId(2),
    group_name: text,
    members: fc.oneof(
      members,
      members.map((list) => JSON.stringify(list)),
    ),
    second_person_phone: sometimes(phone),
    status: fc.jsonValue(),
    start_date: sometimes(day('1900-01-01', '9998-12-31')),
  }),
};

// biome-ignore lint/suspicious/noExplicitAny: tests read and change snapshots as untyped JSON
type Any = any;

const ignoringAmounts = {
  profile: { version: 1, decisions: { 'amount-check': 'ignore' } },
} as const;

const familyOf = (key: string) =>
  anyFamilies.find((each) => each.key === key) as (typeof anyFamilies)[number];

/** The details of the pending purchases of a family. */
const pendingIn = ({ world }: Any, key: string): Any[] =>
  Object.values<Any>(world[`${key}.pending`]).map(({ details }) => details);

const snapshotOf = (client: Client): Any => JSON.parse(JSON.stringify(client.merchant.snapshot()));

describe.each(Object.entries(requests))('a pending %s purchase', (key, request) => {
  test('fits its schema after a round trip through JSON, and can be restored', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 3 }),
        fc.nat(86_400),
        async (inputs, seconds) => {
          const client = createClient(ignoringAmounts);
          client.merchant.clock.advance(`PT${seconds}S`);
          for (const input of inputs) await initiate(client, key as FamilyKey, input);
          const saved = snapshotOf(client);
          const { details } = familyOf(key);
          for (const kept of pendingIn(saved, key)) {
            expectKeyOrder(kept, details().parse(kept), 'details');
          }
          const exact = createClient();
          const { sandbox, merchant } = exact;
          const put = { key: merchant.apiKey, body: saved };
          expect((await control(sandbox, 'putSnapshot', put)).status).toBe(200);
          expect(withoutEvents(snapshotOf(exact))).toEqual(withoutEvents(saved));
        },
      ),
      RUNS,
    );
  });
});

describe('a pending purchase that verify cannot complete', () => {
  type Change = (details: Any) => void;
  const set =
    (changes: Input): Change =>
    (details) =>
      Object.assign(details, changes);

  const cases: Readonly<Record<FamilyKey, readonly (readonly [Change, string])[]>> = {
    micro_health: [
      [set({ product_id: 99 }), 'details.product_id: product 99 is not in the catalogue'],
      [set({ date_of_birth: '2026-02-30' }), 'date_of_birth: expected a day the calendar has'],
      [set({ amount: -5 }), 'amount: expected more than 0'],
      [set({ amount: 1e300 }), 'amount: expected at most 1000000000000'],
      [set({ amount: '700' }), 'amount: expected a number, got "700"'],
      [set({ phone_no: 5 }), 'phone_no: expected a string, got 5'],
      [set({ beneficiaries: ['Bola', 7] }), 'beneficiaries.1: expected a string'],
      [set({ subscription_type: 'yearly' }), 'subscription_type: expected "monthly" or'],
      [set({ status: true }), ': unknown "status"'],
    ],
    motor: [
      [set({ product_id: 99 }), 'details.product_id: product 99 is not in the catalogue'],
      [set({ vehicle_value: -5 }), 'vehicle_value: expected more than 0'],
      [set({ engine_img: 7 }), 'engine_img: expected a string'],
      [set({ end_date: '2027-02-29' }), 'end_date: expected a day the calendar has'],
    ],
    group_life: [
      [set({ product_id: 99 }), 'details.product_id: product 99 is not in the catalogue'],
      [set({ gender: 5 }), 'gender: expected a string, got 5'],
      [set({ start_date: '9999-01-01' }), 'start_date: expected 9998-12-31 or earlier'],
      [
        ({ members: [first] }) => Object.assign(first, { date_of_birth: '2026-02-30' }),
        'members.0.date_of_birth: expected a day the calendar has',
      ],
    ],
  };

  const rows = Object.entries(cases).flatMap(([key, changes]) =>
    changes.map(([change, problem]) => ({ key: key as FamilyKey, change, problem })),
  );

  test.each(rows)(
    'is refused in $key with its path: $problem',
    async ({ key, change, problem }) => {
      const client = createClient();
      await initiate(client, key);
      const saved = snapshotOf(client);
      change(pendingIn(saved, key)[0]);
      const { sandbox, merchant } = client;
      const put = { key: merchant.apiKey, body: saved };
      const { status, body } = await control(sandbox, 'putSnapshot', put);
      expect(status).toBe(422);
      expect(body.detail).toContain(problem);
    },
  );
});
