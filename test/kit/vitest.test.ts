import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';

/* The kit runs as users run it: vitest in a project of its own, with the built package. One run serves all tests here. */

/** Another vitest to try: the path of its package, such as `/tmp/older/node_modules/vitest`. */
const OTHER_VITEST = process.env.KIT_VITEST;
const VITEST = join(OTHER_VITEST ?? join(process.cwd(), 'node_modules/vitest'), 'vitest.mjs');

const HEAD = `
  import { afterEach, describe, expect } from 'vitest';
  import { createSandbox } from 'micro-insurance-sandbox';
  import { createTest, test } from 'micro-insurance-sandbox/vitest';
`;

const REFUSED = {
  "{ clok: 'frozen' }": 'Unknown option "clok"; did you mean "clock"?',
  "{ now: 'soon' }": 'now must be a time like',
  '{ profile: { version: 1, decisions: { no: 1 } } }': 'decisions.no: unknown assumption',
  '{ port: 0 }': 'Unknown option "port": only startSandbox and the kit for Playwright',
  "{ merchant: { recrds: 'demo' } }": 'unknown "recrds"; known: name, records',
  "{ unusedFaults: 'warn' }": 'unusedFaults must be "fail" or "ignore"',
};

/** Their tests. Each file takes a process of vitest, so there are few. */
const PARTS = {
  shop: `
    describe('the shop', () => {
      test('sells cover', async ({ merchant }) => {
        await merchant.buy('motor');
        merchant.clock.advance('PT1H');
        const refused = await merchant.call('initiateMicroHealthSubscription', { amount: 1 });
        expect(refused.status).toBe(200);
      });
    });
    test('passes', async ({ merchant, sandbox }) => {
      expect(merchant.name).toBe('passes');
      expect(merchant.clock.show()).toEqual({ now: '2026-01-31T10:00:00.000Z', mode: 'frozen' });
      // That of the failed test is gone.
      expect(sandbox.merchants()).toHaveLength(3);
    });
    test('calls another service', ({ merchant }) => expect(merchant.name).toBe(''));
    test('takes nothing', () => expect(5).toBe(6));
    const path = '/api/merchant/get_comprehensive_motor_policies';
    test('sends a wrong key', async ({ merchant, sandbox }) => {
      await sandbox.fetch(path, { headers: { authorization: 'wrong' } });
      expect({ sold: merchant.show().counts.motor }).toEqual({ sold: 1 });
    });
    test('takes the sandbox only', async ({ sandbox }) => {
      await sandbox.fetch(path + '?late');
      expect(1).toBe(2);
    });
    test.for(['listMicroHealthSubscriptions', 'listMotorPolicies'])('calls %s', async (name, { merchant }) => {
      await merchant.call(name);
      expect(1).toBe(2);
    });
    let kept;
    test('keeps its merchant', ({ merchant }) => { kept = merchant; });
    test('uses the other', () => kept.buy('motor'));
    test('uses a removed one', ({ merchant }) => {
      merchant.remove();
      merchant.records({ family: 'motor' });
    });
  `,
  places: `
    const call = (merchant) => merchant.call('listMotorPolicies');
    const failing = (message) => { throw new Error(message); };
    test.extend({
      shop: async ({ merchant }, use) => {
        await use(1);
        await merchant.call('getMotorQuote');
        failing('in a teardown');
      },
    })('teardown', ({ shop, merchant }) => call(merchant));
    test.extend({
      shop: [async ({}, use) => { await use(1); failing('in an own teardown'); }, { auto: true }],
    })('own teardown', ({ merchant }) => call(merchant));
    describe('hooks', () => {
      afterEach(() => failing('in afterEach'));
      test('after each', ({ merchant }) => call(merchant));
    });
    test('finished', async ({ merchant, onTestFinished }) => {
      await call(merchant);
      onTestFinished(() => failing('in onTestFinished'));
    });
    test('failed', async ({ merchant, onTestFailed }) => {
      onTestFailed(async () => {
        await call(merchant);
        console.log('journal: ' + merchant.journal.text());
      });
      failing('in the body');
    });
    test('soft', async ({ merchant }) => {
      await call(merchant);
      expect.soft(1).toBe(2);
      expect.soft(3).toBe(4);
      await merchant.call('getMotorQuote');
    });
    test('time-out', { timeout: 20 }, async ({ merchant }) => {
      await call(merchant);
      await new Promise(() => {});
    });
    test('nothing thrown', async ({ merchant }) => { await call(merchant); throw undefined; });
    test('object thrown', async ({ merchant }) => { await call(merchant); throw { status: 500 }; });
    // Before 4.0, vitest reads these options of a group, and not those of a test with fixtures.
    let tries = 0;
    describe('tries', { retry: 2 }, () => {
      test('retried', async ({ merchant }) => {
        await call(merchant);
        if (tries++ === 0) failing('first try');
      });
    });
    let vain = 0;
    describe('tries', { retry: 1 }, () => {
      test('in vain', async ({ merchant }) => {
        await merchant.call(vain++ === 0 ? 'listGroupLifePolicies' : 'listMotorPolicies');
        failing('try ' + vain);
      });
    });
    let repeats = 0;
    describe('tries', { repeats: 2 }, () => {
      test('repeated', async ({ merchant }) => {
        await call(merchant);
        if (repeats++ === 1) failing('second repeat');
      });
    });
    test.fails('as expected', async ({ merchant }) => {
      await merchant.buy('motor', { year_make: '1' });
    });
    test.fails('not as expected', ({ merchant }) => call(merchant));
    const lost = { match: { operation: 'verifyMotorPolicy' }, stage: 'after', effect: { kind: 'drop' } };
    test('unused fault', ({ merchant }) => { merchant.faults.add(lost); });
    test('used fault', async ({ merchant }) => {
      merchant.faults.add({ ...lost, times: 2 });
      await merchant.buy('motor').catch(() => {});
    });
    test('removed fault', ({ merchant }) => {
      merchant.faults.add(lost);
      merchant.faults.clear();
    });
    createTest({ unusedFaults: 'ignore' })('ignored fault', ({ merchant }) => {
      merchant.faults.add(lost);
    });
  `,
  merchants: `
    test('compares', async ({ merchant, sandbox }) => {
      await merchant.call('listMicroHealthSubscriptions');
      sandbox.createMerchant({ name: 'Silent' });
      const removed = sandbox.createMerchant({ name: 'Removed' });
      await removed.buy('motor');
      removed.remove();
      await sandbox.merchant('sk_sandbox_demo').call('listMotorPolicies');
      for (const name of ['C', 'D', 'E']) await sandbox.createMerchant({ name }).buy('motor');
      expect(1).toBe(2);
    });
    const own = test.extend({
      merchant: async ({ sandbox }, use) => {
        const merchant = sandbox.createMerchant({ name: 'Own', records: 'demo' });
        await use(merchant);
        merchant.remove();
      },
    });
    own('has its own fixture', async ({ merchant }) => {
      await merchant.call('getMotorQuote');
      expect(3).toBe(4);
    });
  `,
  together: `
    let first;
    const begun = new Promise((resolve) => { first = resolve; });
    test.concurrent('one', async ({ merchant, sandbox }) => {
      await merchant.call('listMicroHealthSubscriptions');
      await begun;
      await sandbox.fetch('/api/merchant/travel');
      expect(1).toBe(2);
    });
    test.concurrent('two', async ({ merchant }) => {
      await merchant.call('listMotorPolicies');
      first();
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(1).toBe(2);
    });
    test('three', async ({ sandbox }) => {
      await sandbox.fetch('/api/merchant/travel');
      expect(1).toBe(2);
    });
  `,
  names: ['../../etc/passwd', '🚗💥', 'a very long title '.repeat(20), 'same']
    .map(
      (title) =>
        `test(${JSON.stringify(title)}, ({ merchant }) => expect(merchant.name).toBe('other'));`,
    )
    .join('\n'),
  other: `
    test('same', ({ merchant }) => expect(merchant.name).toBe('other'));
    const elsewhere = test.extend({
      sandbox: async ({}, use) => { await use(createSandbox()); },
    });
    elsewhere('has its own sandbox', async ({ merchant }) => {
      await merchant.call('listMotorPolicies');
      expect(5).toBe(6);
    });
  `,
  folder: `
    test('cannot save', async ({ merchant }) => {
      process.chdir('unwritable');
      await merchant.call('listMotorPolicies');
      expect(1).toBe(2);
    });
    test('removes its merchant', async ({ merchant }) => {
      await merchant.call('listMicroHealthSubscriptions');
      merchant.remove();
      expect(3).toBe(4);
    });
  `,
  options: `
    const other = createTest({ now: '2027-03-01T00:00:00Z', amountCheck: 'ignore' });
    other('has another time', async ({ merchant }) => {
      expect(merchant.clock.show()).toEqual({ now: '2027-03-01T00:00:00.000Z', mode: 'frozen' });
      await merchant.buy('micro_health', { amount: 1 });
    });
    let now = Date.parse('2030-01-31T00:00:00Z');
    createTest({ clock: () => now })('follows a clock', ({ merchant }) => {
      expect(merchant.clock.show().now).toBe('2030-01-31T00:00:00.000Z');
      now += 1000;
      expect(merchant.clock.show()).toEqual({ now: '2030-01-31T00:00:01.000Z', mode: 'running' });
    });
    // From vitest 4.1 on, hooks of a group take fixtures.
    if (test.override) describe('a group', () => {
      let shared;
      test.beforeAll(({ sandbox }) => { shared = sandbox.createMerchant({ name: 'Shared' }); });
      test('has the sandbox of its hook', ({ sandbox }) => {
        expect(sandbox.merchant(shared.apiKey).name).toBe('Shared');
      });
    });
    createTest({ now: undefined, clock: undefined })('has the defaults', ({ merchant }) => {
      expect(merchant.clock.show()).toEqual({ now: '2026-01-31T10:00:00.000Z', mode: 'frozen' });
    });
    const demo = { records: { motor: 2 }, now: '2028-01-01T00:00:00Z', name: undefined };
    createTest({ merchant: demo })('has records', ({ merchant }) => {
      expect(merchant.show()).toMatchObject({
        name: 'has records',
        counts: { motor: 2 },
        clock: { now: '2028-01-01T00:00:00.000Z' },
      });
    });
    ${Object.keys(REFUSED)
      .map((options) => `test(${JSON.stringify(options)}, () => {\ncreateTest(${options});\n});`)
      .join('\n')}
  `,
};

