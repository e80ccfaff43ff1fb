import { describe, expect, test } from 'vitest';
import type { Merchant } from '../../src/node.ts';
import { exampleOf } from '../support/requests.ts';
import { disturbSuite, type SuiteTest } from './suite.ts';
import { againAndFailing, blind, hasty, honest, outcomesOf, sixWith } from './suite-tests.ts';

/* A World is what is disturbed and judged: a suite of tests, each with a merchant of its own. */

const LOSSES = [{ failure: 'lost' }, { failure: 'gateway' }] as const;

const TWICE = ['lost', 'gateway'].map((failure) => `buys 5, verifyMotorPolicy#1:${failure}`);

describe('one hasty test among five careful ones is found, and no other', () => {
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
    const report = await disturbSuite(sixWith(hasty), options, {
      only: LOSSES,
      onProgress: (_done, all) => rounds.push(all),
    });
    const outcomes = outcomesOf(report);
    const named = title.includes('without names') ? TWICE.length : TWICE;
    expect(
      title.includes('without names') ? outcomes['bought twice']?.length : outcomes['bought twice'],
    ).toEqual(named);
    expect(outcomes.survived).toHaveLength(22);
    expect(report.runs).toHaveLength(24);
    expect(report.operations).toEqual([
      { operation: 'initiateMotorPolicy', calls: 6, disturbed: 6 },
      { operation: 'verifyMotorPolicy', calls: 6, disturbed: 6 },
    ]);
    // As many runs as one test has.
    expect(rounds.at(-1)).toBe(4);
    expect(report.complete).toBe(true);
  });

  function turned(tests: readonly SuiteTest[], run: number): readonly SuiteTest[] {
    return [...tests.slice(run % 6), ...tests.slice(0, run % 6)];
  }
});

describe('a test that fails has noticed, whatever the others do', () => {
  test('with a kit, in as many runs as the longest test needs', async () => {
    let all = 0;
    const report = await disturbSuite(
      sixWith(honest),
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
      sixWith(honest, blind),
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
    expect(outcomes['false success']).toHaveLength(5);
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
        sixWith(fifth),
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
      expect(outcomes.survived).toHaveLength(5);
      expect(all).toBeLessThanOrEqual(most);
    },
  );

  test('a passing test that bought less is a false success', async () => {
    const report = await disturbSuite(sixWith(blind), {}, { only: [{ failure: '503' }] });
    expect(outcomesOf(report)['false success']).toEqual([
      'buys 5, initiateMotorPolicy#1:503',
      'buys 5, verifyMotorPolicy#1:503',
    ]);
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

test('forty tests take as many runs as one, and their report stays short', async () => {
  let all = 0;
  const tests = Array.from({ length: 40 }, (_, at) => hasty(`buys ${at}`));
  const report = await disturbSuite(
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
  expect(report.runs).toHaveLength(40);
  expect(report.runs.every(({ calls }) => calls.length > 0)).toBe(true);
  const lines = String(report).split('\n');
  const headings = lines.filter((line) =>
    /^ {2}buys \d+, verifyMotorPolicy#1: passed; 2 /.test(line),
  );
  expect(headings).toHaveLength(40);
  expect(lines.filter((line) => line.startsWith('    ▸'))).toHaveLength(3);
  expect(lines[lines.indexOf(headings[39] ?? '') + 1]).toBe(
    '  Only the first 3 are shown with their calls; --json has all.',
  );
  expect(headings[39]).toMatch(/; lost$/);
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
  expect(String(report)).toContain(
    'Only in runs with failures, and not judged\n  second: 1 purchase under lost\n',
  );
});

test('the story of a World has its days, and what moved its clock', async () => {
  const late: SuiteTest = {
    name: 'buys late',
    async run(merchant) {
      const { token } = await merchant.data(
        'initiateMotorPolicy',
        exampleOf('initiateMotorPolicy'),
      );
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
