import { describe, expect, test } from 'vitest';
import type { ListedCall } from '../../src/ui/inspector/client/call.ts';
import {
  CALL_HEIGHT,
  describeMove,
  durationText,
  keepPlace,
  linesOf,
  MARK_HEIGHT,
  reveal,
  type TimelineLine,
  visibleLines,
  type WorldChange,
} from '../../src/ui/inspector/client/timeline.ts';
import { entry } from './entry.ts';

const call = (id: string, at: string): ListedCall => entry({ id, at: `${at}.000Z` });

const change = (text: string, at: string, order: number): WorldChange => ({
  merchant: { id: 1, name: 'Demo Merchant' },
  at: `${at}.000Z`,
  text,
  order,
});

type Clock = Parameters<typeof linesOf>[2]['clock'];

/** The lines of a list as words. The numbers at the end of ids say when the calls arrived. */
const wordsOf = (
  calls: readonly ListedCall[],
  changes: readonly WorldChange[] = [],
  clock: Clock = 'running',
) =>
  linesOf(calls, changes, { clock, orderOf: ({ id }) => Number(id.split('-').at(-1)) }).map(
    (line) => {
      if (line.kind === 'call') return line.call.id;
      if (line.kind === 'change') return line.change.text;
      return line.kind === 'day' ? line.at.slice(0, 10) : durationText(line.ms);
    },
  );

describe('the list of calls', () => {
  const calls = [
    call('req-1-3', '2026-02-01T10:00:00'),
    call('req-1-2', '2026-01-31T10:15:00'),
    call('req-1-1', '2026-01-31T10:00:00'),
  ];

  test('has each day above its calls, and the time that passed between them', () => {
    expect(wordsOf(calls)).toEqual([
      '2026-02-01',
      'req-1-3',
      '2026-01-31',
      'req-1-2',
      '15 min',
      'req-1-1',
    ]);
  });

  test('has a move of the clock by a fault above the call that it acted on', () => {
    const effect = { kind: 'advance', by: 'PT16M' } as const;
    const fault = { id: 'fault-1', stage: 'before', effect } as const;
    const moved = entry({ id: 'req-1-4', at: '2026-01-31T10:00:30.000Z', fault });
    const earlier = change('Clock moved by a day', '2026-01-31T10:00:29', 2);
    const byFault = change('Clock moved by 16 min', '2026-01-31T10:16:30', 3);
    const older = call('req-1-1', '2026-01-30T10:00:00');
    expect(wordsOf([moved, older], [byFault, earlier])).toEqual([
      '2026-01-31',
      'Clock moved by 16 min',
      'req-1-4',
      'Clock moved by a day',
      '2026-01-30',
      'req-1-1',
    ]);
  });

  test('has shorter pauses only if the clock is frozen, because it was moved then', () => {
    const close = [call('req-1-2', '2026-01-31T10:05:00'), call('req-1-1', '2026-01-31T10:00:00')];
    expect(wordsOf(close)).toEqual(['2026-01-31', 'req-1-2', 'req-1-1']);
    expect(wordsOf(close, [], 'frozen')).toEqual(['2026-01-31', 'req-1-2', '5 min', 'req-1-1']);
  });

  test('has changes where they happened, in place of the time that passed', () => {
    const changes = [
      change('Clock moved by 1 day', '2026-02-01T10:00:00', 2.5),
      change('Clock moved by 15 min', '2026-01-31T10:15:00', 1.5),
    ];
    expect(wordsOf(calls, changes)).toEqual([
      '2026-02-01',
      'req-1-3',
      'Clock moved by 1 day',
      '2026-01-31',
      'req-1-2',
      'Clock moved by 15 min',
      'req-1-1',
    ]);
  });

  test('leaves room for what a move ended: a few lines, and all once they are unfolded', () => {
    const thing = { at: 0, family: 'motor', holder: 'Ada Obi', policy: 'INS1' };
    const heightWith = (count: number, isUnfolded = false) => {
      const ended = { things: Array(count).fill(thing), more: 0, isUnfolded };
      const moved = { ...change('Clock moved', '2026-01-31T10:15:00', 9), move: 1, ended };
      return linesOf([], [moved], { clock: 'mixed' })[0]?.height ?? 0;
    };
    expect(heightWith(0)).toBe(MARK_HEIGHT);
    expect(heightWith(2)).toBeGreaterThan(heightWith(1));
    expect(heightWith(20)).toBe(heightWith(4));
    expect(heightWith(20, true)).toBeGreaterThan(heightWith(19, true));
  });

  test('begins and ends with changes that are newer or older than all calls', () => {
    const changes = [
      change('Clock frozen', '2026-01-31T10:00:00', 9),
      change('World reset', '2026-01-31T10:00:00', 0.5),
    ];
    expect(wordsOf(calls.slice(-1), changes)).toEqual([
      '2026-01-31',
      'Clock frozen',
      'req-1-1',
      'World reset',
    ]);
  });

  test('has no days if it mixes the clocks of several merchants', () => {
    expect(wordsOf(calls, [], 'mixed')).toEqual(['req-1-3', 'req-1-2', 'req-1-1']);
  });
});

