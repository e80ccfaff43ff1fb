import { describe, expect, test } from 'vitest';
import { type Difference, groupDifferences, summaryLines } from '../../src/check/differences.ts';

const difference = (changes: Partial<Difference> = {}): Difference => ({
  operation: 'listMotorPolicies',
  path: '$.data[0].duration',
  expected: '"1"',
  seen: '1',
  decisions: ['motor-duration'],
  ...changes,
});

const counts = [
  { operation: 'listMotorPolicies', agrees: 4, differs: 3, rest: [0, 'not asked'] },
  { operation: 'getMotorQuote', agrees: 9, differs: 0, rest: [0, 'not asked'] },
] as const;

describe('the same difference is told once', () => {
  test('where the records of a list show it, each with a value of its own', () => {
    const [first, second] = [difference(), difference({ path: '$.data[7].duration', seen: '6' })];
    expect(groupDifferences([first, second])).toEqual([{ first, all: [first, second] }]);
  });

  test.each<Partial<Difference>>([
    { operation: 'getMotorPolicyDetails' },
    { path: '$.data[0].slug' },
    { decisions: [] },
    { expected: 'a text' },
  ])('and another one apart from it: %j', (changes) => {
    expect(groupDifferences([difference(), difference(changes)])).toHaveLength(2);
  });

  test('around the data, where another value is another difference', () => {
    const status = { path: 'status', expected: '422', decisions: ['http-status'] } as const;
    const seen = ['400', '500', '400'].map((value) => difference({ ...status, seen: value }));
    expect(groupDifferences(seen).map(({ all }) => all.length)).toEqual([2, 1]);
  });
});

test('a summary counts differences by decision, then by operation', () => {
  const differences = [
    difference(),
    difference({ path: '$.data[1].duration', expected: '"2"', seen: '2' }),
    difference({ path: '$.data[1].colour', expected: 'nothing', seen: '"red"', decisions: [] }),
  ];
  expect(summaryLines(differences, counts)).toEqual([
    '2 differences, 3 times.',
    '',
    'By decision:',
    '  motor-duration  1 difference, 2 times  listMotorPolicies $.data[0].duration: expected "1", seen 1',
    '  the contract    1 difference           listMotorPolicies $.data[1].colour: expected nothing, seen "red"',
    '',
    'By operation:',
    '  ✗ listMotorPolicies  4 agree, 3 differ; 2 differences, 3 times',
    '  ✓ getMotorQuote      9 agree',
  ]);
});

test('a summary without a difference says so, and what was not asked at all', () => {
  const unasked = {
    operation: 'verifyMotorPolicy',
    agrees: 0,
    differs: 0,
    rest: [2, 'not asked'],
  } as const;
  expect(summaryLines([], [...counts, unasked])).toEqual([
    'No difference.',
    '',
    'By operation:',
    '  ✓ listMotorPolicies  4 agree, 3 differ',
    '  ✓ getMotorQuote      9 agree',
    '  – verifyMotorPolicy  0 agree, 2 not asked',
  ]);
});
