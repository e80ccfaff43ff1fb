import { describe, expect, test } from 'vitest';
import type { ChaosReport, Merchant, Outcome, Sandbox } from '../../src/node.ts';
import { exampleOf } from '../support/requests.ts';
import { again } from './programs.ts';
import { disturbSuite, type SuiteTest } from './suite.ts';

/* A World is what is disturbed and judged: a suite of tests, each with a merchant of its own. */

const input = exampleOf('initiateMotorPolicy');

/** Buys, and does all of it again if something fails. */
const hasty = (name: string): SuiteTest => ({
  name,
  run: (merchant) => again(() => merchant.buy('motor')),
});

/** Looks the policy up before it buys again. */
const careful = (name: string): SuiteTest => ({
  name,
  async run(merchant) {
    let expected: string | undefined;
    await again(async () => {
      if (expected !== undefined) {
        const data = await merchant.data('listMotorPolicies');
        if (data.some(({ policy_number }) => policy_number === expected)) return;
      }
      const { policy_number, token } = await merchant.data('initiateMotorPolicy', input);
      expected = policy_number;
      await merchant.data('verifyMotorPolicy', { token });
    });
  },
});

/** Fails if a call fails. */
const honest = (name: string): SuiteTest => ({ name, run: (merchant) => merchant.buy('motor') });

/** Passes whatever happens. */
const blind = (name: string): SuiteTest => ({
  name,
  run: (merchant) => merchant.buy('motor').catch(() => undefined),
});

/** Buys again, and fails because it bought twice. */
const againAndFailing = (name: string): SuiteTest => ({
  name,
  async run(merchant) {
    await again(() => merchant.buy('motor'));
    if ((await merchant.data('listMotorPolicies')).length > 1) throw new Error('two');
  },
});

const tenWith = (fifth: (name: string) => SuiteTest, others = careful): SuiteTest[] =>
  Array.from({ length: 10 }, (_, at) => (at === 4 ? fifth : others)(`buys ${at + 1}`));

/** What each outcome was about: `buys 5, verifyMotorPolicy#1:lost`. */
function outcomesOf({ runs }: ChaosReport): Partial<Record<Outcome, string[]>> {
  const outcomes: Partial<Record<Outcome, string[]>> = {};
  for (const { outcome, merchant, operation, call, failure } of runs) {
    outcomes[outcome] = [
      ...(outcomes[outcome] ?? []),
      `${merchant}, ${operation}#${call}:${failure}`,
    ];
  }
  return outcomes;
}

const LOSSES = [{ failure: 'lost' }, { failure: 'gateway' }] as const;

const TWICE = ['lost', 'gateway'].map((failure) => `buys 5, verifyMotorPolicy#1:${failure}`);

describe('one hasty test among nine careful ones is found, and no other', () => {
  test.each([
    ['with a kit', {}],
    ['without one', { hasKit: false }],
    ['without one, and without names', { hasKit: false, isNamed: false }],
    ['with retries', { retries: 2 }],
    ['with retries and without a kit', { retries: 2, hasKit: false }],
    ['with bail', { bail: true }],
    ['in an order that changes', { order: turned }],
    ['in an order that changes, without a kit', { hasKit: false, order: turned }],
  ])('%s', async (title, options) => {
    const rounds: number[] = [];
    const report = await disturbSuite(tenWith(hasty), options, {
      only: LOSSES,
      onProgress: (_done, all) => rounds.push(all),
    });
    const outcomes = outcomesOf(report);
    const named = title.includes('without names') ? TWICE.length : TWICE;
    expect(
      title.includes('without names') ? outcomes['bought twice']?.length : outcomes['bought twice'],
    ).toEqual(named);
    expect(outcomes.survived).toHaveLength(38);
    expect(report.runs).toHaveLength(40);
    expect(report.operations).toEqual([
      { operation: 'initiateMotorPolicy', calls: 10, disturbed: 10 },
      { operation: 'verifyMotorPolicy', calls: 10, disturbed: 10 },
    ]);
    // As many runs as one test has.
    expect(rounds.at(-1)).toBe(4);
    expect(report.complete).toBe(true);
  });

  function turned(tests: readonly SuiteTest[], run: number): readonly SuiteTest[] {
    return [...tests.slice(run % 10), ...tests.slice(0, run % 10)];
  }
});

