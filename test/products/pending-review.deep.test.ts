import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Catalogue } from '../../src/products/catalogue.ts';
import { anyFamilies } from '../../src/products/world.ts';
import { type Client, createClient } from '../support/client.ts';
import { control } from '../support/control.ts';
import { runsOf } from '../support/depth.ts';
import { expectKeyOrder } from '../support/key-order.ts';
import { type FamilyKey, initiate } from '../support/requests.ts';
import { stateWith } from './states.ts';

/*
 * A snapshot may hold exactly the pending purchases that initiate accepts. The review passes these,
 * and refuses any other with its path.
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

/** The problems that the review finds in the pending purchases of a snapshot, one line each. */
function reviewAll({ world }: Any, key: string): string[] {
  const family = anyFamilies.find((each) => each.key === key) as (typeof anyFamilies)[number];
  const { records, pending } = world.families[key];
  const products = new Map(world.products.map((product: Any) => [product.id, product]));
  const state = stateWith(family, family.records.parse(records));
  const review = family.createPendingReview({ products } as Catalogue, state);
  return pending.flatMap(({ token, details, initiated_at }: Any, position: number) => {
    const parsed = family.details.parse(details);
    expectKeyOrder(details, parsed, `pending.${position}.details`);
    const moment = Date.parse(initiated_at);
    const problems = review.problemsOf(parsed, moment);
    state.tokens.pending.load(token, { initiated_at: moment, details: parsed });
    return problems.map(({ path, message }) => `${position}.${path.join('.')}: ${message}`);
  });
}

const snapshotOf = (client: Client): Any => JSON.parse(JSON.stringify(client.merchant.snapshot()));

describe.each(Object.entries(requests))('a pending %s purchase', (key, request) => {
  test('passes the review after a round trip through JSON, and can be restored', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 3 }),
        fc.nat(86_400),
        async (inputs, seconds) => {
          const client = createClient(ignoringAmounts);
          client.merchant.clock.advance(`PT${seconds}S`);
          for (const input of inputs) await initiate(client, key as FamilyKey, input);
          const saved = snapshotOf(client);
          expect(reviewAll(saved, key)).toEqual([]);
          const exact = createClient();
          const { sandbox, merchant } = exact;
          const put = { key: merchant.apiKey, body: saved };
          expect((await control(sandbox, 'putSnapshot', put)).body.errors).toBeUndefined();
          expect(snapshotOf(exact)).toEqual(saved);
        },
      ),
      RUNS,
    );
  });
});

describe('a pending purchase that initiate would refuse', () => {
  type Change = (details: Any, world: Any) => void;
  const set =
    (changes: Input): Change =>
    (details) =>
      Object.assign(details, changes);

  const AMOUNT = 'must be a number above 0 and at most 1000000000000.';
  const cases: Readonly<Record<FamilyKey, readonly (readonly [Change, ...string[]])[]>> = {
    micro_health: [
      [set({ product_id: 99 }), 'product_id: must name a product of this family: 1, 3.'],
      [set({ product_id: 4 }), 'product_id: must name a product of this family: 1, 3.'],
      [
        (_, { products }) => Object.assign(products[0], { enable: false }),
        'product_id: must name a product of this family: 3.',
      ],
      [set({ date_of_birth: '2026-02-01' }), 'date_of_birth: must not be after today.'],
      [set({ amount: -5 }), `amount: ${AMOUNT}`],
      [set({ amount: 1e300 }), `amount: ${AMOUNT}`],
      [
        set({ phone_no: 'x', email: 'x' }),
        'email: must be an e-mail address.',
        'phone_no: must be 7 to 15 digits, with or without a plus before them.',
      ],
      [set({ first_name: '  ' }), 'first_name: is required.'],
      [
        set({ surname: 'O\u0000bi' }),
        'surname: must not contain control characters or lone surrogates.',
      ],
      [
        set({ beneficiaries: ['Bola', '', 'Dayo'] }),
        'beneficiaries: expected ["Bola","Dayo"], got ["Bola","","Dayo"]',
      ],
      [
        set({ beneficiaries: ['Bola', 'Da\u0000yo'] }),
        'beneficiaries.1: must not contain control characters or lone surrogates.',
      ],
      [
        ({ beneficiaries }, { products }) => {
          beneficiaries.push('Dayo', 'Efe');
          products[0].max_beneficiaries = 1;
        },
        'beneficiaries.2: must not name another user: product 1 covers at most 2 users.',
      ],
    ],
    motor: [
      [set({ product_id: 99 }), 'product_id: must name a product of this family: 4.'],
      [set({ vehicle_value: -5 }), `vehicle_value: ${AMOUNT}`],
      [set({ contact_person_phone_no: 'x' }), 'contact_person_phone_no: must be 11 digits.'],
      [set({ engine_img: ' ' }), 'engine_img: is required.'],
      [set({ vehicle_make: '' }), 'vehicle_make: is required.'],
      [set({ slug: 'x' }), 'slug: expected "comprehensive-motor-ins'],
      [set({ end_date: '2027-02-02' }), 'end_date: expected "2027-02-01", got "2027-02-02"'],
      [set({ start_date: '9999-12-31' }), 'duration: must end the cover by 9999-12-31.'],
      [
        set({ policy_number: 'INS1', slug: 'comprehensive-motor-ins1' }),
        'policy_number: must be INS and 13 digits.',
      ],
    ],
    group_life: [
      [set({ product_id: 99 }), 'product_id: must name a product of this family: 2.'],
      [set({ gender: 'x' }), 'gender: must be female or male.'],
      [set({ dob: '2026-02-01' }), 'dob: must not be after today.'],
      [
        set({ start_date: '9999-01-01' }),
        'start_date: must be at least a year before 10000-01-01.',
      ],
      [set({ second_person_phone: '' }), 'second_person_phone: expected null, got ""'],
      [set({ members: [] }), 'members: must be an array of 1 to 5000 members'],
      [
        ({ members: [first] }) =>
          Object.assign(first, { gender: 'x', date_of_birth: '2026-02-01' }),
        'members.0.gender: must be female or male.',
        'members.0.date_of_birth: must not be after today.',
      ],
      [
        ({ members: [first] }) => Object.assign(first, { full_name: ' ' }),
        'members.0.full_name: is required.',
      ],
    ],
  };

  const rows = Object.entries(cases).flatMap(([key, changes]) =>
    changes.map(([change, ...lines]) => ({ key: key as FamilyKey, change, lines })),
  );

  test.each(rows)(
    'is refused in $key with its path, case %#: $lines.0',
    async ({ key, change, lines }) => {
      const client = createClient();
      await initiate(client, key);
      const saved = snapshotOf(client);
      change(saved.world.families[key].pending[0].details, saved.world);
      const found = reviewAll(saved, key);
      expect(found).toHaveLength(lines.length);
      for (const [place, line] of lines.entries()) expect(found[place]).toContain(`0.${line}`);
    },
  );
});
