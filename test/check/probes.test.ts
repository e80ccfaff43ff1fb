/* What probes read, in answers that are written by hand: a probe needs no server to be tested. */
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../src/tools/check/answer.ts';
import type { ProbeCall } from '../../src/tools/check/call.ts';
import { groupLife } from '../../src/tools/check/calls/group-life.ts';
import { families } from '../../src/tools/check/calls/index.ts';
import { microHealth, topUp } from '../../src/tools/check/calls/micro-health.ts';
import { motor } from '../../src/tools/check/calls/motor.ts';
import { PROBES } from '../../src/tools/check/probes/index.ts';
import { all, type ProbeReading } from '../../src/tools/check/reading.ts';
import { answered } from './support.ts';

const ok = (call: ProbeCall, data: unknown, at = 0) =>
  answered({ success: true, data }, { call, at });
const refusal = (call: ProbeCall, message: string, status = 400) =>
  answered(
    { success: false, response_message: message, data: { error: [message] } },
    { call, status },
  );

/** What a probe reads in these answers, in the words of a report: of its cases, those that they answer. */
function read(id: string, ...answers: readonly Answer[]): unknown {
  const probe = PROBES.find((each) => each.id === id);
  if (!probe) throw new Error(`There is no probe ${id}.`);
  const asked = probe.cases.flatMap(({ needs, calls, some, read }) => {
    const answersTo = (each: readonly ProbeCall[]) =>
      each.flatMap((call) => answers.filter((answer) => answer.call === call));
    const must = [...needs, ...calls];
    const isAnswered = answersTo(must).length === must.length;
    return isAnswered ? [read(...answersTo([...must, ...some]))] : [];
  });
  return inWords(all(...asked));
}

function inWords(reading: ProbeReading): unknown {
  if (typeof reading === 'string' || 'unknown' in reading) return reading;
  return 'decided' in reading ? reading.decided[0]?.[0] : reading.seen;
}

const AS_PUBLISHED = 'as published';

/** Fields that the forms of several assumptions are about. */
const FIELDS =
  'amount contact_person_address contact_person_phone_no gender nin_number no_of_users product_id profile_url sum_insured vehicle_make year_make';

/** Probes that judge what a call is refused or accepted for. */
const JUDGES = PROBES.filter(({ cases }) => cases.some(({ calls }) => calls.length > 0))
  // It is about a refusal with one problem, and all others have two here.
  .filter(({ id }) => id !== 'every-problem');

test.each(JUDGES)(
  'a server that refuses what is right or accepts what is wrong is told by $id',
  ({ cases }) => {
    const sent = { token: 'x', members: [] };
    const acceptedAll = (call: ProbeCall) => answered({ success: true, data: {} }, { call, sent });
    const refusedAll = (call: ProbeCall) => {
      const message = `No ${call.what} ${FIELDS}`;
      const body = { message, errors: { one: [message], two: [message] }, response_code: 'E1' };
      return answered(body, { call, sent, status: 418 });
    };
    const readings = [acceptedAll, refusedAll].map((answer) =>
      all(
        ...cases.map(({ needs, calls, some, read }) =>
          read(...needs.map(acceptedAll), ...[...calls, ...some].map(answer)),
        ),
      ),
    );
    const [accepted, refused] = readings.map(inWords);
    expect(accepted).not.toEqual(refused);
    expect(readings.some((each) => typeof each === 'object' && !('unknown' in each))).toBe(true);
  },
);

describe('token-used reads of a second verify', () => {
  const first = ok(motor.verify, { policy_number: 'INS1' });
  const unknown = refusal(motor.unknownToken, 'No such token');

  test.each([
    ['that it is refused as used', refusal(motor.again, 'Used'), { message: 'Used' }],
    ['that it is refused as unknown', refusal(motor.again, 'No such token'), 'unknown'],
    ['that it is refused as expired', refusal(motor.again, 'Token has expired'), 'expired'],
    ['that it answers the policy again', ok(motor.again, { policy_number: 'INS1' }), 'same-policy'],
    ['that it sells again', ok(motor.again, { policy_number: 'INS2' }), 'sells again'],
  ])('%s', (_what, again, value) => {
    expect(read('token-used', first, again, unknown)).toEqual(value);
  });
});

