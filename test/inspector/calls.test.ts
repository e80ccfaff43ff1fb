import { describe, expect, test } from 'vitest';
import {
  addCalls,
  callsOf,
  changeText,
  countOthers,
  faultStory,
  filterCalls,
  isRefused,
  type ListedCall,
  MAX_CALLS,
  mergeRead,
  problemsOf,
  reasonsOf,
  statusClass,
  statusText,
  summaryOf,
  tookText,
} from '../../src/ui/inspector/client/call.ts';
import { linesOf } from '../../src/ui/inspector/client/timeline.ts';
import { BASE, createClient, operationOf, requestOf } from '../support/client.ts';
import { entry } from './entry.ts';

const refused = (problems: ListedCall['problems'], fields: Partial<ListedCall> = {}): ListedCall =>
  entry({ status: 422, problems, ...fields });

describe('the list of calls', () => {
  const calls = (...ids: string[]): ListedCall[] => ids.map((id) => entry({ id }));
  const idsOf = (list: readonly ListedCall[]) => list.map(({ id }) => id);

  test('starts with the latest calls', () => {
    const list = addCalls(calls('req-1-1'), calls('req-1-3', 'req-1-2'));
    expect(idsOf(list)).toEqual(['req-1-3', 'req-1-2', 'req-1-1']);
  });

  test('replaces a call with the same id, because the World was reset', () => {
    const fresh = entry({ id: 'req-1-1', status: 404 });
    expect(addCalls(calls('req-1-2', 'req-1-1'), [fresh])).toEqual([fresh, ...calls('req-1-2')]);
  });

  test('has calls of two merchants with the same id, as after restoring the snapshot of another', () => {
    const restored = entry({ id: 'req-1-1', merchant: { id: 2, name: 'Other' } });
    const [own] = calls('req-1-1');
    expect(addCalls(calls('req-1-1'), [restored])).toEqual([restored, own]);
    const read = [restored, ...calls('req-1-1')];
    expect(mergeRead([], read, new Set())).toEqual(read);
    expect(callsOf(2, read)).toEqual([restored]);
    expect(linesOf(read, [], { clock: 'mixed' }).map(({ key }) => key)).toEqual([
      'req-1-1@2',
      'req-1-1',
    ]);
  });

  test('has at most a thousand calls', () => {
    const many = Array.from({ length: MAX_CALLS }, (_, place) => entry({ id: `req-1-${place}` }));
    expect(addCalls(many, calls('req-1-5000'))).toHaveLength(MAX_CALLS);
  });

  test('keeps calls that arrive while the journal is read, and drops those it no longer has', () => {
    const known = calls('req-1-9', 'req-1-2', 'req-1-1');
    const list = mergeRead(known, calls('req-1-3', 'req-1-2'), new Set(['req-1-9', 'req-1-2']));
    expect(idsOf(list)).toEqual(['req-1-9', 'req-1-3', 'req-1-2']);
  });

  const other = entry({ id: 'req-2-1', merchant: { id: 2, name: 'Other' } });
  const nobody = entry({ id: 'req-0-1', merchant: null });
  const ofAll = [nobody, other, ...calls('req-1-2')];

  test('has the calls of one merchant, and older ones from its own journal', () => {
    const list = callsOf(1, ofAll, calls('req-1-2', 'req-1-1'));
    expect(idsOf(list)).toEqual(['req-1-2', 'req-1-1']);
  });

  test('counts the calls of others, and those without a valid key for nobody', () => {
    expect(countOthers(1, ofAll)).toEqual({ others: 1, keyless: 1 });
    expect(countOthers(2, ofAll)).toEqual({ others: 1, keyless: 1 });
    expect(countOthers(3, ofAll)).toEqual({ others: 2, keyless: 1 });
  });

  const all = { shown: 'all', search: '', operation: undefined, status: undefined } as const;
  const body = { data: { token: 'T0K' } };
  const good = entry({ id: 'good', response: { headers: {}, body } });
  const PHONE = { field: 'phone_no', message: 'The phone_no field must be 11 digits.' };
  const bad = refused([PHONE], { id: 'bad' });

  test.each([
    [{}, ['good', 'bad']],
    [{ status: '4' }, ['bad']],
    [{ status: '422' }, ['bad']],
    [{ search: 't0k' }, ['good']],
    [{ search: 'phone_no  digits' }, ['bad']],
    [{ search: 'phone_no nothing' }, []],
  ])('filtered by %j has %j', (filter, expected) => {
    expect(idsOf(filterCalls([good, bad], { ...all, ...filter }))).toEqual(expected);
  });
});

