import { describe, expect, test } from 'vitest';
import { createClient } from '../../support/client.ts';
import { buy, initiate, purchaseOf } from '../../support/requests.ts';
import { changeWorld, dataOf, problemsOf } from '../calls.ts';

const INITIATE = 'initiateGroupLifePolicy';
const VERIFY = 'verifyGroupLifePolicy';

const PURCHASE = purchaseOf('group_life') as { members: [Readonly<Record<string, string>>] };
const [MEMBER] = PURCHASE.members;

const problemsWith = (changes: object) =>
  problemsOf(createClient(), INITIATE, { ...PURCHASE, ...changes });

describe('a group-life purchase', () => {
  test('gets a token that contains the Unix time', async () => {
    const client = createClient({ now: '2026-01-31T10:00:57.500Z' });
    expect(await initiate(client, 'group_life')).toMatch(/^GLP1769853657\d{8}$/);
  });

  test('needs no second phone number or start date, and accepts any status', async () => {
    const client = createClient();
    const least = { second_person_phone: ' ', start_date: undefined, status: { any: 'thing' } };
    expect(await buy(client, 'group_life', least)).toMatchObject({
      second_person_phone: null,
      start_date: '2026-01-31T00:00:00.000000Z',
    });
  });

  test('is restored as it was, without an optional field and with the next one', async () => {
    const client = createClient();
    await initiate(client, 'group_life', { second_person_phone: null, start_date: '2026-03-01' });
    const { merchant } = client;
    const pending = () => JSON.stringify(merchant.snapshot().world['group_life.pending']);
    const before = pending();
    merchant.restore(merchant.snapshot());
    expect(pending()).toBe(before);
  });

  test.each([
    ['a person born today', { dob: '2026-01-31' }, '2027-02-01'],
    ['the last start date with an end date', { start_date: '9998-12-31' }, '9999-12-31'],
    ['a start on a leap day', { start_date: '2028-02-29' }, '2029-02-28'],
  ])('accepts %s', async (_what, changes, end) => {
    const { end_date } = await buy(createClient(), 'group_life', changes);
    expect(end_date).toBe(`${end}T00:00:00.000000Z`);
  });

  test.each<[what: string, changes: object, ...problems: string[]]>([
    [
      'several broken rules, all listed in the order of the table',
      {
        dob: '2026-02-01',
        product_id: 1,
        members: [MEMBER, { ...MEMBER, date_of_birth: '2026-02-01' }],
        start_date: '9999-01-01',
      },
      'The dob field must not be after today.',
      'The product_id field must name a product of this family: 2.',
      'The members.1.date_of_birth field must not be after today.',
      'The start_date field must be 9998-12-31 or earlier.',
    ],
    [
      'a broken rule and malformed fields',
      { phone_no: 8031234567, dob: '2026-02-01', first_person_phone: '1', second_person_phone: 1 },
      'The phone_no field must be 11 digits.',
      'The dob field must not be after today.',
      'The first_person_phone field must be 11 digits.',
      'The second_person_phone field must be 11 digits.',
    ],
    [
      'missing fields',
      Object.fromEntries(Object.keys(PURCHASE).map((field) => [field, undefined])),
      ...Object.keys(PURCHASE)
        .filter((field) => field !== 'second_person_phone' && field !== 'start_date')
        .map((field) => `The ${field} field is required.`),
    ],
  ])('is refused for %s', async (_what, changes, ...problems) => {
    expect(await problemsWith(changes)).toEqual(problems);
  });

  test('becomes a policy with its purchaser, its product and its members', async () => {
    const client = createClient();
    const token = await initiate(client, 'group_life', { members: [MEMBER, MEMBER] });
    client.merchant.clock.advance('PT1M0.5S');
    const written = '2026-01-31T10:01:00.000000Z';
    const recorded = { created_at: written, updated_at: written };
    const member = {
      policy_id: 1,
      date_of_birth: '1992-08-03T00:00:00.000000Z',
      next_of_kiln: 'Sade Ade',
      policy_type: 'group-life',
      deleted_at: null,
      ...recorded,
    };
    expect(await dataOf(client, VERIFY, { token })).toMatchObject({
      id: 1,
      user_id: 1,
      product_id: 2,
      merchant_id: client.merchant.id,
      policy_number: expect.stringMatching(/^IN\d{8}$/),
      start_date: '2026-02-01T00:00:00.000000Z',
      end_date: '2027-02-01T00:00:00.000000Z',
      status: true,
      deleted_at: null,
      ...recorded,
      user: {
        id: 1,
        date_of_birth: '1990-04-12T00:00:00.000000Z',
        gender: 'female',
        policy_no: expect.stringMatching(/^\d{10}$/),
        have_beneficiaries: false,
        user_type: 'principal',
        merchant_user_id: client.merchant.id,
        verify_phone: 0,
        verify_email: 0,
        ...recorded,
      },
      product: { id: 2, service_id: 2, product_class_id: 2 },
      group_life_members: [
        { id: 1, ...member },
        { id: 2, ...member },
      ],
    });
  });

  test('starts on the day of verify if it has no start date', async () => {
    const client = createClient({ now: '2026-01-31T23:55:00Z' });
    const token = await initiate(client, 'group_life', { start_date: undefined });
    client.merchant.clock.advance('PT10M');
    expect(await dataOf(client, VERIFY, { token })).toMatchObject({
      start_date: '2026-02-01T00:00:00.000000Z',
      end_date: '2027-02-01T00:00:00.000000Z',
    });
  });

  test('gives each purchaser a unique policy number, even after the random state is restored', async () => {
    const client = createClient();
    const token = await initiate(client, 'group_life');
    const { random } = client.merchant.snapshot().world.values as never;
    const { user } = await dataOf(client, VERIFY, { token });
    const next = await initiate(client, 'group_life');
    changeWorld(client, (world) => {
      Object.assign(world.values, { random });
      world['group_life.policies'][0].policy_number = 'IN00000000';
      world['group_life.used'] = { [token]: 'IN00000000' };
    });
    const other = await dataOf(client, VERIFY, { token: next });
    expect(other.user.policy_no).not.toBe(user.policy_no);
  });
});

