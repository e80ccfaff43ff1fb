/* Playwright's `test`, with a server for each worker and a merchant for each test. */

/// <reference lib="esnext.disposable" preserve="true" />

import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test';
import { startSandbox } from '../node/start-sandbox.ts';
import type { Merchant, Sandbox } from '../public.ts';
import type { ServerOptions } from '../start-options.ts';
import { describeFailedTest } from './failed-test.ts';
import { KIT_START } from './kit-options.ts';

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

/**
 * Creates a `test` whose sandbox has these options.
 *
 * @example
 * export const test = createTest({ cors: 'http://127.0.0.1:5173' });
 */
export const createTest = (options: ServerOptions = {}): SandboxTest =>
  base.extend<SandboxTestFixtures, SandboxWorkerFixtures>({
    sandbox: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
      async ({}, use) => {
        const server = await startSandbox({ port: 0, cors: '*', ...KIT_START, ...options });
        await use({ ...server.sandbox, url: server.url });
        await server.close();
      },
      { scope: 'worker' },
    ],
    merchant: async ({ sandbox }, use, testInfo) => {
      // Without the name of the file.
      const title = testInfo.titlePath.slice(1).join(' > ') || testInfo.title;
      const merchant = sandbox.createMerchant({ name: title });
      await use(merchant);
      const { status, expectedStatus, testId, repeatEachIndex, errors } = testInfo;
      if (status !== expectedStatus && status !== 'skipped') {
        const id = `${testId} ${repeatEachIndex}`;
        const message = describeFailedTest({ title, id, merchant });
        errors.push({ message });
      }
      merchant.remove();
    },
  });

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