describe('a test that fails has noticed, whatever the others do', () => {
  test('with a kit, in as many runs as the longest test needs', async () => {
    let all = 0;
    const report = await disturbSuite(
      tenWith(honest),
      {},
      {
        only: [{ failure: '503' }],
        onProgress: (_done, count) => {
          all = count;
        },
      },
    );
    expect(outcomesOf(report).noticed).toEqual([
      'buys 5, initiateMotorPolicy#1:503',
      'buys 5, verifyMotorPolicy#1:503',
    ]);
    expect(all).toBe(2);
  });

  test('without one the run is split until it is known', async () => {
    let all = 0;
    const report = await disturbSuite(
      tenWith(honest, blind),
      { hasKit: false },
      {
        only: [{ operation: 'verifyMotorPolicy', failure: '503' }],
        onProgress: (_done, count) => {
          all = count;
        },
      },
    );
    const outcomes = outcomesOf(report);
    expect(outcomes.noticed).toEqual(['buys 5, verifyMotorPolicy#1:503']);
    expect(outcomes['false success']).toHaveLength(9);
    expect(all).toBeLessThan(12);
  });

  test.each([
    ['that bought twice', againAndFailing, 'bought twice', 2],
    ['that bought less', honest, 'noticed', 4],
  ] as const)(
    'without one, a test %s does not speak for the others',
    async (_, fifth, outcome, most) => {
      let all = 0;
      const failure = fifth === honest ? '503' : 'lost';
      const report = await disturbSuite(
        tenWith(fifth),
        { hasKit: false },
        {
          only: [{ operation: 'verifyMotorPolicy', failure }],
          onProgress: (_done, count) => {
            all = count;
          },
        },
      );
      const outcomes = outcomesOf(report);
      expect(outcomes[outcome]).toEqual([`buys 5, verifyMotorPolicy#1:${failure}`]);
      expect(outcomes.survived).toHaveLength(9);
      expect(all).toBeLessThanOrEqual(most);
    },
  );

  test('a passing test that bought less is a false success', async () => {
    const report = await disturbSuite(tenWith(blind), {}, { only: [{ failure: '503' }] });
    expect(outcomesOf(report)['false success']).toEqual([
      'buys 5, initiateMotorPolicy#1:503',
      'buys 5, verifyMotorPolicy#1:503',
    ]);
  });
});

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
    const report = await disturbSuite(tenWith(withAgency(true), withAgency(false)), options, {
      only: LOST,
    });
    const outcomes = outcomesOf(report);
    expect(outcomes['bought twice']).toEqual(['buys 5: agency, verifyMotorPolicy#1:lost']);
    expect(outcomes.survived).toHaveLength(9);
    expect(report.others).toEqual([]);
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
    return runs.map(({ outcome }) => outcome);
  };
  const three = [sharing(careful)('one'), sharing(careful)('two'), sharing(careful)('three')];

  test('holds what the last attempt of each test bought', async () => {
    const tests = three.with(1, sharing(honest)('two'));
    expect(await judged(tests, { retries: 1 })).toEqual(['survived', 'survived', 'survived']);
  });

  test.each([
    ['', {}],
    [', although those behind it do not come', { bail: true }],
    [', and that is made anew after a failure', { restarts: true }],
    [', and that is made anew after a failure, with retries', { restarts: true, retries: 1 }],
  ])('shows the test that bought twice%s', async (_, options) => {
    const tests = three.with(1, sharing(hasty)('two'));
    expect(await judged(tests, options)).toEqual(['survived', 'bought twice', 'survived']);
  });
});

