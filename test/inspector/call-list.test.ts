import { describe, expect, test } from 'vitest';
import type { Call } from '../../src/ui/inspector/client/call.ts';
import {
  addCalls,
  callsOf,
  filterCalls,
  MAX_CALLS,
  mergeRead,
} from '../../src/ui/inspector/client/call.ts';
import { entry, refused } from './entry.ts';

const calls = (...ids: string[]): Call[] => ids.map((id) => entry({ id }));
const ids = (list: readonly Call[]) => list.map(({ id }) => id);

describe('the calls of the page', () => {
  test('stand with those that came first', () => {
    expect(ids(addCalls(calls('req-1-1'), calls('req-1-3', 'req-1-2')))).toEqual([
      'req-1-3',
      'req-1-2',
      'req-1-1',
    ]);
  });

  test('a call with the number of another one takes its place: the World began anew', () => {
    const fresh = entry({ id: 'req-1-1', status: 404 });
    expect(addCalls(calls('req-1-2', 'req-1-1'), [fresh])).toEqual([fresh, ...calls('req-1-2')]);
  });

  test('are a thousand at the most', () => {
    const many = Array.from({ length: MAX_CALLS }, (_, place) => entry({ id: `req-1-${place}` }));
    expect(addCalls(many, calls('req-1-5000'))).toHaveLength(MAX_CALLS);
  });

  test('keep what came while the journal was read, and drop what it no longer has', () => {
    const known = calls('req-1-9', 'req-1-2', 'req-1-1');
    const read = calls('req-1-3', 'req-1-2');
    expect(ids(mergeRead(known, read, new Set(['req-1-9', 'req-1-2'])))).toEqual([
      'req-1-9',
      'req-1-3',
      'req-1-2',
    ]);
  });

  test('are those of one merchant and those of nobody', () => {
    const other = entry({ id: 'req-2-1', merchant: { id: 2, name: 'Other' } });
    const nobody = entry({ id: 'req-0-1', merchant: null });
    expect(
      ids(callsOf(1, [nobody, other, ...calls('req-1-2')], calls('req-1-2', 'req-1-1'))),
    ).toEqual(['req-0-1', 'req-1-2', 'req-1-1']);
  });
});

describe('a filter', () => {
  const all = { shown: 'all', search: '', operation: undefined, status: undefined } as const;
  const good = entry({
    id: 'req-1-1',
    response: { headers: {}, body: { data: { token: 'T0K' } } },
  });
  const bad = refused(['The phone_no field must be 11 digits.'], { id: 'req-1-2' });
  const lost = entry({
    id: 'req-1-3',
    status: null,
    fault: { id: null, stage: 'after', effect: { kind: 'drop' } },
    operation: 'verifyMotorPolicy',
  });
  const list = [good, bad, lost];

  test.each([
    [{}, ['req-1-1', 'req-1-2', 'req-1-3']],
    [{ shown: 'refused' as const }, ['req-1-2']],
    [{ shown: 'faults' as const }, ['req-1-3']],
    [{ operation: 'verifyMotorPolicy' }, ['req-1-3']],
    [{ status: '4' }, ['req-1-2']],
    [{ status: '422' }, ['req-1-2']],
    [{ search: 't0k' }, ['req-1-1']],
    [{ search: 'phone_no  digits' }, ['req-1-2']],
    [{ search: 'phone_no nothing' }, []],
  ])('%j lets %j through', (filter, expected) => {
    expect(ids(filterCalls(list, { ...all, ...filter }))).toEqual(expected);
  });
});
