/* vitest's `test`, with a sandbox for each worker and a merchant for each test. */

/// <reference lib="esnext.disposable" preserve="true" />

import { test as base, type TestAPI } from 'vitest';
import type { Merchant, Sandbox, SandboxOptions } from '../public.ts';
import { createSandbox } from '../sandbox.ts';
import { describeFailedTest } from './failed-test.ts';
import { KIT_START } from './kit-options.ts';

/** What a test can take. */
export interface SandboxFixtures {
  /** The sandbox of this worker, in this process. Its clocks stand at 2026-01-31T10:00:00Z unless told otherwise. */
  sandbox: Sandbox;
  /** A merchant for this test alone, with its name. */
  merchant: Merchant;
}

/**
 * Creates a `test` whose sandbox has these options.
 *
 * @example
 * export const test = createTest({ clock: 'running', amountCheck: 'ignore' });
 */
export const createTest = (options: SandboxOptions = {}): TestAPI<SandboxFixtures> =>
  base.extend<SandboxFixtures>({
    sandbox: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
      async ({}, use) => {
        const sandbox = createSandbox({ ...KIT_START, ...options });
        await use(sandbox);
        await sandbox.close();
      },
      { scope: 'worker' },
    ],
    merchant: async ({ sandbox, task, onTestFinished }, use) => {
      const title = titleOf(task);
      const merchant = sandbox.createMerchant({ name: title });
      onTestFinished(() => merchant.remove());
      await use(merchant);
      // A test that is expected to fail is none.
      const failure = task.fails ? undefined : task.result?.errors?.at(-1);
      if (task.result?.state !== 'fail' || !failure) return;
      failure.message += `\n\n${describeFailedTest({ title, id: task.id, merchant })}`;
    },
  }) as unknown as TestAPI<SandboxFixtures>;

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
