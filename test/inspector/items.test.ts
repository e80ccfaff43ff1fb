import { beforeAll, describe, expect, test } from 'vitest';
import type { ClockMoved } from '../../src/index.ts';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { withDays } from '../../src/ui/inspector/client/call-list.tsx';
import { setContract } from '../../src/ui/inspector/client/contract.ts';
import {
  addItems,
  filterItems,
  groupProblems,
  type Item,
  isCall,
  isOfThisRun,
  type JournalCall,
  MAX_ITEMS,
  parseSearch,
  reasonText,
  statusClass,
  statusText,
  storyOf,
  tookText,
} from '../../src/ui/inspector/client/items.ts';
import { createContract } from '../../src/ui/inspector/contract.ts';
import { entry } from './entry.ts';

beforeAll(() => {
  setContract(createContract(openSandbox({}, {}, {}).store, '2026-01-31'));
});

const idsOf = (items: readonly Item[]) => items.map((item) => (isCall(item) ? item.id : item.kind));
const calls = (...ids: string[]): JournalCall[] => ids.map((id) => entry({ id }));
const moved = (at: string, more: Partial<ClockMoved> = {}): ClockMoved => ({
  at,
  merchant: { id: 1, name: 'Demo Merchant' },
  summary: 'clock frozen',
  kind: 'clock',
  from: at,
  to: at,
  mode: 'frozen',
  effects: [],
  more: 0,
  ...more,
});

const expired = {
  kind: 'purchase_expired',
  operation: 'initiateMotorPolicy',
  token: '',
  at: '2026-01-31T10:30:00.000Z',
} as const;

const LOST = { id: null, stage: 'after', effect: { kind: 'drop' } } as const;
const REQUIRED = { rule: 'required', field: 'surname', message: 'The surname field is required.' };
const FORMAT = { rule: 'format', field: 'email', message: 'The email field must be an address.' };
const USED = { rule: 'token_used', message: 'Token has already been used' };

describe('the list', () => {
  test('begins with the latest items, and replaces a call with the same id', () => {
    const event = moved('2026-01-31T10:15:00.000Z');
    const known = [event, ...calls('req-1-2', 'req-1-1')];
    expect(idsOf(addItems(known, calls('req-1-4', 'req-1-3')))).toEqual([
      'req-1-4',
      'req-1-3',
      'clock',
      'req-1-2',
      'req-1-1',
    ]);
    expect(idsOf(addItems(known, [event, entry({ id: 'req-1-1' })]))).toEqual([
      'clock',
      'req-1-1',
      'req-1-2',
    ]);
  });

  test('has calls of two merchants with the same id, as after restoring the snapshot of another', () => {
    const restored = entry({ id: 'req-1-1', merchant: { id: 2, name: 'Other' } });
    expect(addItems(calls('req-1-1'), [restored])).toHaveLength(2);
  });

  test('keeps at most a thousand items', () => {
    const many = Array.from({ length: MAX_ITEMS }, (_, place) => entry({ id: `req-1-${place}` }));
    expect(addItems(many, calls('req-1-5000'))).toHaveLength(MAX_ITEMS);
  });

  test('has days and World events in their places, and no days where clocks are mixed', () => {
    const items = [
      entry({ id: 'req-1-2', at: '2026-02-01T09:00:00.000Z' }),
      moved('2026-02-01T08:00:00.000Z'),
      entry({ id: 'req-1-1', at: '2026-01-31T10:00:00.000Z' }),
    ];
    const shown = (isMixed: boolean) =>
      withDays(items, isMixed).map(({ item, day }) => (item ? idsOf([item])[0] : day));
    expect(shown(false)).toEqual(['2026-02-01', 'req-1-2', 'clock', '2026-01-31', 'req-1-1']);
    expect(shown(true)).toEqual(['req-1-2', 'clock', 'req-1-1']);
  });
});

describe('a row', () => {
  test.each([
    [entry(), '200', 's2'],
    [entry({ status: 422, problems: [FORMAT] }), '422', 's4'],
    [entry({ problems: [FORMAT] }), '200', 's4'],
    [entry({ fault: LOST }), 'lost', 's0'],
    [entry({ status: null }), 'lost', 's0'],
  ])('shows its status: %#', (call, text, name) => {
    expect([statusText(call), statusClass(call)]).toEqual([text, name]);
  });

  test('says why a call was refused: wrong values before missing fields', () => {
    expect(reasonText(entry({ problems: [REQUIRED] }))).toBe('The surname field is required.');
    expect(reasonText(entry({ problems: [REQUIRED, FORMAT, USED, REQUIRED] }))).toBe(
      'The email field must be an address. +3',
    );
  });

  test.each([
    [0.04, '<0.1 ms'],
    [0.44, '0.4 ms'],
    [12.3, '12 ms'],
    [2000, '2.0 s'],
    [null, ''],
  ])('shows %s ms as "%s"', (elapsed_ms, text) => expect(tookText({ elapsed_ms })).toBe(text));

  test('of an earlier run or without a merchant cannot be sent again', () => {
    expect(isOfThisRun(entry())).toBe(true);
    expect(isOfThisRun(entry({ received_at: null }))).toBe(false);
    expect(isOfThisRun(entry({ merchant: null }))).toBe(false);
  });
});

