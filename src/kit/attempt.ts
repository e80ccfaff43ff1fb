/* One attempt of a test, whatever its runner: what `chaos` is told of it, and what it leaves when it fails. */

import { beginTest, embeddedObserver } from '../tools/chaos/embedded.ts';
import type { Merchant, Sandbox } from '../types/public.ts';
import { describeFailedTest, type TestCase } from './failed-test.ts';
import { type TestRecords, unusedFaults } from './test-record.ts';

/** An attempt that runs. */
export interface TestAttempt {
  /** Makes a merchant that of the test. */
  own(sandbox: Sandbox, merchant: Merchant): void;
  /** Throws if a fault rule of the test has not acted. A failure that `chaos` brings comes in its place. */
  requireFaults(): void;
  /** Returns what the test runner should print: what happened until now. Undefined if nothing did. */
  fail(error: unknown): string | undefined;
  /** Says that the test is over, and how it ended. */
  end(passed: boolean): void;
}

/** @param isOver whether the last hook of the test has run */
export function beginAttempt(
  records: TestRecords,
  test: TestCase,
  isOver: () => boolean,
): TestAttempt {
  const record = records.begin(isOver);
  const told = beginTest(test);
  return {
    own(sandbox, merchant) {
      records.own(record, sandbox, merchant);
      if (record.own) told?.own(record.own);
    },
    requireFaults() {
      const unused = unusedFaults(record);
      if (unused.length === 0 || embeddedObserver()) return;
      const rules = unused.length === 1 ? 'A fault rule' : `${unused.length} fault rules`;
      throw new Error(
        `${rules} never acted: ${unused.join(', ')}. Make the call that it matches, remove the rule, or use createTest({ unusedFaults: 'ignore' }).`,
      );
    },
    fail(error) {
      told?.tell(false);
      return describeFailedTest(test, record, error);
    },
    end(passed) {
      records.end(record);
      told?.tell(passed);
      told?.end();
    },
  };
}