test('without a kit, those that passed are told from those that failed, while there are runs for it', async () => {
  const report = await disturbSuite(
    tenWith(honest),
    { hasKit: false },
    {
      only: (['503', 'lost', 'cut', 'garbage', 'gateway'] as const).map((failure) => ({
        operation: 'verifyMotorPolicy' as const,
        failure,
      })),
    },
  );
  const { survived, noticed } = outcomesOf(report);
  // That it fails is found out under 503, where it bought less. Then a further run is about all others.
  expect(noticed).toHaveLength(5);
  expect(noticed?.filter((each) => !each.startsWith('buys 5,'))).toEqual([]);
  expect(survived).toHaveLength(45);
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

describe('a World that a run does not reach', () => {
  const FOUR = (['503', 'lost', 'cut', 'gateway'] as const).map((failure) => ({
    operation: 'verifyMotorPolicy' as const,
    failure,
  }));

  test('because its runner ends at the first failure is reached by a run that leaves the failing test alone', async () => {
    let all = 0;
    const tests = tenWith(hasty);
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
    expect(outcomes.survived).toHaveLength(33);
    expect(report.runs).toHaveLength(40);
    expect(all).toBeLessThanOrEqual(8);
  });

  test('is judged although three tests before it fail, and these share the runs that are left', async () => {
    let all = 0;
    const tests = tenWith(hasty);
    for (const at of [0, 1, 3]) tests[at] = honest(`buys ${at + 1}`);
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
    expect(outcomes.survived).toHaveLength(25);
    const failing = ['buys 1', 'buys 2', 'buys 4'];
    expect(new Set(outcomes.noticed?.map((each) => each.split(',')[0]))).toEqual(new Set(failing));
    expect(
      outcomes['did not come']?.filter((each) => !failing.includes(each.split(',')[0] ?? '')),
    ).toEqual([]);
    expect(all).toBeLessThanOrEqual(8);
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
    const report = await disturbSuite(
      [honest('first'), honest('second'), honest('third')],
      { bail: true },
      {
        only: [{ operation: 'verifyMotorPolicy', failure: 'lost' }],
      },
    );
    expect(outcomesOf(report)).toEqual({
      noticed: ['first, verifyMotorPolicy#1:lost', 'second, verifyMotorPolicy#1:lost'],
      'did not come': ['third, verifyMotorPolicy#1:lost'],
    });
    expect(report.operations[1]).toEqual({
      operation: 'verifyMotorPolicy',
      calls: 3,
      disturbed: 2,
    });
    expect(String(report)).toContain(
      'Did not come\n  third, verifyMotorPolicy#1: lost\n  Their runs failed before they were reached. Let the test runner go on after a failure.\n',
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

describe('what a World bought is what it holds', () => {
  const judged = async (run: (merchant: Merchant, isDisturbed: boolean) => Promise<unknown>) => {
    let starts = 0;
    const { runs } = await disturbSuite(
      [{ name: 'buys', run: (merchant) => run(merchant, starts++ > 0) }],
      {},
      { only: [{ operation: 'getMotorQuote', failure: 'slow' }] },
    );
    return runs[0];
  };
  const quote = (merchant: Merchant) => merchant.call('getMotorQuote', exampleOf('getMotorQuote'));
  const renew = (merchant: Merchant, policy_no: string) =>
    merchant.data('topUpMicroHealthSubscription', {
      ...exampleOf('topUpMicroHealthSubscription'),
      policy_no,
    });

  test('one policy renewed twice is not two renewed once', async () => {
    const run = await judged(async (merchant, isDisturbed) => {
      await quote(merchant);
      const policies = [await merchant.buy('micro_health'), await merchant.buy('micro_health')];
      const renewed = isDisturbed ? [policies[0], policies[0]] : policies;
      for (const policy of renewed) await renew(merchant, policy?.policy_no ?? '');
    });
    expect(run).toMatchObject({
      outcome: 'bought twice',
      differences: [
        { renewal: 1, undisturbed: 2, bought: 1 },
        { renewal: 2, undisturbed: 0, bought: 1 },
      ],
    });
  });

  test('a cheaper plan is not the one that was wanted', async () => {
    const run = await judged(async (merchant, isDisturbed) => {
      await quote(merchant);
      const subscription_type = isDisturbed ? 'monthly' : 'annually';
      await merchant.buy('micro_health', { subscription_type });
    });
    expect(run).toMatchObject({
      outcome: 'false success',
      differences: [
        { plan: 'annually, 2 users', undisturbed: 1, bought: 0 },
        { plan: 'monthly, 2 users', undisturbed: 0, bought: 1 },
      ],
    });
  });

  test('two cars of one person are not one car twice', async () => {
    const run = await judged(async (merchant, isDisturbed) => {
      await quote(merchant);
      for (const registration_no of ['KJA-1AA', isDisturbed ? 'KJA-1AA' : 'KJA-2BB']) {
        await merchant.buy('motor', { registration_no });
      }
    });
    expect(run).toMatchObject({ outcome: 'bought twice' });
  });

  test('customers that are made up in every run are the same purchases', async () => {
    let count = 0;
    const run = await judged(async (merchant) => {
      await quote(merchant);
      await merchant.buy('motor', { contact_person_name: `Customer ${++count}` });
    });
    expect(run).toMatchObject({ outcome: 'survived', differences: [] });
  });
});

test('a suite without a kit whose tests have names of the same kind is numbered', async () => {
  const { undisturbed } = await disturbSuite(
    [honest('same'), honest('same')],
    { hasKit: false },
    {
      only: [{ operation: 'verifyMotorPolicy', failure: '503' }],
    },
  );
  expect(undisturbed.worlds.map(({ merchant }) => merchant)).toEqual(['same (1)', 'same (2)']);
});

test('a stop ends the runs, and what was done is reported as not complete', async () => {
  const stop = new AbortController();
  const report = await disturbSuite(
    [hasty('buys')],
    {},
    {
      stop: stop.signal,
      onProgress: (done) => {
        if (done === 3) stop.abort();
      },
    },
  );
  expect(report.runs).toHaveLength(3);
  expect(report.complete).toBe(false);
  expect(String(report)).toMatch(/^Stopped before the last run: this report is not complete\.\n/);
});

test('forty tests take as many runs as one', async () => {
  let all = 0;
  const tests = Array.from({ length: 40 }, (_, at) => hasty(`buys ${at}`));
  const { runs } = await disturbSuite(
    tests,
    {},
    {
      only: [{ operation: 'verifyMotorPolicy', failure: 'lost' }],
      onProgress: (_done, count) => {
        all = count;
      },
    },
  );
  expect(all).toBe(1);
  expect(runs).toHaveLength(40);
});

test('a merchant that only disturbed runs have is told, and not judged', async () => {
  const startsAnew: SuiteTest = {
    name: 'buys',
    run: (merchant, sandbox) =>
      merchant.buy('motor').catch(() =>
        sandbox
          .createMerchant({ name: 'second' })
          .buy('motor')
          .catch(() => undefined),
      ),
  };
  const report = await disturbSuite(
    [startsAnew],
    { hasKit: false },
    { only: [{ operation: 'verifyMotorPolicy', failure: 'lost' }] },
  );
  expect(report.runs).toMatchObject([{ merchant: 'buys', outcome: 'survived' }]);
  expect(report.others).toMatchObject([
    { merchant: 'second', failure: 'lost', bought: [{ product: 4, count: 1 }] },
  ]);
  expect(String(report)).toContain(
    'Only in runs with failures, and not judged\n  second: 1 purchase under lost\n',
  );
});

test('the story of a World has its days, and what moved its clock', async () => {
  const late: SuiteTest = {
    name: 'buys late',
    async run(merchant) {
      const { token } = await merchant.data('initiateMotorPolicy', input);
      merchant.clock.advance('PT14H');
      await merchant.call('verifyMotorPolicy', { token }).catch(() => undefined);
      await merchant.buy('motor');
      merchant.reset();
      await merchant.buy('motor');
    },
  };
  const { runs } = await disturbSuite(
    [late],
    {},
    { only: [{ operation: 'initiateMotorPolicy', call: 2, failure: '503' }] },
  );
  expect(runs[0]?.calls.filter((line) => !line.startsWith('    '))).toEqual([
    '… 1 call',
    '  2026-02-01',
    '  00:00:00 clock +14 h, 1 purchase expired',
    expect.stringMatching(/^ {2}00:00:00 POST .*verify_policy 400 {2}Token has expired$/),
    expect.stringMatching(/^▸ 00:00:00 POST .*initiate_policy 503/),
  ]);
});
