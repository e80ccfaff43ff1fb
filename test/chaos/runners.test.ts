import { describe, expect, test } from 'vitest';
import type { Failure, Merchant, Sandbox } from '../../src/node.ts';
import { disturbSuite, type SuiteTest } from './suite.ts';
import { againAndFailing, careful, hasty, honest, outcomesOf, sixWith } from './suite-tests.ts';

/* What test runners do to Worlds: they try failed tests again, stop at the first, and share merchants between tests. */

describe('a test that is tried again', () => {
  test('is judged by its last attempt, and says how many came before', async () => {
    let tries = 0;
    const flaky: SuiteTest = {
      name: 'flaky',
      async run(merchant) {
        await merchant.buy('motor').catch(() => {
          if (++tries === 1) throw new Error('not yet');
        });
      },
    };
    const { runs } = await disturbSuite(
      [flaky],
      { retries: 2 },
      {
        only: [{ operation: 'verifyMotorPolicy', failure: 'lost' }],
      },
    );
    expect(runs).toMatchObject([{ outcome: 'survived', passed: true, earlierAttempts: 1 }]);
  });

  test('and fails each time has noticed, and bought nothing twice', async () => {
    for (const hasKit of [true, false]) {
      const { runs } = await disturbSuite(
        [honest('one'), honest('two')],
        { hasKit, retries: 2 },
        {
          only: [{ operation: 'verifyMotorPolicy', failure: 'lost' }],
        },
      );
      expect(runs.map(({ outcome }) => outcome)).toEqual(['noticed', 'noticed']);
    }
  });
});

describe('a merchant that a test creates itself', () => {
  const LOST = [{ operation: 'verifyMotorPolicy', failure: 'lost' }] as const;
  /** Buys for a merchant of its own, and checks that it bought once. */
  const withAgency = (isHasty: boolean) => (name: string) => ({
    name,
    async run(_: Merchant, sandbox: Sandbox) {
      const agency = sandbox.createMerchant({ name: 'agency' });
      await (isHasty ? hasty : careful)(name).run(agency, sandbox, agency);
      const { data } = agency.records({ family: 'motor' });
      if (data.length !== 1) throw new Error(`${data.length} policies`);
    },
  });

  test.each([
    ['retries', { retries: 1 }],
    ['bail', { bail: true }],
    ['retries and bail', { retries: 2, bail: true }],
  ])('has its name, and is that of the same test in each run, with %s', async (_, options) => {
    const report = await disturbSuite(sixWith(withAgency(true), withAgency(false)), options, {
      only: LOST,
    });
    const outcomes = outcomesOf(report);
    expect(outcomes['bought twice']).toEqual(['buys 5: agency, verifyMotorPolicy#1:lost']);
    expect(outcomes.survived).toHaveLength(5);
    expect(String(report)).not.toContain('Only in runs with failures');
  });
});

describe('a merchant that all tests share', () => {
  /** Fails if it did not buy once more for the shared merchant. */
  const sharing = (how: (name: string) => SuiteTest) => (name: string) => ({
    name,
    async run(_: Merchant, sandbox: Sandbox, shared: Merchant) {
      const count = () => shared.records({ family: 'motor' }).total;
      const before = count();
      await how(name).run(shared, sandbox, shared);
      if (count() !== before + 1) throw new Error('not one more');
    },
  });
  const judged = async (tests: SuiteTest[], options: Parameters<typeof disturbSuite>[1]) => {
    const { runs } = await disturbSuite(tests, options, {
      only: [{ operation: 'verifyMotorPolicy', failure: 'lost' }],
    });
    return runs.map(({ merchant, outcome }) => `${merchant} ${outcome}`);
  };
  const three = [sharing(careful)('one'), sharing(careful)('two'), sharing(careful)('three')];

  test('is a World for each test, and judged by its last attempt', async () => {
    const tests = three.with(1, sharing(honest)('two'));
    expect(await judged(tests, { retries: 1 })).toEqual([
      'one: shared survived',
      'two: shared noticed',
      'three: shared survived',
    ]);
  });

  test.each([
    ['', {}],
    [', although those behind it do not come', { bail: true }],
    [', and that is made anew after a failure', { restarts: true }],
    [', and that is made anew after a failure, with retries', { restarts: true, retries: 1 }],
  ])('shows the test that bought twice%s', async (_, options) => {
    const tests = three.with(1, sharing(hasty)('two'));
    expect(await judged(tests, options)).toEqual([
      'one: shared survived',
      'two: shared bought twice',
      'three: shared survived',
    ]);
  });
});