const { other, folder: unwritable, ...most } = PARTS;
const FILES: Readonly<Record<string, string>> = {
  'shop.test.ts': Object.values(most).join(''),
  'other.test.ts': other + unwritable,
};

/** A test in vitest's report as JSON. */
interface ReportedTest {
  readonly fullName: string;
  readonly status: 'passed' | 'failed';
  readonly failureMessages: readonly string[];
}

let folder = '';
let printed = '';
const reported = new Map<string, ReportedTest>();

const run = (...args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    const { VITEST: _, ...env } = process.env;
    const options = { cwd: folder, env: { ...env, PWD: join(process.cwd(), folder), CI: '1' } };
    const words = [VITEST, 'run', ...args];
    execFile(process.execPath, words, options, (_error, stdout, stderr) => {
      resolve(stripVTControlCharacters(stdout + stderr));
    });
  });

/** A copy of the package, so that it finds the other vitest. */
function installBeside(vitest: string): void {
  const packages = join(folder, 'node_modules');
  for (const name of ['package.json', 'dist', 'openapi', 'fixtures']) {
    cpSync(name, join(packages, 'micro-insurance-sandbox', name), { recursive: true });
  }
  symlinkSync(vitest, join(packages, 'vitest'));
}

beforeAll(async () => {
  // In this repository, where the package finds itself by its name.
  folder = mkdtempSync('.pasted-kit-');
  if (OTHER_VITEST) installBeside(OTHER_VITEST);
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {}');
  mkdirSync(join(folder, 'unwritable'));
  writeFileSync(join(folder, 'unwritable/sandbox-failures'), '');
  for (const [name, code] of Object.entries(FILES)) writeFileSync(join(folder, name), HEAD + code);
  const reporters = ['default', 'tap', 'tap-flat', 'json'].map((name) => `--reporter=${name}`);
  printed = await run(...reporters, '--outputFile.json=report.json');
  const { testResults } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as {
    testResults: readonly { readonly assertionResults: readonly ReportedTest[] }[];
  };
  for (const each of testResults.flatMap(({ assertionResults }) => assertionResults)) {
    reported.set(each.fullName, each);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

/** What the report as JSON says of a failed test, and nothing of a passed one. */
function failureOf(name: string): string {
  const { status, failureMessages = [] } = reported.get(name) ?? {};
  if (status === undefined) throw new Error(`No test ${name}`);
  return status === 'failed' ? failureMessages.join('\n') : '';
}

/** The files that a test left. */
const savedFor = (title: string): string[] =>
  readdirSync(join(folder, 'sandbox-failures')).filter((file) => {
    const { test } = JSON.parse(readFileSync(join(folder, 'sandbox-failures', file), 'utf8'));
    return test.name === title;
  });

/** The test of a saved World, and a merchant with that World. */
function open(file: string) {
  const saved = JSON.parse(readFileSync(join(folder, 'sandbox-failures', file), 'utf8'));
  const merchant = createSandbox().createMerchant();
  merchant.restore(saved);
  return { test: saved.test, merchant };
}

test('a failed test prints its calls and clock moves once, and saves its World', () => {
  const failure = failureOf('the shop sells cover');
  expect(failure).toContain('AssertionError: expected 422 to be 200');
  expect(failure).toContain('Calls of the merchant "the shop > sells cover":\n2026-01-31\n');
  expect(failure).toMatch(
    /11:00:00 clock \+1 h\n11:00:00 .* 422 .*required fields are missing: first_name, surname/,
  );
  expect(failure.split('Calls of the merchant "the shop > sells cover":')).toHaveLength(2);
  const [file = '', ...others] = savedFor('the shop > sells cover');
  expect(others).toEqual([]);
  expect(file).toMatch(/^the-shop-sells-cover-[0-9a-f]{8}\.json$/);
  expect(printed).toContain(`npx micro-insurance-sandbox show sandbox-failures/${file}\n`);
  const { test: left, merchant } = open(file);
  expect(left).toEqual({
    name: 'the shop > sells cover',
    attempt: 1,
    file: 'shop.test.ts',
    line: 11,
    error: 'expected 422 to be 200 // Object.is equality',
    merchant: 'the shop > sells cover',
  });
  expect(merchant.show().counts.motor).toBe(1);
  expect(merchant.journal.list()[0]?.problems.length).toBeGreaterThan(5);
  expect(failureOf('passes')).toBe('');
});

test('reporters that print only messages or stacks have the calls', () => {
  const told = printed.split('Calls of the merchant \\"soft\\":');
  expect(told.length).toBeGreaterThanOrEqual(3);
});

test.for([
  ['teardown', 'in a teardown', 'getMotorQuote'],
  ['own teardown', 'in an own teardown'],
  ['hooks after each', 'in afterEach'],
  ['finished', 'in onTestFinished'],
  ['failed', 'in the body', 'listMotorPolicies'],
  ['soft', 'expected 1 to be 2', 'getMotorQuote'],
  ['time-out', 'Test timed out in 20ms'],
  ['nothing thrown', 'undefined'],
  ['object thrown', '{ status: 500 }'],
] as const)(
  'a test fails elsewhere than in its body, and leaves the same: %s',
  ([name, message, call = 'listMotorPolicies']) => {
    const failure = failureOf(name);
    expect(failure).toContain(message);
    const title = name.replace('hooks ', 'hooks > ');
    expect(failure.split(`Calls of the merchant "${title}":`)).toHaveLength(2);
    expect(failure).toContain(`  ${call} req-`);
    expect(savedFor(title)).toHaveLength(1);
    expect(open(savedFor(title)[0] ?? '').test.error).toContain(message);
  },
);

test('a hook for failures can read the journal of the merchant', () => {
  expect(printed).toMatch(/journal: 2026-01-31\n10:00:00 GET \S+ 200\n {2}listMotorPolicies /);
});

test('each failed attempt leaves a World, and one that passes leaves nothing', () => {
  expect(failureOf('tries retried')).toBe('');
  expect(savedFor('tries > retried').map((file) => open(file).test.error)).toEqual(['first try']);
  expect(failureOf('tries in vain')).toMatch(
    /try 1\n[\s\S]*listGroupLifePolicies [\s\S]*try 2\n[\s\S]*listMotorPolicies /,
  );
  const attempts = savedFor('tries > in vain').map((file) => open(file));
  expect(
    attempts.map(({ test: { attempt, error }, merchant }) => [
      attempt,
      error,
      merchant.journal.list().map(({ operation }) => operation),
    ]),
  ).toEqual([
    [2, 'try 2', ['listMotorPolicies']],
    [1, 'try 1', ['listGroupLifePolicies']],
  ]);
  expect(savedFor('tries > repeated').map((file) => open(file).test.error)).toEqual([
    'second repeat',
  ]);
});

test('a test that is expected to fail leaves a World only if it passes', () => {
  expect(failureOf('as expected')).toBe('');
  expect(savedFor('as expected')).toEqual([]);
  expect(failureOf('not as expected')).toContain('Calls of the merchant "not as expected":');
});

test('a fault rule that never acted fails its test', () => {
  expect(failureOf('unused fault')).toContain(
    "A fault rule never acted: verifyMotorPolicy after; drop. Make the call that it matches, remove the rule, or use createTest({ unusedFaults: 'ignore' }).",
  );
  for (const name of ['used fault', 'removed fault', 'ignored fault']) {
    expect(failureOf(name)).toBe('');
  }
});

test('a title has a safe file name, and tests of the same title have files of their own', () => {
  const names = readdirSync(join(folder, 'sandbox-failures')).map((name) =>
    name.replace(/-[0-9a-f]{8}\.json$/, ''),
  );
  expect(names).toEqual(
    expect.arrayContaining([
      'a-very-long-title-a-very-long-title-a-very-long-title-a-very',
      ...['etc-passwd', 'test'],
    ]),
  );
  expect(names.filter((name) => name === 'same')).toHaveLength(2);
});

test('a folder that cannot be written is one line, and the failure is still told', () => {
  const failure = failureOf('cannot save');
  expect(failure).toContain('AssertionError: expected 1 to be 2');
  expect(failure).toContain('GET /api/merchant/get_comprehensive_motor_policies 200');
  expect(failure).toMatch(/^The World could not be saved: EEXIST.*$/m);
  expect(failureOf('removes its merchant')).toContain('AssertionError: expected 3 to be 4');
  expect(failureOf('removes its merchant')).toContain('merchant "removes its merchant":');
});

describe('calls that are not those of the merchant', () => {
  test('without a valid key are told with status and hint', () => {
    const failure = failureOf('sends a wrong key');
    expect(failure).toMatch(
      /The merchant "sends a wrong key" got no calls\.\n[\s\S]*Calls without a valid key\. Your code has to send merchant\.apiKey:\n.*\n10:00:00 GET \S+ 401 {2}Unauthenticated\.\n.*\n {2}hint {5}The key was sent without "Bearer"; send "Authorization: Bearer <key>"\.\n/,
    );
    expect(failure).not.toContain('?late');
    expect(failureOf('takes the sandbox only')).toContain('policies?late 401');
    expect(failureOf('takes the sandbox only')).not.toContain('The merchant');
    expect(savedFor('takes the sandbox only')).toEqual([]);
    expect(printed).toMatch(/\+ {3}"sold": 0,/);
  });

  test('are missed, so the failure says what the code has to send', () => {
    expect(failureOf('calls another service')).toContain(
      'The merchant "calls another service" got no calls. Your code has to send merchant.apiKey to this sandbox.\n',
    );
    expect(failureOf('takes nothing')).toContain('expected 5 to be 6');
    expect(failureOf('takes nothing')).not.toMatch(/The merchant|Calls/);
  });

  test('are of merchants that the test created or shares, and their Worlds are saved', () => {
    const merchantsOf = (name: string) =>
      failureOf(name).match(/(?<=^Calls of the merchant ")[^"]+/gm);
    expect(merchantsOf('compares')).toEqual(['compares', 'Removed', 'Demo Merchant', 'C']);
    expect(failureOf('compares')).toContain('\n… 2 more merchants with calls\n');
    expect(failureOf('compares')).not.toContain('got no calls');
    expect(merchantsOf('has its own fixture')).toEqual(['Own']);
    expect(merchantsOf('has its own sandbox')).toEqual(['has its own sandbox']);
    const titles = ['compares', 'has its own fixture', 'has its own sandbox'];
    const calls = titles.flatMap(savedFor).map((file) => {
      return [file.replace(/-[0-9a-f]{8}\.json$/, ''), open(file).merchant.journal.list().length];
    });
    // Before 4.1, vitest also makes the merchant that a fixture of the project replaces.
    expect(Object.fromEntries(calls)).toMatchObject({
      compares: 1,
      'compares-removed': 2,
      'compares-demo-merchant': 1,
      'compares-c': 2,
      'has-its-own-fixture-own': 1,
      'has-its-own-sandbox': 1,
    });
  });

  test('may be of another test that ran at the same time, and that is said', () => {
    const shared = 'Calls without a valid key, of this test or one that ran at the same time.';
    for (const [name, own, others] of [
      ['one', 'listMicroHealthSubscriptions', 'listMotorPolicies'],
      ['two', 'listMotorPolicies', 'listMicroHealthSubscriptions'],
    ] as const) {
      expect(failureOf(name)).toMatch(`  ${own} req-`);
      expect(failureOf(name)).not.toMatch(`  ${others} req-`);
      expect(failureOf(name)).toContain(shared);
    }
    expect(failureOf('three')).toContain('Calls without a valid key. Your');
  });

  test('are of other tests that fail alike', () => {
    for (const name of ['listMicroHealthSubscriptions', 'listMotorPolicies']) {
      const failure = failureOf(`calls ${name}`);
      expect(failure.split(`Calls of the merchant "calls ${name}":`)).toHaveLength(2);
    }
  });
});

test('a call after the test says that the test has ended', () => {
  expect(failureOf('uses the other')).toMatch(
    /Merchant \d+ was removed; its test has ended\. Is an await missing\?\n/,
  );
  expect(failureOf('uses a removed one')).toMatch(/Merchant \d+ was removed\.\n/);
});

test('a hook that runs once takes the sandbox', () => {
  const { status = 'passed' } = reported.get('a group has the sandbox of its hook') ?? {};
  expect(status).toBe('passed');
});

test('createTest takes the options of the sandbox', () => {
  for (const name of ['has another time', 'follows a clock', 'has the defaults', 'has records']) {
    expect(failureOf(name)).toBe('');
  }
});

test.for(Object.entries(REFUSED))('createTest refuses %s at its line', ([options, message]) => {
  const failure = failureOf(options);
  expect(failure).toContain(message);
  const [first = ''] = failure.split('\n').filter((line) => line.trim().startsWith('at '));
  expect(first).toContain('shop.test.ts');
});
