/* Playwright's `test`, with a server for each worker and a merchant for each test. */

/// <reference lib="esnext.disposable" preserve="true" />

import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestInfo,
  type TestInfoError,
  type TestType,
} from '@playwright/test';
import { atCallersLine } from '../control/caller.ts';
import { SERVER_RULES } from '../sandbox/options.ts';
import type { ServerOptions } from '../sandbox/start-options.ts';
import { startSandbox } from '../tools/start-sandbox.ts';
import type { Merchant, Sandbox } from '../types/public.ts';
import { beginAttempt, type TestAttempt } from './attempt.ts';
import type { KitOptions } from './kit-options.ts';
import { readKitOptions } from './read-options.ts';
import { createTestRecords, type TestRecords } from './test-record.ts';
import { watchErrors } from './watch-errors.ts';

/** A sandbox that listens on a port of this machine. */
export interface ServedSandbox extends Sandbox {
  /** Its base URL without a trailing slash, such as `http://127.0.0.1:49152`. */
  readonly url: string;
}

/** What a test can take, besides what Playwright gives it. */
export interface SandboxTestFixtures {
  /** A merchant for this test alone, with its name. */
  merchant: Merchant;
}

/** What the tests of a worker share. */
export interface SandboxWorkerFixtures {
  /**
   * The sandbox of this worker, on a free port. Its clocks stand at 2026-01-31T10:00:00Z, and pages of every origin may
   * call its merchant API, unless told otherwise.
   */
  sandbox: ServedSandbox;
}

/** Playwright's `test` with a sandbox and a merchant. */
export type SandboxTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & SandboxTestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & SandboxWorkerFixtures
>;

/** The fixtures of a test, with one that every test has. */
interface KitTestFixtures extends SandboxTestFixtures {
  sandboxAttempt: TestAttempt;
}

/**
 * Creates a `test` whose sandbox has these options. With `merchant`, the merchant of each test starts like that.
 *
 * Throws what `startSandbox` throws if an option is invalid.
 *
 * @example
 * export const test = createTest({ cors: 'http://127.0.0.1:5173', merchant: { records: 'demo' } });
 */
export const createTest: (options?: ServerOptions & KitOptions) => SandboxTest = atCallersLine(
  (given = {}) => {
    const { options, newMerchant, needsFaults } = readKitOptions(
      { port: 0, cors: '*', ...given },
      SERVER_RULES,
    );
    const records = createTestRecords();
    return base.extend<KitTestFixtures, SandboxWorkerFixtures>({
      sandboxAttempt: [
        // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
        async ({}, use, testInfo) => {
          const watched = watchAttempt(records, testInfo);
          await use(watched.attempt);
          try {
            if (needsFaults && !watched.hasFailed()) watched.attempt.requireFaults();
          } finally {
            watched.end();
          }
        },
        { auto: true },
      ],
      sandbox: [
        // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
        async ({}, use) => {
          const server = await startSandbox(options);
          records.watch(server.sandbox);
          await use({ ...server.sandbox, url: server.url });
          await server.close();
        },
        { scope: 'worker' },
      ],
      merchant: async ({ sandbox, sandboxAttempt }, use, testInfo) => {
        const { name = titleOf(testInfo) } = newMerchant;
        const merchant = sandbox.createMerchant({ ...newMerchant, name });
        sandboxAttempt.own(sandbox, merchant);
        await use(merchant);
      },
    });
  },
);

/** Watches an attempt of a test. Its calls are printed as one more error, after the first that Playwright notes down. */
function watchAttempt(records: TestRecords, testInfo: TestInfo) {
  const { title, testId, repeatEachIndex, retry: attempt, file, errors } = testInfo;
  const id = `${testId} ${repeatEachIndex}`;
  // The next test of this worker begins when all hooks of this one have run.
  const begun = beginAttempt(records, { title: titleOf(testInfo), id, attempt, file }, () => true);
  const printed = { message: '' };
  let hasFailed = false;
  const report = (error: TestInfoError) => {
    const text = begun.fail(error.value ?? error);
    if (text === undefined) return;
    printed.message = text;
    if (!errors.includes(printed)) errors[errors.length] = printed;
  };
  const isExpected = () => testInfo.expectedStatus === 'failed';
  watchErrors(testInfo, (error) => {
    hasFailed = true;
    if (!isExpected()) report(testInfo.errors[0] ?? error);
  });
  return {
    attempt: begun,
    hasFailed: () => hasFailed,
    end() {
      const { status, expectedStatus } = testInfo;
      const passed = status === expectedStatus || status === 'skipped';
      begun.end(passed);
      // Hooks may have called since it failed, or it was expected to fail and did not.
      if (!passed) report(testInfo.errors[0] ?? { message: `${title} did not fail` });
    },
  };
}

/** The name of a test, with those of the groups around it, without that of the file. */
const titleOf = ({ title, titlePath }: TestInfo): string => titlePath.slice(1).join(' > ') || title;

/**
 * Playwright's `test` with `sandbox` and `merchant`. If a test fails, its calls are part of what Playwright prints, and its
 * World is saved in `sandbox-failures`, for `npx micro-insurance-sandbox show`.
 *
 * @example
 * test('a policy is bought', async ({ page, sandbox, merchant }) => {
 *   await page.goto(`/?service=${sandbox.url}&key=${merchant.apiKey}`);
 *   await page.getByRole('button', { name: 'Buy' }).click();
 *   await merchant.journal.await({ operation: 'verifyMotorPolicy', status: 200 });
 * });
 */
export const test: SandboxTest = createTest();