describe('without a kit, with all failures, in at most twice the runs of the longest test', () => {
  const disturbed = async (
    tests: SuiteTest[],
    options: Parameters<typeof disturbSuite>[1],
    plan: Parameters<typeof disturbSuite>[2] = {},
  ) => {
    let all = 0;
    const onProgress = (_done: number, count: number) => {
      all = count;
    };
    const report = await disturbSuite(
      tests,
      { hasKit: false, ...options },
      { ...plan, onProgress },
    );
    expect(all).toBeLessThanOrEqual(2 * 15);
    return report;
  };

  test.each([
    ['', {}],
    [', and which did not come', { bail: true }],
  ])('it is found out which tests passed%s', async (_, options) => {
    const tests = [careful('one'), honest('two'), careful('three'), careful('four')];
    const { survived, noticed } = outcomesOf(await disturbed(tests, options));
    // The failing test gets over a slow call.
    expect(noticed).toHaveLength(13);
    expect(noticed?.filter((each) => !each.startsWith('two,'))).toEqual([]);
    expect(survived).toHaveLength(47);
  });

  test('if more tests fail, the exit stands for those that are left, and the report says so', async () => {
    const tests = Array.from({ length: 12 }, (_, at) => honest(`buys ${at}`));
    const report = await disturbed(tests, {}, { only: [{ failure: '503' }] });
    expect(outcomesOf(report).noticed).toHaveLength(24);
    expect(String(report)).toContain(
      '  There were too few runs to find out which of these failed. A test kit would tell.\n',
    );
  });
});

test('without a kit, a run about fewer tests disturbs each attempt of them too', async () => {
  const tests = [careful('buys 1'), honest('buys 2'), againAndFailing('buys 3')];
  const report = await disturbSuite(
    tests,
    { hasKit: false, retries: 1 },
    {
      only: [
        { operation: 'verifyMotorPolicy', failure: '503' },
        { operation: 'verifyMotorPolicy', failure: 'lost' },
      ],
    },
  );
  expect(outcomesOf(report)).toEqual({
    survived: [
      'buys 1, verifyMotorPolicy#1:503',
      'buys 1, verifyMotorPolicy#1:lost',
      'buys 3, verifyMotorPolicy#1:503',
    ],
    noticed: ['buys 2, verifyMotorPolicy#1:503', 'buys 2, verifyMotorPolicy#1:lost'],
    'bought twice': ['buys 3, verifyMotorPolicy#1:lost'],
  });
});

describe('without a kit, merchants of one name in several processes, in an order that changes,', () => {
  const disturbed = (tests: SuiteTest[], failure: Failure) =>
    disturbSuite(
      tests,
      {
        ...{ hasKit: false, hasProcesses: true, isNamed: false },
        order: (all, run) => (run % 2 === 0 ? all : all.toReversed()),
      },
      { only: [{ operation: 'verifyMotorPolicy', failure }] },
    );

  test('are not said to survive if one of them fails, and the report says why', async () => {
    const report = await disturbed([honest('one'), careful('two'), careful('three')], '503');
    const { noticed, survived } = outcomesOf(report);
    expect(noticed).toHaveLength(3);
    expect(survived).toBeUndefined();
    expect(String(report)).toContain(
      '\nSeveral processes have merchants of one name. These are disturbed together, and\nthe exit code stands for all. Give each a name of its own, or use a test kit.\n',
    );
  });

  test('are each judged if all pass', async () => {
    const report = await disturbed([hasty('one'), careful('two'), careful('three')], 'lost');
    const outcomes = outcomesOf(report);
    expect(outcomes['bought twice']).toHaveLength(1);
    expect(outcomes.survived).toHaveLength(2);
  });
});

