import { describe, expect, test } from 'vitest';
import document from '../../../openapi/merchant-api.json' with { type: 'json' };
import {
  initiatePolicy,
  listPolicies,
  policyDetails,
  verifyPolicy,
} from '../../../src/products/group-life/routes.ts';
import { createWorld, REQUEST, read, refusal } from './world.ts';

const [MEMBER] = REQUEST.members;
const initiate = (body: object) => read(initiatePolicy, body);
const refused = (body: object) => refusal(() => initiate(body)).messages;
const withMembers = (members: unknown) => ({ ...REQUEST, members });

test('the documented example is read as it stands', () => {
  expect(initiate(REQUEST)).toEqual(REQUEST);
});

test('an empty body is told of every required field, in the order of the table', () => {
  expect(refused({})).toEqual(
    [
      'email',
      'first_name',
      'surname',
      'phone_no',
      'gender',
      'dob',
      'product_id',
      'group_name',
      'group_type',
      'group_contact_address',
      'first_person_name',
      'first_person_phone',
      'second_person_name',
      'members',
    ].map((field) => `The ${field} field is required.`),
  );
});

test('a second phone number, a status and a start date need not be sent, and status is any value', () => {
  const { second_person_phone: _phone, start_date: _start, ...least } = REQUEST;
  expect(initiate(least)).toEqual(least);
  expect(initiate({ ...least, status: { any: 'thing' }, second_person_phone: ' ' })).toMatchObject(
    least,
  );
});

test('rule and form problems of one body are told together, in the order of the table', () => {
  expect(refused({ ...REQUEST, phone_no: 8031234567, dob: '2026-02-01', product_id: 1 })).toEqual([
    'The phone_no field must be 11 digits.',
    'The dob field must not be after today.',
    'The product_id field must name a product of this family: 2.',
  ]);
});

describe('members', () => {
  test('may be a JSON text of an array', () => {
    expect(initiate(withMembers(JSON.stringify(REQUEST.members)))).toEqual(REQUEST);
  });

  test('may name their next of kin by its right spelling', () => {
    const { next_of_kiln: name, ...rest } = MEMBER as NonNullable<typeof MEMBER>;
    const sent = [{ ...rest, next_of_kin: name }];
    expect(initiate(withMembers(sent))).toEqual(REQUEST);
    expect(initiate(withMembers(JSON.stringify(sent)))).toEqual(REQUEST);
  });

  test('with both spellings are taken at the one the wire answers', () => {
    expect(initiate(withMembers([{ ...MEMBER, next_of_kin: 'Somebody Else' }]))).toEqual(REQUEST);
    expect(
      initiate(withMembers([{ ...MEMBER, next_of_kiln: ' ', next_of_kin: 'Sade Ade' }])),
    ).toEqual(REQUEST);
  });

  test('are told of every problem by its place', () => {
    const wrong = [
      MEMBER,
      { ...MEMBER, gender: 'x', next_of_kiln: null },
      'Bola Ade',
      null,
      { ...MEMBER, full_name: '  ', date_of_birth: '2023-02-29', phone_number: 5 },
    ];
    const told = [
      'The members.1.gender field must be female or male.',
      'The members.1.next_of_kiln field is required.',
      'The members.2 field must be an object.',
      'The members.3 field must be an object.',
      'The members.4.full_name field is required.',
      'The members.4.date_of_birth field must be a calendar day in the form YYYY-MM-DD.',
      'The members.4.phone_number field must be 11 digits.',
    ];
    expect(refused(withMembers(wrong))).toEqual(told);
    expect(refused(withMembers(JSON.stringify(wrong)))).toEqual(told);
  });

  test.each([
    ['no array', 5],
    ['an object', { 0: MEMBER }],
    ['no JSON', 'Bola Ade'],
    ['JSON of no array', '{}'],
    ['JSON of a JSON text', JSON.stringify(JSON.stringify([MEMBER]))],
    ['JSON nested beyond all measure', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['nobody', []],
    ['JSON of nobody', '[]'],
    ['too many', Array.from({ length: 5_001 }, () => 0)],
  ])('are refused in one sentence when they are %s', (_what, members) => {
    expect(refused(withMembers(members))).toEqual([
      'The members field must be an array of 1 to 5000 members, or a JSON text of one.',
    ]);
  });

  test('may be five thousand, each told of its own problems', () => {
    const many = Array.from({ length: 5_000 }, () => MEMBER);
    expect(initiate(withMembers(many))).toMatchObject({ members: many });
    expect(refused(withMembers(many.map(() => ({}))))).toHaveLength(30_000);
    const unborn = many.map((member) => ({ ...member, date_of_birth: '2026-02-01' }));
    const all = refused({ ...withMembers(unborn), email: 'x' });
    expect(all).toHaveLength(5_001);
    expect(all.at(-1)).toBe('The members.4999.date_of_birth field must not be after today.');
  });

  test('born after today are told together with what is malformed, member by member', () => {
    const unborn = '2026-02-01';
    const wrong = [
      { ...MEMBER, date_of_birth: unborn },
      { ...MEMBER, date_of_birth: unborn, gender: 'x' },
      'Bola Ade',
      { ...MEMBER, date_of_birth: '2026-02-30' },
      { ...MEMBER, date_of_birth: unborn },
    ];
    const told = [
      'The members.0.date_of_birth field must not be after today.',
      'The members.1.gender field must be female or male.',
      'The members.1.date_of_birth field must not be after today.',
      'The members.2 field must be an object.',
      'The members.3.date_of_birth field must be a calendar day in the form YYYY-MM-DD.',
      'The members.4.date_of_birth field must not be after today.',
    ];
    expect(refused(withMembers(wrong))).toEqual(told);
    expect(refused(withMembers(JSON.stringify(wrong)))).toEqual(told);
  });

  test('are published as what they are: required, an array of members or a text', () => {
    const published = document.components.schemas.GroupLifeInitiateRequest;
    expect(published.required).toContain('members');
    expect(published.required).toHaveLength(14);
    const { members } = published.properties;
    expect(members.anyOf).toMatchObject([
      { type: 'array', minItems: 1, maxItems: 5_000 },
      { type: 'string' },
    ]);
    expect(members.description).toContain('JSON text');
  });
});

test('a token is wanted, and blank is none', () => {
  expect(refusal(() => read(verifyPolicy, { token: ' ' })).messages).toEqual([
    'The token field is required.',
  ]);
  expect(refusal(() => read(verifyPolicy, { token: 5 })).messages).toEqual([
    'The token field must be a text.',
  ]);
});

test('a page holds at most a hundred policies', () => {
  expect(read(listPolicies, { page: '2', per_page: '100', period: 'day' })).toEqual({
    page: '2',
    per_page: '100',
  });
  expect(refusal(() => read(listPolicies, { per_page: '101' })).messages).toEqual([
    'The per_page field must be a whole number from 1 to 100.',
  ]);
});

test('a policy number of the wrong type is told by the spelling that was sent', () => {
  const world = createWorld();
  expect(refusal(() => read(policyDetails, { Policy_number: 7 }, world)).messages).toEqual([
    'The Policy_number field must be a text.',
  ]);
});
