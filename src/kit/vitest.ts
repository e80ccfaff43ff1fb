/* vitest's `test`, with a sandbox for each worker and a merchant for each test. */

/// <reference lib="esnext.disposable" preserve="true" />

import { test as base, type RunnerTestCase, type TestAPI, vi } from 'vitest';
import { atCallersLine } from '../control/caller.ts';
import { embeddedObserver } from '../tools/chaos/embedded.ts';
import { createSandbox } from '../tools/create-sandbox.ts';
import type { Merchant, Sandbox, SandboxOptions } from '../types/public.ts';
import { beginAttempt, type TestAttempt } from './attempt.ts';
import { thrownText } from './failed-test.ts';
import type { KitOptions } from './kit-options.ts';
import { readKitOptions } from './read-options.ts';
import { createTestRecords, type TestRecords } from './test-record.ts';
import { watchErrors } from './watch-errors.ts';

/** What a test can take. */
export interface SandboxFixtures {
  /** The sandbox of this worker, in this process. Its clocks stand at 2026-01-31T10:00:00Z unless told otherwise. */
  sandbox: Sandbox;
  /** A merchant for this test alone, with its name. */
  merchant: Merchant;
}

/**
 * From vitest 4.1 on, which has `override`, `test.beforeAll` takes fixtures of a worker. Before, one `test` would get the
 * sandbox of another in its file.
 */
const SANDBOX_SCOPE = 'override' in base ? 'worker' : 'test';

/**
 * Under `chaos`, `--bail` would leave the tests after a failing one unjudged, and each would need another run. vitest
 * takes every option here, although its types list only a few.
 */
const WITHOUT_BAIL: object = { bail: 0 };

/** The fixtures, with one that every test has. */
interface KitFixtures extends SandboxFixtures {
  sandboxAttempt: TestAttempt;
}

/**
 * Creates a `test` whose sandbox has these options. With `merchant`, the merchant of each test starts like that.
 *
 * Throws what `createSandbox` throws if an option is invalid.
 *
 * @example
 * export const test = createTest({ clock: 'running', merchant: { records: 'demo' } });
 */
export const createTest: (options?: SandboxOptions & KitOptions) => TestAPI<SandboxFixtures> =
  atCallersLine((given = {}) => {
    const { options, newMerchant, needsFaults } = readKitOptions(given);
    const records = createTestRecords();
    let opened: Sandbox | undefined;
    const open = () => {
      if (opened) return opened;
      opened = createSandbox(options);
      records.watch(opened);
      return opened;
    };
    return base.extend<KitFixtures>({
      sandboxAttempt: [
        async ({ task, onTestFailed, onTestFinished }, use) => {
          if (embeddedObserver()) vi.setConfig(WITHOUT_BAIL);
          const watched = watchAttempt(records, task);
          // The first to be added, so the last to run.
          onTestFinished(watched.end);
          onTestFailed(watched.tellAgain);
          await use(watched.attempt);
          if (needsFaults && !watched.hasFailed()) watched.attempt.requireFaults();
        },
        { auto: true },
      ],
      sandbox: [
        // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
        ({}, use) => use(open()),
        { scope: SANDBOX_SCOPE },
      ],
      merchant: async ({ sandbox, sandboxAttempt, task }, use) => {
        const { name = titleOf(task) } = newMerchant;
        const merchant = sandbox.createMerchant({ ...newMerchant, name });
        sandboxAttempt.own(sandbox, merchant);
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

/** What vitest prints of an error. */
interface PrintedError {
  message: string;
  stack?: string | undefined;
}

/** Watches an attempt of a test. Its calls are part of the first error that vitest notes down for it. */
function watchAttempt(records: TestRecords, task: RunnerTestCase) {
  const number = attemptOf(task);
  const { result } = task;
  const isOver = () => task.result?.duration !== undefined || attemptOf(task) !== number;
  const attempt = beginAttempt(records, caseOf(task), isOver);
  let hasEnded = false;
  let hasFailed = false;
  let first: PrintedError | undefined;
  let asThrown: PrintedError | undefined;
  const report = (error: PrintedError) => {
    first ??= error;
    asThrown ??= { message: thrownText(first), stack: first.stack };
    const text = attempt.fail(asThrown);
    if (text !== undefined) Object.assign(first, withReport(asThrown, text));
  };
  if (result) {
    watchErrors(result, (error: PrintedError) => {
      if (attemptOf(task) !== number) return;
      hasFailed = true;
      // A test that is expected to fail has failed only if it passed. That is found out last.
      if (!task.fails || hasEnded) report(error);
    });
  }
  /** Hooks may have called since it failed. */
  const tellAgain = () => {
    if (first) report(first);
  };
  return {
    attempt,
    hasFailed: () => hasFailed,
    tellAgain,
    end() {
      hasEnded = true;
      attempt.end(hasFailed === (task.fails === true));
      tellAgain();
    },
  };
}

/** Every attempt is a retry or a repeat of the one before. */
const attemptOf = ({ result }: RunnerTestCase): number =>
  (result?.retryCount ?? 0) + (result?.repeatCount ?? 0);

/** All repeats of a test count, but only the last retry of each. */
const caseOf = (task: RunnerTestCase) => ({
  title: titleOf(task),
  id: task.result?.repeatCount ? `${task.id} ${task.result.repeatCount}` : task.id,
  attempt: task.result?.retryCount ?? 0,
  file: task.file.filepath,
});

/** Some reporters print only the message, and others only the stack, which has the message in it. */
const withReport = ({ message, stack }: PrintedError, text: string): PrintedError => {
  const said = `${message}\n\n${text}`;
  if (stack === undefined) return { message: said };
  return {
    message: said,
    stack: stack.includes(message) ? stack.replace(message, () => said) : `${said}\n${stack}`,
  };
};

/** A test or a group of tests. */
interface Named {
  readonly name: string;
  readonly suite?: Named | undefined;
}

/** The name of a test, with those of the groups around it. */
const titleOf = ({ name, suite }: Named): string =>
  suite?.name ? `${titleOf(suite)} > ${name}` : name || 'test';