describe('token-boundary reads of a verify at 15:00.000', () => {
  const { boundary, late } = motor;
  test.each([
    ['that it is in time', ok(boundary, {}), 'inclusive'],
    ['that it is late', refusal(boundary, 'Too late'), 'exclusive'],
    [
      'that it is refused for another reason',
      refusal(boundary, 'Closed'),
      'refused with 400: "Closed"',
    ],
  ])('%s', (_what, answer, value) => {
    expect(read('token-boundary', answer, refusal(late, 'Too late'))).toEqual(value);
  });
});

describe('top-up-anchor reads of the end of a renewed cover', () => {
  const dates = (start_date: string, end_date: string) => ({
    start_date: `${start_date}T10:00:00.000000Z`,
    end_date: `${end_date}T10:00:00.000000Z`,
  });
  const bought = ok(microHealth.verify, dates('2027-01-31', '2027-02-28'));
  test.each([
    ['that it counts from the start', bought, '2027-03-31', 'anchor'],
    ['that it counts from the end', bought, '2027-03-28', 'end'],
    ['that it does neither', bought, '2027-03-30', '{"end_date":"2027-03-30T10:00:00.000000Z"}'],
    [
      'nothing in the middle of a month',
      ok(microHealth.verify, dates('2027-01-15', '2027-02-15')),
      '2027-03-15',
      { unknown: 'only a purchase at the end of a month shows it' },
    ],
  ])('%s', (_what, verify, end, value) => {
    expect(read('top-up-anchor', verify, ok(topUp, dates('2027-01-31', end)))).toEqual(value);
  });
});

test.each([
  ['2027-01-31 10:00:00', 'UTC'],
  ['2027-01-31 11:00:00', 'Africa/Lagos'],
  ['2027-01-31 10:07:00', '7 minutes off'],
  ['soon', { unknown: 'the dates cannot be read' }],
])('time-zone reads %s as %j', (active_date, value) => {
  const start_date = '2027-01-31T10:00:00.000000Z';
  expect(read('time-zone', ok(microHealth.verify, { start_date, active_date }))).toEqual(value);
});

test('list-order reads where both purchases stand, and whether all lists agree', () => {
  const lists = (place: 'first' | 'last') =>
    families.flatMap(({ verify, second, list, lastPage, number }) => {
      const key = number.replace('data.', '');
      const items = [{ [key]: 'A' }, { [key]: 'B' }];
      const shown = place === 'first' ? items : items.toReversed();
      return [
        ok(verify, { [key]: 'A' }),
        ok(second, { [key]: 'B' }),
        ...[...new Set([list, lastPage])].map((call) => ok(call, shown)),
      ];
    });
  expect(read('list-order', ...lists('first'))).toBe('oldest-first');
  expect(read('list-order', ...lists('last'))).toBe('newest-first');
});

test('a record that one answer shows otherwise is that answer’s, by the field', () => {
  const policy = { policy_number: 'INS1', vehicle_type: 'saloon' };
  const shown = (lookup: object) => [
    ok(motor.verify, policy),
    ok(motor.lookup, lookup),
    ok(motor.list, [policy]),
  ];
  expect(read('record.motor', ...shown(policy))).toBe(AS_PUBLISHED);
  const other = { ...policy, vehicle_type: 'SALOON' };
  expect(read('record.motor', ...shown(other))).toBe('{"vehicle_type":"SALOON"}');
  // Another policy is no other record of this one.
  const another = { policy_number: 'INS2', vehicle_type: 'bus' };
  expect(read('record.motor', ...shown(another))).toBe(AS_PUBLISHED);
});

test('a server that answers 500 does not refuse', () => {
  const bought = ok(motor.verify, {});
  const late = (status: number) =>
    read('token-lifetime', bought, refusal(motor.late, 'No', status));
  expect(late(400)).toBe(AS_PUBLISHED);
  expect(late(500)).toBe('failed with 500');
  expect(read('token-unknown', refusal(motor.unknownToken, 'Oops', 500))).toBe(
    'refused with 500: "Oops"',
  );
});