describe('a World that a run does not reach', () => {
  const FOUR = (['503', 'lost', 'cut', 'gateway'] as const).map((failure) => ({
    operation: 'verifyMotorPolicy' as const,
    failure,
  }));

  test('because its runner ends at the first failure is reached by a run that leaves the failing test alone', async () => {
    let all = 0;
    const tests = sixWith(hasty);
    tests[0] = honest('buys 1');
    const report = await disturbSuite(
      tests,
      { bail: true },
      {
        only: FOUR,
        onProgress: (_done, count) => {
          all = count;
        },
      },
    );
    const outcomes = outcomesOf(report);
    expect(outcomes['bought twice']).toEqual(
      ['lost', 'cut', 'gateway'].map((failure) => `buys 5, verifyMotorPolicy#1:${failure}`),
    );
    expect(outcomes.noticed).toHaveLength(4);
    expect(outcomes.survived).toHaveLength(17);
    expect(report.runs).toHaveLength(24);
    expect(all).toBeLessThanOrEqual(8);
  });

  test.each([
    ['and these are too, if few failures are tried', FOUR, {}, 4 + 3 * 4],
    ['and these share the runs that are left', [], { 'did not come': expect.any(Array) }, 2 * 15],
  ])('is judged although three tests before it fail, %s', async (_, only, left, most) => {
    let all = 0;
    const tests = sixWith(hasty);
    for (const at of [0, 1, 3]) tests[at] = honest(`buys ${at + 1}`);
    const report = await disturbSuite(
      tests,
      { bail: true },
      {
        only,
        onProgress: (_done, count) => {
          all = count;
        },
      },
    );
    const { 'bought twice': twice, noticed, survived = [], ...others } = outcomesOf(report);
    const losses = ['lost', 'cut', 'garbage', 'gateway'].filter(
      (failure) => only.length === 0 || only.some((each) => each.failure === failure),
    );
    expect(twice).toEqual(losses.map((failure) => `buys 5, verifyMotorPolicy#1:${failure}`));
    const failing = ['buys 1', 'buys 2', 'buys 4'];
    const isFailing = (each: string) => failing.includes(each.split(',')[0] ?? '');
    expect(survived.filter((each) => !isFailing(each))).toHaveLength(
      3 * (only.length || 15) - losses.length,
    );
    expect(new Set(noticed?.map((each) => each.split(',')[0]))).toEqual(new Set(failing));
    expect(others).toEqual(left);
    expect(others['did not come']?.filter((each) => !isFailing(each)) ?? []).toEqual([]);
    expect(all).toBeLessThanOrEqual(most);
  });

  test('and that its runner tries again is disturbed in each attempt', async () => {
    const report = await disturbSuite(
      [honest('first'), honest('second')],
      { bail: true, retries: 1 },
      { only: [{ operation: 'verifyMotorPolicy', failure: 'lost' }] },
    );
    expect(report.runs).toMatchObject([
      { merchant: 'first', outcome: 'noticed', earlierAttempts: 1 },
      { merchant: 'second', outcome: 'noticed', earlierAttempts: 1 },
    ]);
  });

  test('cannot come if too many tests fail, and the report says what to do', async () => {
    const tests = Array.from({ length: 18 }, (_, at) => honest(`buys ${at + 1}`));
    const report = await disturbSuite(
      tests,
      { bail: true },
      { only: [{ operation: 'verifyMotorPolicy', failure: 'lost' }] },
    );
    // One run, and fifteen more.
    expect(outcomesOf(report)).toEqual({
      noticed: tests.slice(0, 16).map(({ name }) => `${name}, verifyMotorPolicy#1:lost`),
      'did not come': ['buys 17, verifyMotorPolicy#1:lost', 'buys 18, verifyMotorPolicy#1:lost'],
    });
    expect(report.operations[1]).toEqual({
      operation: 'verifyMotorPolicy',
      calls: 18,
      disturbed: 16,
    });
    expect(String(report)).toContain(
      'Did not come\n  buys 17, verifyMotorPolicy#1: lost\n  buys 18, verifyMotorPolicy#1: lost\n  Their runs failed before they were reached. Let the test runner go on after a failure.\n',
    );
  });

  test('without a kit it is reached in a run of its own', async () => {
    const report = await disturbSuite(
      [honest('first'), hasty('second')],
      { bail: true, hasKit: false },
      { only: [{ operation: 'verifyMotorPolicy', failure: 'lost' }] },
    );
    expect(outcomesOf(report)).toEqual({
      noticed: ['first, verifyMotorPolicy#1:lost'],
      'bought twice': ['second, verifyMotorPolicy#1:lost'],
    });
  });
});
