import { describe, expect, test } from 'vitest';
import {
  assumptionsOf,
  faultStory,
  problemsOf,
  statusText,
  summaryOf,
} from '../../src/ui/inspector/client/call.ts';
import { createClient } from '../support/client.ts';
import { entry, refused } from './entry.ts';

describe('what is wrong with a call', () => {
  test('each message of a refusal stands at the field it names, also inside of a list', () => {
    const call = refused([
      'The phone_no field must be 11 digits.',
      'The members.3.gender field is required.',
    ]);
    expect(problemsOf(call)).toEqual([
      { field: 'phone_no', place: 'body', message: 'must be 11 digits.' },
      { field: 'members.3.gender', place: 'body', message: 'is required.' },
    ]);
    expect(summaryOf(call)).toBe('phone_no must be 11 digits · members.3.gender is required');
  });

  test('a call without a body is wrong in its query', () => {
    const call = refused(['The per_page field must be a whole number from 1 to 100.'], {
      method: 'GET',
      path: '/api/merchant/list?per_page=0',
    });
    expect(problemsOf(call)[0]).toMatchObject({ field: 'per_page', place: 'query' });
  });

  test('a message that names no field stands at the one field it has a word of', () => {
    const request = { headers: {}, body: { token: 'x', note: 'y' } };
    expect(problemsOf(refused(['Token has expired'], { request }))).toEqual([
      { field: 'token', place: 'body', message: 'Token has expired' },
    ]);
    expect(problemsOf(refused(['Something else'], { request }))[0]?.field).toBeUndefined();
  });

  test('an answer that a fault gave says nothing of the request', () => {
    const call = refused(['Down'], {
      status: 503,
      fault: { id: null, stage: 'before', effect: { kind: 'respond', status: 503 } },
    });
    expect(problemsOf(call)).toEqual([]);
    expect(summaryOf(call)).toBe('a fault answered 503');
  });

  test('the sandbox itself is understood: each of its problems has its field', async () => {
    const { sandbox, merchant } = createClient();
    await sandbox.fetch(
      new Request('http://sandbox/api/merchant/micro_health/initiate', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${merchant.apiKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ first_name: 'Ada', phone_no: '0803', amount: -1 }),
      }),
    );
    const [call] = merchant.journal.list();
    const problems = problemsOf({ ...call, merchant: { id: 1, name: '' } } as never);
    expect(problems.length).toBeGreaterThan(3);
    for (const problem of problems) {
      expect(problem).toMatchObject({ field: expect.any(String), place: 'body' });
    }
  });
});

describe('what became of a call', () => {
  test('one that a fault took is lost, whatever the service had answered', () => {
    const call = entry({ fault: { id: null, stage: 'after', effect: { kind: 'drop' } } });
    expect(statusText(call)).toBe('lost');
    expect(summaryOf(call)).toBe('answered, but the answer did not arrive');
    expect(faultStory(call)).toMatch(/^The service did its work, then the connection was reset/);
    const before = entry({
      status: null,
      response: null,
      fault: { id: null, stage: 'before', effect: { kind: 'hang' } },
    });
    expect(summaryOf(before)).toBe('no answer arrived');
    expect(faultStory(before)).toMatch(/^The service was not asked/);
  });

  test.each([
    [{ data: { token: 'abc', premium: 3 } }, 'abc'],
    [{ data: { policy_number: 'INS1', token: 'abc' } }, 'INS1'],
    [{ data: { quote_price: 700 } }, 'quote_price 700'],
    [{ data: { data: [1, 2], total: 32 } }, '2 of 32'],
    [{ data: [1, 2] }, '2 listed'],
    [{ message: 'Done' }, 'Done'],
    ['<html>', ''],
  ])('%j is summed up as %j', (body, summary) => {
    expect(summaryOf(entry({ response: { headers: {}, body } }))).toBe(summary);
  });

  test('the assumptions behind an answer are those its header lists', () => {
    const headers = { 'sandbox-assumptions': 'phone-digits, amount-check' };
    expect(assumptionsOf(entry({ response: { headers, body: null } }))).toEqual([
      'phone-digits',
      'amount-check',
    ]);
    expect(assumptionsOf(entry({ response: null }))).toEqual([]);
  });
});