test('a 500 for a used token is told as that, not as a message', () => {
  const others = [
    ok(motor.verify, { policy_number: 'INS1' }),
    refusal(motor.unknownToken, 'No such token'),
  ];
  const failed = refusal(motor.again, 'Oops', 500);
  expect(read('token-used', ...others, failed)).toBe('refused with 500: "Oops"');
  const unread = answered(undefined, { call: motor.again, status: 500 });
  expect(read('token-used', ...others, unread)).toMatch(/^answered with 500/);
});

describe('pages', () => {
  const page = (fields: object, data: readonly object[] = []) =>
    ok(microHealth.list, { current_page: 1, per_page: 100, last_page: 1, ...fields, data });

  test('an empty list is page 1 of 1, without from and to', () => {
    const answer = page({ total: 0, from: null, to: null });
    expect(read('pages', answer)).toBe(AS_PUBLISHED);
  });

  test('a number that is wrong is told with its field', () => {
    const answer = page({ total: 1, from: 1, to: 1, last_page: 2 }, [{}]);
    expect(read('pages', answer)).toBe('{"last_page":2}');
    const [empty] = PROBES.find(({ id }) => id === 'nothing-selected')?.cases[0]?.calls ?? [];
    const link = { total: 0, from: null, to: null, next_page_url: '/?page=2' };
    const selected = ok(empty as ProbeCall, { ...link, data: [] });
    expect(read('nothing-selected', selected)).toBe('{"next_page_url":"/?page=2"}');
  });
});

test('a policy that was changed when it was created is told', () => {
  const at = '2027-01-31T10:00:00.000000Z';
  const shown = (updated_at: string) =>
    ok(motor.verify, { created_at: at, updated_at }, Date.parse('2027-01-31T10:00:00Z'));
  expect(read('created-at', shown(at))).toBe(AS_PUBLISHED);
  const updated_at = '2027-02-01T10:00:00.000000Z';
  expect(read('created-at', shown(updated_at))).toBe(JSON.stringify({ updated_at }));
});

test('an echo names the field that is shown otherwise', () => {
  const answers = [
    answered(
      { success: true, data: { token: 'GLP1' } },
      { call: groupLife.initiate, sent: { group_name: 'A & B', group_type: 'Union', members: [] } },
    ),
    ok(groupLife.verify, { group_name: 'A &amp; B', group_type: 'Union' }),
  ];
  expect(read('echo.group-life', ...answers)).toBe('{"group_name":"A &amp; B"}');
});

test('an id that one answer writes as a text is told by its schema alone', () => {
  const bought = ok(microHealth.verify, { policy_no: '1', user_id: '7' });
  const { list, lastPage } = microHealth;
  const pages = [list, lastPage].map((call) =>
    ok(call, { data: [{ id: 7, policy_no: '1', beneficiary: [{ user_id: '7' }] }] }),
  );
  expect(read('subscriber-links', ...pages, bought)).toBe(AS_PUBLISHED);
});

test('a group-life cover without an end is told', () => {
  const answer = ok(groupLife.verify, {
    start_date: '2027-01-31T00:00:00.000000Z',
    end_date: null,
  });
  expect(read('group-life-dates', answer)).toBe('{"end_date":null}');
});

test('a list of beneficiaries that is none is told by its schema alone', () => {
  const { list, lastPage, verify, second, initiate, initiateSecond } = microHealth;
  const pages = [list, lastPage].map((call) =>
    ok(call, { data: [{ policy_no: '1', beneficiary: { 0: {} } }] }),
  );
  const bought = [verify, second].map((call) => ok(call, { policy_no: '1' }));
  const sent = { first_beneficiary_full_name: 'Ada' };
  const started = [initiate, initiateSecond].map((call) => answered({}, { call, sent }));
  expect(read('echo.micro-health', ...pages, ...bought, ...started)).toEqual({
    unknown: 'the field is missing',
  });
});

test('a premium is a rate of the value, rounded to two decimals', () => {
  const { needs = [] } = PROBES.find(({ id }) => id === 'motor-premium')?.cases[0] ?? {};
  const [quote, odd] = needs as [ProbeCall, ProbeCall];
  // Five per cent of 1,000.20 is 50.01.
  const whole = ok(quote, { premium: 250_000 });
  expect(read('motor-premium', whole, ok(odd, { premium: 50.01 }))).toBe(AS_PUBLISHED);
  expect(read('motor-premium', whole, ok(odd, { premium: 50 }))).toBe('50');
});
