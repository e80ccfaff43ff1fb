/* vitest's `test`, with a sandbox for each worker and a merchant for each test. */

/// <reference lib="esnext.disposable" preserve="true" />

import { test as base, type TestAPI } from 'vitest';
import { refusingAtCaller } from '../control/caller.ts';
import type { Merchant, Sandbox, SandboxOptions } from '../public.ts';
import { createSandbox } from '../sandbox.ts';
import { describeFailedTest } from './failed-test.ts';
import type { MerchantOption } from './kit-options.ts';
import { readKitOptions } from './read-options.ts';
import { createTestRecords, type TestRecord } from './test-record.ts';

/** What a test can take. */
export interface SandboxFixtures {
  /** The sandbox of this worker, in this process. Its clocks stand at 2026-01-31T10:00:00Z unless told otherwise. */
  sandbox: Sandbox;
  /** A merchant for this test alone, with its name. */
  merchant: Merchant;
}

/** The fixtures, with one that every test has. */
interface KitFixtures extends SandboxFixtures {
  sandboxRecord: TestRecord;
}

/**
 * Creates a `test` whose sandbox has these options. With `merchant`, the merchant of each test starts like that.
 *
 * Throws what `createSandbox` throws if an option is invalid.
 *
 * @example
 * export const test = createTest({ clock: 'running', merchant: { records: 'demo' } });
 */
export const createTest: (options?: SandboxOptions & MerchantOption) => TestAPI<SandboxFixtures> =
  refusingAtCaller((given = {}) => {
    const { options, newMerchant } = readKitOptions(given);
    const records = createTestRecords();
    return base.extend<KitFixtures>({
      // The first to begin and the last to end, so it sees the failures of all others.
      sandboxRecord: [
        async ({ task }, use) => {
          const record = records.begin();
          await use(record);
          records.end(record);
          // A test that is expected to fail is none.
          const failure = task.fails ? undefined : task.result?.errors?.at(-1);
          if (task.result?.state !== 'fail' || !failure) return;
          const report = describeFailedTest({ title: titleOf(task), id: task.id, record });
          // vitest prints it below the message, once, and never takes failures of other reports for the same.
          if (report) failure.diff = [failure.diff, report].filter(Boolean).join('\n\n');
        },
        { auto: true },
      ],
      sandbox: [
        // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
        async ({}, use) => {
          const sandbox = createSandbox(options);
          records.watch(sandbox);
          await use(sandbox);
          await sandbox.close();
        },
        { scope: 'worker' },
      ],
      merchant: async ({ sandbox, sandboxRecord, task, onTestFinished }, use) => {
        const { name = titleOf(task) } = newMerchant;
        const merchant = sandbox.createMerchant({ ...newMerchant, name });
        onTestFinished(records.own(sandboxRecord, sandbox, merchant));
        await use(merchant);
      },
    }) as unknown as TestAPI<SandboxFixtures>;
  });

/**
 * vitest's `test` with `sandbox` and `merchant`. If a test fails, its calls are part of what vitest prints, and its World
 * is saved in `sandbox-failures`, for `npx micro-insurance-sandbox show`.
 *
 * @example
 * test('a policy is bought', async ({ merchant }) => {
 *   const policy = await merchant.buy('motor');
 *   expect(merchant.records({ family: 'motor' }).data).toEqual([policy]);
 * });
 */
export const test: TestAPI<SandboxFixtures> = createTest();

/** A test or a group of tests. */
interface Named {
  readonly name: string;
  readonly suite?: Named | undefined;
}

/** The name of a test, with those of the groups around it. */
const titleOf = ({ name, suite }: Named): string =>
  suite?.name ? `${titleOf(suite)} > ${name}` : name || 'test';
