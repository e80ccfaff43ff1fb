/* Playwright's `test`, with a server for each worker and a merchant for each test. */

/// <reference lib="esnext.disposable" preserve="true" />

import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestInfo,
  type TestType,
} from '@playwright/test';
import { refusingAtCaller } from '../control/caller.ts';
import { startSandbox } from '../node/start-sandbox.ts';
import { SERVER_RULES } from '../options.ts';
import type { Merchant, Sandbox } from '../public.ts';
import type { ServerOptions } from '../start-options.ts';
import { describeFailedTest } from './failed-test.ts';
import type { MerchantOption } from './kit-options.ts';
import { readKitOptions } from './read-options.ts';
import { createTestRecords, type TestRecord } from './test-record.ts';

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
  sandboxRecord: TestRecord;
}

/**
 * Creates a `test` whose sandbox has these options. With `merchant`, the merchant of each test starts like that.
 *
 * Throws what `startSandbox` throws if an option is invalid.
 *
 * @example
 * export const test = createTest({ cors: 'http://127.0.0.1:5173', merchant: { records: 'demo' } });
 */
export const createTest: (options?: ServerOptions & MerchantOption) => SandboxTest =
  refusingAtCaller((given = {}) => {
    const { options, newMerchant } = readKitOptions({ port: 0, cors: '*', ...given }, SERVER_RULES);
    const records = createTestRecords();
    return base.extend<KitTestFixtures, SandboxWorkerFixtures>({
      // The first to begin and the last to end, so it sees the failures of all others.
      sandboxRecord: [
        // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
        async ({}, use, testInfo) => {
          const record = records.begin();
          await use(record);
          records.end(record);
          const { status, expectedStatus, testId, repeatEachIndex, errors } = testInfo;
          if (status === expectedStatus || status === 'skipped') return;
          const id = `${testId} ${repeatEachIndex}`;
          const message = describeFailedTest({ title: titleOf(testInfo), id, record });
          if (message !== undefined) errors.push({ message });
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
      merchant: async ({ sandbox, sandboxRecord }, use, testInfo) => {
        const { name = titleOf(testInfo) } = newMerchant;
        const merchant = sandbox.createMerchant({ ...newMerchant, name });
        const remove = records.own(sandboxRecord, sandbox, merchant);
        await use(merchant);
        remove();
      },
    });
  });

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