describe('the search', () => {
  const items: Item[] = [
    moved('2026-01-31T11:00:00.000Z', {}),
    entry({ id: 'req-1-4', operation: 'verifyMotorPolicy', fault: LOST }),
    entry({ id: 'req-1-3', operation: 'verifyMotorPolicy', status: 400, problems: [USED] }),
    entry({ id: 'req-1-2', operation: 'listMotorPolicies', summary: '3 of 8' }),
    entry({ id: 'req-1-1', status: 422, problems: [FORMAT], merchant: null }),
  ];
  const found = (text: string) => idsOf(filterItems(items, parseSearch(text)));

  test.each([
    ['', ['clock', 'req-1-4', 'req-1-3', 'req-1-2', 'req-1-1']],
    ['status:4xx', ['req-1-3', 'req-1-1']],
    ['status:422', ['req-1-1']],
    ['status:lost', ['req-1-4']],
    ['op:verify', ['req-1-4', 'req-1-3']],
    ['op:motor -op:list', ['req-1-4', 'req-1-3']],
    ['fault:drop', ['req-1-4']],
    ['rule:token_used', ['req-1-3']],
    ['merchant:no', ['req-1-1']],
    ['"must be an address"', ['req-1-1']],
    ['ADA obi', ['req-1-4', 'req-1-3', 'req-1-1']],
    ['8 op:list', ['req-1-2']],
    ['frozen', ['clock']],
    ['nothing-like-this', []],
  ])('%s', (text, ids) => expect(found(text)).toEqual(ids));

  test('tells a term that does not exist, and finds times and URLs as words', () => {
    expect(parseSearch('colour:red op:verify').unknown).toEqual(['colour']);
    expect(found('colour:red')).toEqual([]);
    expect(parseSearch('10:15:00 https://x').unknown).toEqual([]);
  });

  test('counts the problems of calls, each once a call', () => {
    const twice = [entry({ problems: [FORMAT, FORMAT] }), entry({ problems: [FORMAT, USED] })];
    expect(groupProblems(twice)).toEqual([
      [FORMAT.message, 2],
      [USED.message, 1],
    ]);
  });
});

describe('the story of a purchase', () => {
  const token = 'abc123';
  const initiate = entry({ id: 'req-1-1', response: { headers: {}, body: { data: { token } } } });
  const lost = entry({
    id: 'req-1-2',
    fault: LOST,
    request: { headers: {}, body: { token } },
    changes: [
      { change: 'added', table: 'micro_health.policies', key: '8058167780' },
      { change: 'added', table: 'micro_health.used', key: token },
    ],
  });
  const again = entry({ id: 'req-1-4', status: 400, problems: [USED], request: lost.request });
  const renewal = entry({
    id: 'req-1-5',
    changes: [{ change: 'changed', table: 'micro_health.policies', key: '8058167780' }],
  });
  const items = [renewal, again, entry({ id: 'req-1-3', response: null }), lost, initiate];

  test('has the calls with its token and about its policy, oldest first, and the policy', () => {
    for (const call of [initiate, lost, again, renewal]) {
      const { steps = [], policy, isExpired } = storyOf(call, items) ?? {};
      expect(idsOf(steps)).toEqual(['req-1-1', 'req-1-2', 'req-1-4', 'req-1-5']);
      expect([policy, isExpired]).toEqual([
        { family: 'micro_health', number: '8058167780' },
        false,
      ]);
    }
  });

  test('ends with the event that let it expire', () => {
    const expiry = moved('2026-01-31T10:31:00.000Z', { effects: [{ ...expired, token }] });
    const { steps = [], policy, isExpired } = storyOf(initiate, [expiry, initiate]) ?? {};
    expect([idsOf(steps), policy, isExpired]).toEqual([['req-1-1', 'clock'], undefined, true]);
  });

  test('ends with a refusal of its token where the clock ran on', () => {
    const refusal = { rule: 'token_expired', message: 'Token has expired' };
    const late = entry({
      id: 'req-1-2',
      problems: [refusal],
      request: { headers: {}, body: { token } },
    });
    expect(storyOf(late, [late, initiate])?.isExpired).toBe(true);
  });

  test('of a call about no purchase does not exist, nor that of another merchant with its token', () => {
    expect(storyOf(entry(), items)).toBeUndefined();
    const other = { ...again, merchant: { id: 2, name: 'Other' } };
    expect(idsOf(storyOf(other, [other, ...items])?.steps ?? [])).toEqual(['req-1-4']);
  });
});