describe('the problems of a call', () => {
  test('are at the field that each message names, even inside a list', () => {
    const call = refused([
      { field: 'phone_no', message: 'The phone_no field must be 11 digits.' },
      { field: 'members.3.gender', message: 'The members.3.gender field is required.' },
    ]);
    expect(problemsOf(call)).toEqual([
      { field: 'phone_no', place: 'body', message: 'must be 11 digits.' },
      { field: 'members.3.gender', place: 'body', message: 'is required.' },
    ]);
    expect(summaryOf(call)).toBe('phone_no must be 11 digits · members.3.gender is required');
    const { wrong, missing } = reasonsOf(call);
    expect([wrong, missing].map((problems) => problems.map(({ field }) => field))).toEqual([
      ['phone_no'],
      ['members.3.gender'],
    ]);
  });

  test('are in the query if the call has no body', () => {
    const message = 'The per_page field must be a whole number from 1 to 100.';
    const call = refused([{ field: 'per_page', message }], {
      method: 'GET',
      path: '/api/merchant/list?per_page=0',
    });
    expect(problemsOf(call)[0]).toMatchObject({ field: 'per_page', place: 'query' });
  });

  test('are at the only field that a message mentions, if it names none', () => {
    const request = { headers: {}, body: { token: 'x', note: 'y' } };
    expect(problemsOf(refused([{ message: 'Token has expired' }], { request }))).toEqual([
      { field: 'token', place: 'body', message: 'Token has expired' },
    ]);
    const other = refused([{ message: 'Something else' }], { request });
    expect(problemsOf(other)[0]?.field).toBeUndefined();
  });

  test('do not include the response of a fault', () => {
    const effect = { kind: 'respond', status: 503 } as const;
    const call = refused([], { status: 503, fault: { id: null, stage: 'before', effect } });
    expect(problemsOf(call)).toEqual([]);
    expect(summaryOf(call)).toBe('a fault returned 503');
  });

  test.each(['envelope', 'laravel'] as const)(
    'are all there if the profile refuses with HTTP 200 in the form %s, and the call counts as refused',
    async (form) => {
      const decisions = { 'error-envelope': form, 'http-status': { invalid: 200 } };
      const { sandbox, merchant } = createClient({ profile: { version: 1, decisions } });
      const quote = operationOf('getMotorQuote');
      await sandbox.fetch(requestOf(quote, BASE, merchant.apiKey, { vehicle_value: -1 }));
      const [call] = sandbox.journal() as ListedCall[];
      const shown = call as ListedCall;
      expect(shown.status).toBe(200);
      expect(problemsOf(shown).map(({ field }) => field)).toEqual(['product_id', 'vehicle_value']);
      expect(summaryOf(shown)).toMatch(
        /^vehicle_value must be a number.* · product_id is required/,
      );
      expect([isRefused(shown), statusClass(shown), statusText(shown)]).toEqual([
        true,
        's4',
        '200',
      ]);
      const filter = {
        shown: 'refused',
        search: '',
        operation: undefined,
        status: undefined,
      } as const;
      expect(filterCalls([shown, entry()], filter)).toEqual([shown]);
    },
  );

  test('of a call of an earlier version are only its status', () => {
    expect(problemsOf(entry({ status: 422 }))).toEqual([
      { field: undefined, place: undefined, message: 'The answer was 422.' },
    ]);
  });

  test('have a field for each validation message of the sandbox', async () => {
    const { call, merchant } = createClient();
    await call('initiateMicroHealthSubscription', { first_name: 'Ada', phone_no: '0803' });
    const [refusal] = merchant.journal.list();
    const problems = problemsOf({ ...refusal, merchant: { id: 1, name: '' } } as ListedCall);
    expect(problems.length).toBeGreaterThan(3);
    for (const problem of problems) {
      expect(problem).toMatchObject({ field: expect.any(String), place: 'body' });
    }
  });
});

describe('the outcome of a call', () => {
  test('says that a response was lost or never sent if a fault dropped it or hung', () => {
    const call = entry({ fault: { id: null, stage: 'after', effect: { kind: 'drop' } } });
    expect(statusText(call)).toBe('lost');
    expect(summaryOf(call)).toBe('done, but the response was lost');
    expect(faultStory(call)).toMatch(/^The operation ran, then the connection was reset/);
    const fault = { id: null, stage: 'before', effect: { kind: 'hang' } } as const;
    const before = entry({ status: null, response: null, fault });
    expect(summaryOf(before)).toBe('no response');
    expect(faultStory(before)).toMatch(/^The operation did not run/);
  });

  test.each([
    [{ data: { token: 'abc' } }, 'abc'],
    [{ data: { token: 'abc', premium: 3 } }, '₦3'],
    [{ data: { policy_number: 'INS1', token: 'abc' } }, 'INS1'],
    [{ data: { quote_price: 70_000.5 } }, '₦70,000.5'],
    [{ data: { data: [1, 2], total: 32 } }, '2 of 32'],
    [{ data: [1, 2] }, '2 listed'],
    [{ message: 'Done' }, 'Done'],
    ['<html>', ''],
  ])('sums up %j as %j', (body, summary) => {
    expect(summaryOf(entry({ response: { headers: {}, body } }))).toBe(summary);
  });

  test('says whom and what it was about, from the request and the response', () => {
    const request = {
      headers: {},
      body: { first_name: 'Ada', surname: 'Obi', amount: '700', subscription_type: 'monthly' },
    };
    const response = { headers: {}, body: { data: { policy: { policy_no: '1500010' } } } };
    expect(summaryOf(entry({ request, response }))).toBe('Ada Obi · ₦700 · monthly · 1500010');
    const fault = { id: null, stage: 'after', effect: { kind: 'drop' } } as const;
    expect(summaryOf(entry({ request, fault }))).toBe(
      'done, but the response was lost · Ada Obi · ₦700 · monthly',
    );
  });

  test.each([
    [null, ''],
    [0.04, '<0.1 ms'],
    [0.412, '0.4 ms'],
    [14.2, '14 ms'],
    [999.6, '1.0 s'],
    [2004, '2.0 s'],
  ])('took %j real milliseconds: %j', (elapsed_ms, text) => {
    expect(tookText({ elapsed_ms })).toBe(text);
  });

  test.each([
    [
      { change: 'added', table: 'micro_health.policies', key: 'INS-1' },
      '+ micro-health policy INS-1',
    ],
    [{ change: 'removed', table: 'motor.pending', key: 'T1' }, '− motor pending purchase T1'],
    [{ change: 'added', table: 'motor.used', key: 'T1' }, '+ motor used token T1'],
    [{ change: 'changed', table: 'faults', key: 'fault-1' }, '~ fault rule fault-1'],
  ] as const)('tells the change %j as "%s"', (change, text) => {
    expect(changeText(change)).toBe(text);
  });
});
