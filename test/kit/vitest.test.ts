import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';

/* The kit runs as users run it: vitest in a project of its own, with the built package. */

const VITEST = join(process.cwd(), 'node_modules/vitest/vitest.mjs');

const HEAD = `
  import { describe, expect } from 'vitest';
  import { createSandbox } from 'micro-insurance-sandbox';
  import { createTest, test } from 'micro-insurance-sandbox/vitest';
`;

/** Runs vitest in a folder with these test files, and returns what it prints and what it leaves. */
async function runTests(files: Readonly<Record<string, string>>) {
  // In this repository, where the package finds itself by its name.
  const folder = mkdtempSync('.pasted-kit-');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {}');
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), HEAD + code);
  const { VITEST: _, ...env } = process.env;
  const run = (): Promise<string> =>
    new Promise((resolve) => {
      const options = { cwd: folder, env: { ...env, PWD: join(process.cwd(), folder), CI: '1' } };
      execFile(process.execPath, [VITEST, 'run'], options, (_error, stdout, stderr) => {
        resolve(stripVTControlCharacters(stdout + stderr));
      });
    });
  const failures = join(folder, 'sandbox-failures');
  const saved = () => {
    try {
      return readdirSync(failures);
    } catch {
      return [];
    }
  };
  return { folder, run, saved, open: (name: string) => openSaved(join(failures, name)) };
}

/** A merchant whose World is that of a file. */
function openSaved(file: string) {
  const merchant = createSandbox().createMerchant();
  merchant.restore(JSON.parse(readFileSync(file, 'utf8')));
  return merchant;
}

test('a failed test prints the calls of its merchant and saves its World', async () => {
  const { run, saved, open } = await runTests({
    'shop.test.ts': `
      describe('the shop', () => {
        test('sells cover', async ({ merchant }) => {
          await merchant.buy('motor');
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
      test.fails('fails as expected', async ({ merchant }) => {
        await merchant.buy('motor', { year_make: '1' });
      });
    `,
  });
  const printed = await run();
  expect(printed).toContain('AssertionError: expected 422 to be 200');
  expect(printed).toContain('Calls of the merchant "the shop > sells cover":');
  expect(printed).toMatch(/initiate 422 .*required fields are missing: first_name, surname/);
  expect(printed).toMatch(/1 failed \| 1 passed \| 1 expected fail/);
  const [file = '', ...others] = saved();
  expect(others).toEqual([]);
  expect(file).toMatch(/^the-shop-sells-cover-[0-9a-f]{8}\.json$/);
  expect(printed).toContain(`npx micro-insurance-sandbox show sandbox-failures/${file}\n`);
  const merchant = open(file);
  expect(merchant.show().counts.motor).toBe(1);
  expect(merchant.journal.list()[0]?.problems.length).toBeGreaterThan(5);
  // The same failure has the same file in the next run.
  await run();
  expect(saved()).toEqual([file]);
});

test('a title has a safe file name, and tests of the same title have files of their own', async () => {
  const long = 'a very long title '.repeat(20);
  const failing = (title: string) =>
    `test(${JSON.stringify(title)}, ({ merchant }) => expect(merchant.name).toBe('other'));`;
  const { run, saved } = await runTests({
    'a.test.ts': [failing('../../etc/passwd'), failing('🚗💥'), failing(long)].join('\n'),
    'b.test.ts': failing('same'),
    'c.test.ts': failing('same'),
  });
  await run();
  expect(saved().map((name) => name.replace(/-[0-9a-f]{8}\.json$/, ''))).toEqual([
    'a-very-long-title-a-very-long-title-a-very-long-title-a-very',
    'etc-passwd',
    'same',
    'same',
    'test',
  ]);
});

test('a folder that cannot be written is one line, and the failure is still told', async () => {
  const { run, folder } = await runTests({
    'shop.test.ts': `
      test('sells cover', async ({ merchant }) => {
        await merchant.call('listMotorPolicies');
        expect(1).toBe(2);
      });
      test('removes its merchant', async ({ merchant }) => {
        await merchant.call('listMicroHealthSubscriptions');
        merchant.remove();
        expect(3).toBe(4);
      });
    `,
  });
  writeFileSync(join(folder, 'sandbox-failures'), '');
  const printed = await run();
  expect(printed).toContain('AssertionError: expected 1 to be 2');
  expect(printed).toContain('GET /api/merchant/get_comprehensive_motor_policies 200');
  expect(printed).toMatch(/^The World could not be saved: EEXIST.*$/m);
  expect(printed).toContain('AssertionError: expected 3 to be 4');
  expect(printed).toContain('Calls of the merchant "removes its merchant":');
});

test('calls without a valid key are told with status and hint, below the difference that failed', async () => {
  const { run, saved } = await runTests({
    'shop.test.ts': `
      const path = '/api/merchant/get_comprehensive_motor_policies';
      test('sends a wrong key', async ({ merchant, sandbox }) => {
        await sandbox.fetch(path, { headers: { authorization: 'wrong' } });
        expect({ sold: merchant.show().counts.motor }).toEqual({ sold: 1 });
      });
      test('takes the sandbox only', async ({ sandbox }) => {
        await sandbox.fetch(path + '?late');
        expect(1).toBe(2);
      });
    `,
  });
  const printed = await run();
  const [, first = '', second = ''] = printed.split(' FAIL ');
  expect(first).toMatch(
    /\+ {3}"sold": 0,[\s\S]*The merchant "sends a wrong key" got no calls\.\n[\s\S]*Calls without a valid key\. Your code has to send merchant\.apiKey:\n.*\n10:00:00 GET \S+ 401 {2}Unauthenticated\.\n.*\n {2}hint {5}The key was sent without "Bearer"; send "Authorization: Bearer <key>"\.\n/,
  );
  expect(first).not.toContain('?late');
  expect(second).toContain('policies?late 401');
  expect(second).not.toContain('The merchant');
  expect(saved()).toHaveLength(1);
});