describe('members', () => {
  const { next_of_kiln: kin, ...kinless } = MEMBER;

  test.each<[what: string, member: object]>([
    ['next_of_kiln', { ...kinless, next_of_kiln: kin }],
    ['next_of_kin', { ...kinless, next_of_kin: kin }],
    ['next_of_kin if next_of_kiln is blank', { ...kinless, next_of_kiln: ' ', next_of_kin: kin }],
    ['next_of_kiln before next_of_kin', { ...MEMBER, next_of_kin: 'Somebody Else' }],
  ])('may be an array or its JSON text, with next of kin in %s', async (_what, member) => {
    for (const members of [[member], JSON.stringify([member])]) {
      const { group_life_members } = await buy(createClient(), 'group_life', { members });
      expect(group_life_members).toMatchObject([{ full_name: 'Bola Ade', next_of_kiln: kin }]);
    }
  });

  test('are refused with every problem and its path', async () => {
    const unborn = { ...MEMBER, date_of_birth: '2026-02-01' };
    const members = [
      unborn,
      { ...unborn, gender: 'x', next_of_kiln: null },
      'Bola Ade',
      null,
      { ...MEMBER, full_name: '  ', date_of_birth: '2023-02-29', phone_number: 5 },
      unborn,
    ];
    const told = [
      'The members.0.date_of_birth field must not be after today.',
      'The members.1.gender field must be female or male.',
      'The members.1.next_of_kiln field is required.',
      'The members.1.date_of_birth field must not be after today.',
      'The members.2 field must be an object.',
      'The members.3 field must be an object.',
      'The members.4.full_name field is required.',
      'The members.4.date_of_birth field must be a calendar day in the form YYYY-MM-DD.',
      'The members.4.phone_number field must be 11 digits.',
      'The members.5.date_of_birth field must not be after today.',
    ];
    expect(await problemsWith({ members })).toEqual(told);
    expect(await problemsWith({ members: JSON.stringify(members) })).toEqual(told);
  });

  test.each([
    ['a number', 5],
    ['an object', { 0: MEMBER }],
    ['text that is not JSON', 'Bola Ade'],
    ['JSON of an object', '{}'],
    ['JSON of a JSON text', JSON.stringify(JSON.stringify([MEMBER]))],
    ['very deeply nested JSON', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['an empty array', []],
    ['JSON of an empty array', '[]'],
    ['too many', Array.from({ length: 5_001 }, () => 0)],
  ])('are refused with one message when they are %s', async (_what, members) => {
    expect(await problemsWith({ members })).toEqual([
      'The members field must be an array of 1 to 5000 members, or a JSON text of one.',
    ]);
  });

  test('may be 5000', async () => {
    const members = Array.from({ length: 5_000 }, () => MEMBER);
    const { group_life_members } = await buy(createClient(), 'group_life', { members });
    expect(group_life_members).toHaveLength(5_000);
    const unborn = members.map((member) => ({ ...member, date_of_birth: '2026-02-01' }));
    const problems = await problemsWith({ members: unborn, email: 'x' });
    expect(problems).toHaveLength(5_001);
    expect(problems.at(-1)).toBe('The members.4999.date_of_birth field must not be after today.');
  });
});
