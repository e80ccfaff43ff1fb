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
      test('removes its merchant', ({ merchant }) => {
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
  expect(printed).toMatch(/^The calls of this test cannot be shown: Merchant \d+ was removed\.$/m);
});

test('createTest takes the options of the sandbox', async () => {
  const { run, saved } = await runTests({
    'other.test.ts': `
      const other = createTest({ now: '2027-03-01T00:00:00Z', amountCheck: 'ignore' });
      other('has another time', async ({ merchant }) => {
        expect(merchant.clock.show()).toEqual({ now: '2027-03-01T00:00:00.000Z', mode: 'frozen' });
        await merchant.buy('micro_health', { amount: 1 });
      });
    `,
  });
  expect(await run()).toMatch(/Tests +1 passed/);
  expect(saved()).toEqual([]);
});