test('a failed test without calls says what its code has to send', async () => {
  const { run } = await runTests({
    'shop.test.ts': `
      test('calls another service', ({ merchant }) => expect(merchant.name).toBe(''));
      test('takes nothing', () => expect(5).toBe(6));
    `,
  });
  const [, first, second] = (await run()).split(' FAIL ');
  expect(first).toContain(
    'The merchant "calls another service" got no calls. Your code has to send merchant.apiKey to this sandbox.\n',
  );
  expect(second).toContain('expected 5 to be 6');
  expect(second).not.toMatch(/The merchant|Calls/);
});

test('merchants that the test created or shares are told, and their Worlds are saved', async () => {
  const { run, saved, open } = await runTests({
    'shop.test.ts': `
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
      const elsewhere = test.extend({
        sandbox: async ({}, use) => { await use(createSandbox()); },
      });
      elsewhere('has its own sandbox', async ({ merchant }) => {
        await merchant.call('listMotorPolicies');
        expect(5).toBe(6);
      });
      test('passes', async ({ sandbox }) => {
        await sandbox.merchant('sk_sandbox_demo').buy('motor');
      });
    `,
  });
  const [, first = '', second = '', third] = (await run()).split(' FAIL ');
  expect(first.match(/(?<=^Calls of the merchant ")[^"]+/gm)).toEqual([
    ...['compares', 'Removed', 'Demo Merchant', 'C'],
  ]);
  expect(first).toContain('\n… 2 more merchants with calls\n');
  expect(first).not.toContain('got no calls');
  expect(second.match(/(?<=^Calls of the merchant ")[^"]+/gm)).toEqual(['Own']);
  expect(third).toContain('Calls of the merchant "has its own sandbox":');
  const calls = saved().map((name) => [
    name.replace(/-[0-9a-f]{8}\.json$/, ''),
    open(name).journal.list().length,
  ]);
  expect(Object.fromEntries(calls)).toEqual({
    compares: 1,
    'compares-removed': 2,
    'compares-demo-merchant': 1,
    'compares-c': 2,
    'has-its-own-fixture-own': 1,
    'has-its-own-sandbox': 1,
  });
});

test('tests that run at the same time know their own calls, and say which may be of another', async () => {
  const { run } = await runTests({
    'shop.test.ts': `
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
  });
  const [, one = '', two = '', three = ''] = (await run()).split(' FAIL ');
  const shared = 'Calls without a valid key, of this test or one that ran at the same time.';
  for (const [printed, own, others] of [
    [one, 'listMicroHealthSubscriptions', 'listMotorPolicies'],
    [two, 'listMotorPolicies', 'listMicroHealthSubscriptions'],
  ] as const) {
    expect(printed).toMatch(`  ${own} req-`);
    expect(printed).not.toMatch(`  ${others} req-`);
    expect(printed).toContain(shared);
  }
  expect(three).toContain('Calls without a valid key. Your');
});

test('tests that fail alike each have their calls', async () => {
  const { run } = await runTests({
    'shop.test.ts': `
      test.for(['listMicroHealthSubscriptions', 'listMotorPolicies'])('calls %s', async (name, { merchant }) => {
        await merchant.call(name);
        expect(1).toBe(2);
      });
    `,
  });
  const printed = await run();
  for (const name of ['listMicroHealthSubscriptions', 'listMotorPolicies']) {
    expect(printed.split(`Calls of the merchant "calls ${name}":`)).toHaveLength(2);
  }
});

test('a call after the test says that the test has ended', async () => {
  const { run } = await runTests({
    'shop.test.ts': `
      let kept;
      test('keeps its merchant', ({ merchant }) => { kept = merchant; });
      test('uses the other', () => kept.buy('motor'));
      test('uses a removed one', ({ merchant }) => {
        merchant.remove();
        merchant.records({ family: 'motor' });
      });
    `,
  });
  const [, kept, removed] = (await run()).split(' FAIL ');
  expect(kept).toMatch(/Merchant \d+ was removed; its test has ended\. Is an await missing\?\n/);
  expect(removed).toMatch(/Merchant \d+ was removed\.\n/);
});

test('createTest takes the options of the sandbox', async () => {
  const { run, saved } = await runTests({
    'other.test.ts': `
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
    `,
  });
  expect(await run()).toMatch(/Tests +4 passed/);
  expect(saved()).toEqual([]);
});

test('createTest refuses wrong options at its line', async () => {
  const refused = {
    "{ clok: 'frozen' }": 'Unknown option "clok"; did you mean "clock"?',
    "{ now: 'soon' }": 'now must be a time like',
    '{ profile: { version: 1, decisions: { no: 1 } } }': 'decisions.no: unknown assumption',
    '{ port: 0 }': 'Unknown option "port": only startSandbox and the kit for Playwright',
    "{ merchant: { recrds: 'demo' } }": 'unknown "recrds"; known: name, records',
  };
  const files = Object.keys(refused).map((options, place) => [
    `${place}.test.ts`,
    `createTest(${options});`,
  ]);
  const { run } = await runTests(Object.fromEntries(files));
  const [, ...printed] = (await run()).split(' FAIL ');
  for (const [place, message] of Object.values(refused).entries()) {
    const part = printed.find((each) => each.includes(` ${place}.test.ts`));
    expect(part).toContain(message);
    expect(part).toMatch(new RegExp(`❯ ${place}\\.test\\.ts:\\d+:\\d+\n`));
    expect(part).not.toContain('dist/');
  }
});