describe('a long list', () => {
  const many = (from: number): ListedCall[] =>
    Array.from({ length: 1000 - from }, (_, place) =>
      call(`req-1-${999 - place - from}`, '2026-01-31T10:00:00'),
    );
  const lines = (from = 0): TimelineLine[] => linesOf(many(from), [], { clock: 'mixed' });

  test('draws only the visible lines and a few around them', () => {
    const drawn = visibleLines(lines(), { scrollTop: 500 * CALL_HEIGHT, height: 520 });
    expect(drawn[0]?.key).toBe('req-1-507');
    expect(drawn).toHaveLength(27);
    expect(visibleLines([], { scrollTop: 0, height: 520 })).toEqual([]);
  });

  test('stays in place when calls arrive above, except at the top', () => {
    const scrollTop = 300 * CALL_HEIGHT + 10;
    expect(keepPlace(lines(20), lines(), scrollTop)).toBe(scrollTop + 20 * CALL_HEIGHT);
    expect(keepPlace(lines(20), lines(), 0)).toBeUndefined();
  });

  test('scrolls as far as needed to show a whole line', () => {
    const [line] = lines().slice(10) as [TimelineLine];
    const at = (scrollTop: number) => reveal(line, { scrollTop, height: 520 });
    expect(at(0)).toBe(CALL_HEIGHT);
    expect(at(100)).toBe(100);
    expect(at(5000)).toBe(10 * CALL_HEIGHT);
  });
});

describe('a change of a clock', () => {
  const frozen = (at: number) => ({ at, mode: 'frozen' }) as const;
  const running = (at: number) => ({ at, mode: 'running' }) as const;

  test.each([
    [frozen(0), frozen(900_000), 'Clock moved by 15 min'],
    [frozen(0), frozen(1), 'Clock moved by 1 ms'],
    [frozen(0), running(0), 'Clock set running'],
    [running(0), frozen(40), 'Clock frozen'],
    [running(0), frozen(86_400_000), 'Clock moved by 1 day, frozen'],
    [running(0), running(40), undefined],
    [frozen(5), frozen(5), undefined],
  ])('from %j to %j is %j', (before, after, text) => {
    expect(describeMove(before, after)).toBe(text);
  });

  test('is told in the words of who asked for it', () => {
    const month = 28 * 86_400_000;
    expect(describeMove(frozen(0), frozen(month), 'by a month')).toBe('Clock moved by a month');
    expect(describeMove(frozen(0), frozen(month))).toBe('Clock moved by 28 days');
  });

  test.each([
    [45_000, '45 s'],
    [900_000, '15 min'],
    [28 * 86_400_000, '28 days'],
    [86_400_000 + 7_200_000 + 60_000, '1 day 2 h'],
    [-3_600_000, '−1 h'],
  ])('by %d ms is %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});
